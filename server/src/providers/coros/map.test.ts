// The mapping of COROS' fields, and the parts that are off until an operator enables them.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mapPage, readFixture } from '../../../test/support/provider-fixture.ts';
import type { CloudProvider } from '../contract.ts';
import { readFailure } from './envelope.ts';
import { coros } from './index.ts';

/** As an operator has it who enabled only these. */
const withParts = (...parts: readonly string[]): CloudProvider => ({
  ...coros,
  unconfirmed: (coros.unconfirmed ?? []).filter(({ part }) => parts.includes(part)),
});
const mapSport = (provider: CloudProvider, fields: object) => {
  const times = { labelId: 1, startTime: 1_772_431_510, endTime: 1_772_433_461 };
  return mapPage(provider, { resource: 'sport', body: { result: '0000', data: [{ ...times, ...fields }] } }).workouts;
};

describe('workouts of COROS', () => {
  it('have their zone in quarter hours', () => {
    const offsetOf = (startTimezone: unknown) => mapSport(coros, { startTimezone })[0]?.offsetMinutes;
    assert.deepEqual([32, 23, -28, 0].map(offsetOf), [480, 345, -420, 0]);
    for (const unreadable of [null, 99, -1, 'x', 0.5]) assert.equal(offsetOf(unreadable), 60, 'in the user’s zone');
  });

  it('have energy only if its unit is enabled, and a sport that sources agree on', () => {
    const factsOf = (provider: CloudProvider, mode: number, subMode: number) => {
      const [workout] = mapSport(provider, { mode, subMode, calorie: 312_000 });
      return [workout?.sportType, workout?.activeCalories];
    };
    assert.deepEqual(factsOf(withParts(), 8, 3), ['running', null]);
    assert.deepEqual(factsOf(withParts('calories'), 42, 1), ['other', 312]);
    assert.deepEqual(factsOf(withParts('sports'), 8, 3), ['trail_running', null]);
    assert.deepEqual(factsOf(withParts('sports'), 20, 1), ['other', null], 'sources contradict each other');
  });

  it('of several sports are one triathlon, or their legs', () => {
    const keysOf = (provider: CloudProvider) => {
      const { workouts } = mapPage(provider, { resource: 'sport', body: readFixture('coros', 'sport') });
      return workouts.slice(2).map(({ key, sportType }) => `${key} ${sportType}`);
    };
    assert.deepEqual(keysOf(withParts()), ['451234567890123458 triathlon']);
    assert.deepEqual(keysOf(withParts('multisport_legs')), [
      '451234567890123458-1773212400 swimming',
      '451234567890123458-1773213420 cycling',
    ]);
    const untimed = { mode: 13, subMode: 1, triathlonItemList: [{ mode: 10, subMode: 1 }] };
    assert.deepEqual(
      mapSport(coros, untimed).map(({ key }) => key),
      ['1'],
    );
  });
});

describe('days of COROS', () => {
  const page = { resource: 'daily', body: readFixture('coros', 'daily') };

  it('are not read unless enabled', () => {
    const { daily, sleep } = mapPage(withParts('hrv', 'calories'), page);
    assert.deepEqual([daily, sleep], [[], []]);
  });

  it('have steps, resting heart rate and a sleep without stages', () => {
    const { daily, sleep } = mapPage(withParts('daily'), page);
    assert.deepEqual(
      daily.map(({ metric, date, value }) => `${metric} ${date} ${value}`),
      [
        'steps 2026-03-02 9876',
        'resting_heart_rate 2026-03-02 52',
        'steps 2026-03-03 0',
        'resting_heart_rate 2026-03-03 53',
      ],
    );
    assert.deepEqual(
      sleep.map(({ asleepMinutes, inBedMinutes, stages }) => [asleepMinutes, inBedMinutes, stages]),
      [
        [null, 462, null],
        [null, 40, null],
      ],
    );
  });

  it('drop a sleep of several days', () => {
    const times = { sleepStartTime: '2020-06-15 22:00:00', sleepEndTime: '2020-06-18 08:00:00' };
    const body = { data: { dailyList: [{ happenDay: 20200618, step: 52, ...times }] } };
    const { daily, sleep, unreadable } = mapPage(coros, { resource: 'daily', body });
    assert.deepEqual([daily.length, sleep, unreadable.get('sleepEndTime')], [1, [], 1]);
  });
});

it('a webhook of COROS with an unreadable time or an item of nobody still names the others', () => {
  const times = { startTime: '1772431510', endTime: 1_772_433_461 };
  const body = Buffer.from(JSON.stringify({ sportDataList: [{ labelId: 1 }, { openId: 'a', ...times }] }));
  assert.deepEqual(coros.webhook?.readWebhookItems(body), [
    { kind: 'changed', providerUserId: 'a', resource: 'sport', id: null, from: null, to: null },
  ]);
});

it('COROS answers failures inside of 200', () => {
  const failureOf = (result: unknown) => readFailure({ status: 200, headers: {}, body: { result } });
  assert.deepEqual(['0000', '5006', '5010', '5016', '9999', undefined].map(failureOf), [
    null,
    'unauthorized',
    'bad_request',
    'unavailable',
    'unavailable',
    'unavailable',
  ]);
  assert.equal(readFailure({ status: 502, headers: {}, body: null }), null, 'the HTTP status counts');
});
