// Nights with a break around midnight, recorded by several devices, through the whole service.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { startNightJourney } from '../support/night-journey.ts';
import type { JsonBody } from '../support/test-api.ts';
import { RING } from '../support/test-phone.ts';

const { person, day, nightsOf, explain } = await startNightJourney({ after });

const first = {
  id: 'first',
  start: '2026-03-08T22:30:00Z',
  end: '2026-03-08T23:40:00Z',
  asleep_minutes: 60,
  deep_minutes: 20,
  light_minutes: 30,
  rem_minutes: 10,
  in_bed_minutes: 70,
  heart_rate: 60,
};
const second = {
  id: 'second',
  start: '2026-03-09T00:40:00Z',
  end: '2026-03-09T07:00:00Z',
  asleep_minutes: 360,
  deep_minutes: 80,
  light_minutes: 200,
  rem_minutes: 80,
  in_bed_minutes: 380,
  heart_rate: 52,
};
const briefRecords = ({ records }: JsonBody) =>
  records.map((one: JsonBody) => [one.device_class, one.start.slice(11, 16), one.value, one.outcome]);
const shares = ({ candidates }: JsonBody) =>
  candidates
    .filter(({ outcome }: JsonBody) => outcome === 'used')
    .map(({ device_class, contributed }: JsonBody) => [device_class, contributed]);

describe('a night in parts', () => {
  for (const isRingFirst of [true, false])
    it(`is one night even if another device has the second part (ring ${isRingFirst ? 'first' : 'last'})`, async () => {
      const { id, phone } = await person('UTC');
      const ring = { ...second, id: 'ring', asleep_minutes: 350, deep_minutes: 70, heart_rate: 50 };
      const uploads = [{ source: RING, sleep: [ring] }, { sleep: [first] }, { sleep: [second] }];
      for (const upload of isRingFirst ? uploads : uploads.toReversed()) await phone.upload(upload);
      const values = await Promise.all(
        ['asleep', 'nap_duration', 'sleep_start', 'sleep_end', 'deep_sleep', 'time_in_bed'].map((metric) =>
          day(id, metric),
        ),
      );
      assert.deepEqual(values, [410, null, -90, 420, 90, 450]);
      assert.equal(await day(id, 'asleep', '2026-03-08'), null);
      const nights = await nightsOf(id);
      assert.deepEqual(
        nights.map(({ date, start_time, is_main_sleep }) => [date, start_time, is_main_sleep]),
        [
          ['2026-03-09', '2026-03-09T00:40:00', true],
          ['2026-03-09', '2026-03-08T22:30:00', true],
        ],
      );
      const asleep = await explain(id, 'asleep');
      assert.deepEqual(briefRecords(asleep), [
        ['ring', '00:40', 350, 'used'],
        ['wrist', '22:30', 60, 'used'],
        ['wrist', '00:40', 360, 'outranked'],
      ]);
      assert.deepEqual(shares(asleep), [
        ['ring', 350],
        ['wrist', 60],
      ]);
      assert.deepEqual(
        asleep.night.sessions.map(({ start, device_id }: JsonBody) => [start.slice(11, 16), device_id !== undefined]),
        [
          ['22:30', false],
          ['00:40', true],
        ],
      );
      assert.deepEqual(briefRecords(await explain(id, 'sleep_start')), [
        ['ring', '00:40', 40, 'other_part'],
        ['wrist', '22:30', -90, 'used'],
        ['wrist', '00:40', 40, 'other_part'],
      ]);
      assert.deepEqual(briefRecords(await explain(id, 'nap_duration')), [
        ['ring', '00:40', null, 'no_value'],
        ['wrist', '22:30', null, 'no_value'],
        ['wrist', '00:40', null, 'no_value'],
      ]);
      const pulse = await explain(id, 'sleep_heart_rate');
      assert.equal(pulse.value, 51.6, 'each part is weighted by its minutes');
      const [ringShare, watchShare] = shares(pulse).map(([, share]: [string, number]) => share);
      assert.ok(Math.abs(ringShare + watchShare - (60 * 70 + 50 * 380) / 450) < 1e-9, 'shares add up to the value');
    });

  it('is one night even if the other device has only the first part, which ends before midnight', async () => {
    const { id, phone } = await person('UTC');
    await phone.upload({ source: RING, sleep: [{ ...first, id: 'ring', asleep_minutes: 62, light_minutes: 32 }] });
    assert.equal(await day(id, 'asleep', '2026-03-08'), 62);
    await phone.upload({ sleep: [first, second] });
    assert.deepEqual([await day(id, 'asleep'), await day(id, 'asleep', '2026-03-08')], [422, null]);
    assert.deepEqual(
      (await nightsOf(id)).map(({ date, is_main_sleep }) => [date, is_main_sleep]),
      [
        ['2026-03-09', true],
        ['2026-03-09', true],
      ],
    );
    await phone.upload({ deleted: [{ kind: 'sleep', id: 'second' }] });
    assert.deepEqual([await day(id, 'asleep'), await day(id, 'asleep', '2026-03-08')], [null, 62], 'deleted');
  });

  it('uses the vitals of a ring that recorded the whole night once', async () => {
    const { id, phone } = await person('UTC');
    await phone.upload({ sleep: [first, second] });
    const whole = { id: 'ring', start: '2026-03-08T22:20:00Z', end: '2026-03-09T07:05:00Z', heart_rate: 50 };
    await phone.upload({ source: RING, sleep: [whole] });
    assert.deepEqual([await day(id, 'sleep_heart_rate'), await day(id, 'asleep')], [50, 420]);
    const why = await explain(id, 'sleep_heart_rate');
    assert.deepEqual(briefRecords(why), [
      ['ring', '22:20', 50, 'used'],
      ['wrist', '22:30', 60, 'outranked'],
      ['wrist', '00:40', 52, 'outranked'],
    ]);
    assert.deepEqual(shares(why), [['ring', 50]]);
  });

  it('keeps the minutes of the first part when the second is deleted next to a record without minutes', async () => {
    const { id, phone } = await person('UTC');
    await phone.upload({ sleep: [first, second] });
    const bare = { id: 'ring', start: '2026-03-08T22:20:00Z', end: '2026-03-09T07:05:00Z' };
    await phone.upload({ source: RING, sleep: [bare] });
    await phone.upload({ deleted: [{ kind: 'sleep', id: 'second' }] });
    const values = await Promise.all(
      ['asleep', 'deep_sleep', 'time_in_bed', 'sleep_start', 'sleep_end', 'nap_duration'].map((metric) =>
        day(id, metric),
      ),
    );
    assert.deepEqual(values, [60, 20, 70, -100, 425, null]);
    assert.equal(await day(id, 'asleep', '2026-03-08'), null);
    const why = await explain(id, 'asleep');
    assert.deepEqual(briefRecords(why), [
      ['ring', '22:20', null, 'no_value'],
      ['wrist', '22:30', 60, 'used'],
    ]);
    assert.deepEqual(shares(why), [['wrist', 60]]);
  });
});
