import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readFixture } from '../../../test/support/provider-fixture.ts';
import { listReported } from '../../../test/support/reported-samples.ts';
import type { MapContext } from '../contract.ts';
import { dexcom } from './index.ts';

const context: MapContext = { zone: 'America/Denver', window: null };
const account = { providerUserId: 'a', accessToken: 'a', refreshToken: null };

function resource(name: string) {
  const found = dexcom.resources.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no resource ${name}`);
  return found;
}

const reading = {
  systemTime: '2026-03-01T10:00:00Z',
  displayTime: '2026-03-01T03:00:00-07:00',
  unit: 'mg/dL',
  value: 100,
};
const mapReadings = (...records: object[]) => resource('egvs').map({ records }, context);
const timesOf = (record: object) =>
  listReported(mapReadings({ ...reading, ...record }), 'blood_glucose').map(({ start, offsetMinutes }) => [
    new Date(start).toISOString(),
    offsetMinutes,
  ]);
const places = (...records: object[]) => {
  const mapped = mapReadings(...records.map((record) => ({ ...reading, ...record })));
  return [...mapped.samples.keys()].flatMap((metric) =>
    listReported(mapped, metric).map(({ value }) => [metric, value]),
  );
};

describe('readings of Dexcom', () => {
  it('keeps the number and the unit of the sensor', () => {
    const samples = listReported(resource('egvs').map(readFixture('dexcom', 'egvs'), context), 'blood_glucose');
    assert.deepEqual(
      samples.map(({ start, value, unit, offsetMinutes, method }) => [start, value, unit, offsetMinutes, method]),
      [
        [Date.parse('2026-03-01T10:05:10Z'), 104, 'mg/dL', 60, 'automatic'],
        [Date.parse('2026-03-01T09:55:10Z'), 5.8, 'mmol/L', 60, 'automatic'],
      ],
    );
  });

  it('stores no number beyond the range of the sensor, with or without a status', () => {
    const low = ['glucose_time_below_range', 100];
    const high = ['glucose_time_above_range', 100];
    assert.deepEqual(places({ value: 39 }), [low]);
    assert.deepEqual(places({ value: 40, status: 'low' }), [['blood_glucose', 40]]);
    assert.deepEqual(places({ value: 400 }), [['blood_glucose', 400]]);
    assert.deepEqual(places({ value: 401, status: 'high' }), [high]);
    assert.deepEqual(places({ value: null, status: 'low' }), [low]);
    assert.deepEqual(places({ value: null, unit: null, status: 'high' }), [high]);
    assert.deepEqual(places({ value: 2.1, unit: 'mmol/L' }), [low]);
    assert.deepEqual(places({ value: 2.2, unit: 'mmol/L' }), [['blood_glucose', 2.2]]);
    assert.deepEqual(places({ value: 22.3, unit: 'mmol/L' }), [high]);
  });

  it('gives a reading without a number the time until the next', () => {
    const [sample] = listReported(mapReadings({ ...reading, value: 39 }), 'glucose_time_below_range');
    assert.equal((sample?.end ?? 0) - (sample?.start ?? 0), 300_000);
  });

  it('ignores a reading without number and status, or without a known unit', () => {
    for (const record of [
      { value: null },
      { value: null, status: 'ok' },
      { value: null, status: 'unknown' },
      { unit: 'unknown' },
      { unit: undefined },
      { unit: 'unknown', status: 'low' },
    ])
      assert.deepEqual(places(record), [], JSON.stringify(record));
  });

  it('reads every form of time', () => {
    const expected = [['2026-03-01T10:00:00.000Z', -420]];
    for (const systemTime of [
      '2026-03-01T10:00:00Z',
      '2026-03-01T10:00:00',
      '2026-03-01T10:00Z',
      '2026-03-01T10:00',
      '2026-03-01T10:00:00.000+00:00',
      '2026-03-01T03:00:00-07:00',
    ])
      assert.deepEqual(timesOf({ systemTime }), expected, systemTime);
    for (const displayTime of [
      '2026-03-01T03:00:00-07:00',
      '2026-03-01T03:00:00-06:59:58',
      '2026-03-01T03:00:00-0700',
      '2026-03-01T03:00:00',
      '2026-03-01T03:00',
      '2026-03-01T03:04:40', // the clock of the receiver is fast
      null,
      'nonsense',
      '2026-02-11T03:00:00', // the user set another day
    ])
      assert.deepEqual(timesOf({ displayTime }), expected, String(displayTime));
    assert.deepEqual(timesOf({ displayTime: '2026-03-01T15:45:00' }), [['2026-03-01T10:00:00.000Z', 345]]);
  });

  it('keeps both offsets of a night when the clock changes', () => {
    const records = [
      { ...reading, systemTime: '2026-03-08T08:59:00Z', displayTime: '2026-03-08T01:59:00-07:00' },
      { ...reading, systemTime: '2026-03-08T09:04:00Z', displayTime: '2026-03-08T03:04:00-06:00' },
    ];
    assert.deepEqual(
      listReported(mapReadings(...records), 'blood_glucose').map(({ offsetMinutes }) => offsetMinutes),
      [-420, -360],
    );
  });
});

describe('events of Dexcom', () => {
  const mapEvents = (...records: object[]) =>
    resource('events').map(
      {
        records: records.map((record) => ({
          systemTime: '2026-03-01T10:00:00Z',
          eventStatus: 'created',
          eventType: 'insulin',
          unit: 'units',
          ...record,
        })),
      },
      context,
    );
  const amounts = (...records: object[]) =>
    listReported(mapEvents(...records), 'insulin_delivery').map(({ value, unit, method }) => [value, unit, method]);

  it('reads carbohydrates and insulin as manual entries', () => {
    const mapped = resource('events').map(readFixture('dexcom', 'events'), context);
    assert.deepEqual([...mapped.samples.keys()], ['carbohydrates', 'insulin_delivery']);
    assert.deepEqual(
      listReported(mapped, 'carbohydrates').map(({ value, unit, method }) => [value, unit, method]),
      [[45, 'g', 'manual']],
    );
    assert.deepEqual(amounts({ value: '4.50' }), [[4.5, 'IU', 'manual']]);
    assert.deepEqual(mapped.workouts, []);
  });

  it('adds entries of the same second', () => {
    assert.deepEqual(amounts({ value: '4', eventSubType: 'fastActing' }, { value: '12', eventSubType: 'longActing' }), [
      [16, 'IU', 'manual'],
    ]);
  });

  it('counts a deleted entry as 0, and an entry without an amount not at all', () => {
    assert.deepEqual(amounts({ value: '4', eventStatus: 'deleted' }), [[0, 'IU', 'manual']]);
    assert.deepEqual(amounts({ value: '' }, { value: null }, { value: '-1.00' }, { value: '4', unit: 'grams' }), []);
    assert.deepEqual(amounts({ value: '4', unit: null }), [[4, 'IU', 'manual']]);
  });

  it('is off until the operator enables it', () => {
    assert.equal(resource('events').part, dexcom.unconfirmed?.[0]?.part);
    assert.equal(resource('egvs').part, undefined);
  });
});

describe('requests to Dexcom', () => {
  it('writes times in UTC without a zone, in windows of at most 30 days', () => {
    const from = Date.parse('2026-03-01T07:00:00Z');
    const window = { from, to: from + 86_400_999 } as never;
    const { path, query } = resource('egvs').request(window, null, account);
    assert.deepEqual(
      [path, query],
      ['/v3/users/self/egvs', { startDate: '2026-03-01T07:00:00', endDate: '2026-03-02T07:00:00' }],
    );
    for (const { windowDays } of dexcom.resources) assert.ok(windowDays <= 30);
  });

  it('has a server for each region, the first of which is the default', () => {
    assert.deepEqual(
      Object.entries(dexcom.regions ?? {}).map(([region, { authorize, token, api }]) => [
        region,
        authorize,
        token,
        api,
      ]),
      ['com', 'eu', 'jp'].map((name) => [name === 'com' ? 'us' : name, ...Array(3).fill(`https://api.dexcom.${name}`)]),
    );
    assert.deepEqual(dexcom.origins, dexcom.regions?.us);
  });
});
