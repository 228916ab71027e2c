// Several records of one night: a poor one never replaces a good one, whatever their devices and order.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { sleepAt } from '../../../test/support/test-sessions.ts';
import type { Transport } from '../consolidate/ranking.ts';
import { DEVICE_CLASSES, type DeviceClass, type MetricId } from '../metrics/metric.ts';
import type { EpochMs, SleepSession, SleepStage } from '../records/records.ts';
import type { DeviceId } from '../tenancy.ts';
import type { LocalDate } from '../time/calendar.ts';
import { createZone } from '../time/day.ts';
import { MINUTE_MS } from '../time/durations.ts';
import { consolidateSleeps, fillSleeps, findSleepDetail, summarizeSleepDay, totalSleep } from './index.ts';

const utc = createZone('UTC');
const DATE = '2026-01-10' as LocalDate;
/** Minutes after 22:00 on the evening before. */
const minute = (after: number) => (Date.parse('2026-01-09T22:00:00Z') + after * MINUTE_MS) as EpochMs;

type Who = {
  deviceClass?: DeviceClass;
  transport?: Transport;
  provider?: string;
  vendor?: string;
  connectedAt?: number;
};

function record(id: string, from: number, to: number, given: Partial<SleepSession> = {}, who: Who = {}) {
  const { deviceClass = 'wrist', transport = 'cloud', provider = id, vendor = null, connectedAt = 0 } = who;
  return {
    device: { id: id as DeviceId, provider, deviceClass, transport, vendor, connectedAt: connectedAt as EpochMs },
    session: sleepAt(minute(from), minute(to), { key: `${id} ${from}`, ...given }),
  };
}

const inBed = (from: number, to: number) => ({
  stages: [{ stage: 'in_bed' as SleepStage, start: minute(from), end: minute(to) }],
});
const STAGED = {
  asleepMinutes: 290,
  deepMinutes: 60,
  lightMinutes: 160,
  remMinutes: 70,
  awakeMinutes: 20,
  inBedMinutes: 320,
};
const PHONE: Who = { deviceClass: 'phone', transport: 'sdk' };
const RING: Who = { deviceClass: 'ring', transport: 'sdk' };

type Recorded = ReturnType<typeof record>;
const choose = (...records: Recorded[]) => consolidateSleeps(records, () => true, findSleepDetail);
const group = (...records: Recorded[]) =>
  choose(...records).map(({ device, session, duplicates }) => ({ canonical: { device, session }, duplicates }));
const resolve = (...records: Recorded[]) => fillSleeps(group(...records), utc);
const day = (...records: Recorded[]) => summarizeSleepDay(DATE, resolve(...records), utc);

describe('several records of one night', () => {
  const watch = record('watch', 0, 320, { ...STAGED, heartRate: 52, heartRateVariability: 61, respiratoryRate: 14 });

  it("an in-bed record of a phone does not change the watch's minutes", () => {
    const phone = record('phone', -30, 560, inBed(-30, 560), PHONE);
    assert.deepEqual(day(phone, watch).values, day(watch).values);
    assert.deepEqual(
      choose(phone, watch).map(({ device, duplicates }) => [device.id, duplicates.length]),
      [['watch', 1]],
    );
  });

  it("a ring's record with only start and end does not change stages, HRV and breathing", () => {
    const ring = record('ring', -10, 330, {}, RING);
    assert.deepEqual(day(ring, watch).values, day(watch).values);
  });

  it('each vital comes from the best-ranked record that has it, with its kind', () => {
    const ring = record('ring', 0, 320, { heartRate: 50, heartRateVariability: 40, hrvKind: 'sdnn' }, RING);
    const [night] = resolve(watch, ring);
    assert.deepEqual(
      [night?.device.id, night?.session.heartRate, night?.session.heartRateVariability, night?.session.hrvKind],
      ['watch', 50, 40, 'sdnn'],
    );
    assert.equal(night?.session.respiratoryRate, 14);
    assert.equal(night?.givers.heartRate?.device.id, 'ring');
    const giversOf = (metric: string) =>
      day(watch, ring)
        .parts(metric as MetricId)
        .map(({ device }) => device);
    assert.deepEqual(['asleep', 'sleep_heart_rate', 'sleep_respiratory_rate'].map(giversOf), [
      ['watch'],
      ['ring'],
      ['watch'],
    ]);
  });

  it('minutes and stages come from one record, the most detailed one', () => {
    const phone = record('phone', 0, 320, { asleepMinutes: 305 }, PHONE);
    const [night] = resolve(phone, watch);
    assert.equal(night === undefined ? null : totalSleep(night.session).asleep, 290);
    assert.deepEqual(
      choose(phone, watch)[0]?.duplicates.map(({ device }) => device.id),
      ['phone'],
    );
  });

  it('time in bed is filled in if the canonical record has none, unless it contradicts the minutes asleep', () => {
    const plain = record('watch', 0, 320, { asleepMinutes: 290 });
    assert.equal(day(plain, record('phone', 0, 330, inBed(0, 330), PHONE)).values.get('time_in_bed' as MetricId), 330);
    assert.equal(
      day(plain, record('phone', 0, 200, inBed(0, 200), PHONE)).values.get('time_in_bed' as MetricId),
      undefined,
    );
  });

  it('a staged nap does not replace a night with only start and end', () => {
    const nap = record('watch', 0, 40, { ...STAGED, asleepMinutes: 35, inBedMinutes: 40, heartRate: 70 });
    const night = record('ring', 0, 480, {}, { deviceClass: 'ring' });
    assert.deepEqual(
      choose(nap, night).map(({ device }) => device.id),
      ['ring'],
    );
    assert.equal(day(nap, night).values.get('sleep_heart_rate' as MetricId), undefined);
  });

  it('a night in pieces is not hidden by a record of the whole', () => {
    const pieces = [record('watch', 0, 110, STAGED), record('watch', 260, 480, STAGED)];
    const whole = record('ring', -20, 500, {}, RING);
    assert.deepEqual(
      choose(whole, ...pieces).map(({ device }) => device.id),
      ['watch', 'watch'],
    );
  });

  it('a fragment does not replace the whole night of another device, staged or not', () => {
    const fragment = record('watch', 0, 200, STAGED, { transport: 'sdk' });
    const whole = record('ring', 0, 480, { asleepMinutes: 440 }, { deviceClass: 'ring' });
    assert.deepEqual(
      choose(fragment, whole).map(({ device }) => device.id),
      ['ring'],
    );
  });
});

describe('re-exports', () => {
  const original = record('ring', 0, 480, { ...STAGED, heartRate: 48 }, { deviceClass: 'ring', provider: 'oura' });
  const through = (vendor: string | null, from = 0, to = 480) =>
    record('app', from, to, { ...STAGED, deepMinutes: 50, heartRate: 55 }, { ...PHONE, ...(vendor && { vendor }) });
  const canonical = (...records: Recorded[]) =>
    resolve(...records).map(({ device, session }) => [device.id, session.heartRate]);

  it('rank below the original for the night and for every vital', () => {
    assert.deepEqual(canonical(original, through('oura')), [['ring', 48]]);
    assert.deepEqual(canonical(original, through('oura', 3, 477)), [['ring', 48]], 'rounded times');
  });

  it('with other times or another vendor keep their rank', () => {
    assert.deepEqual(canonical(original, through('oura', 30, 480)), [['app', 55]]);
    assert.deepEqual(canonical(original, through('whoop')), [['app', 55]]);
    assert.deepEqual(canonical(original, through(null)), [['app', 55]]);
  });

  it('are used if the original is gone', () => {
    assert.deepEqual(canonical(through('oura')), [['app', 55]]);
  });

  it('rank right after the original, not after all', () => {
    const mat = record('mat', 0, 480, STAGED, { deviceClass: 'mat' });
    assert.deepEqual(
      choose(mat, through('oura'), original)[0]?.duplicates.map(({ device }) => device.id),
      ['app', 'mat'],
    );
  });
});

const anyWho = fc.record({
  deviceClass: fc.constantFrom(...DEVICE_CLASSES),
  transport: fc.constantFrom<Transport>('sdk', 'cloud'),
  vendor: fc.constantFrom('good 0', 'nobody'),
  connectedAt: fc.nat(3),
});
const vital = fc.option(fc.integer({ min: 40, max: 90 }), { nil: null });
const anyGood = fc.record({
  who: anyWho,
  from: fc.integer({ min: -60, max: 60 }),
  length: fc.integer({ min: 240, max: 560 }),
  asleep: fc.integer({ min: 120, max: 230 }),
  isStaged: fc.boolean(),
  heartRate: vital,
  heartRateVariability: vital,
  respiratoryRate: vital,
});
/** Only start and end, or only time in bed, near the same night. */
const anyPoor = fc.record({
  who: anyWho,
  early: fc.integer({ min: -60, max: 90 }),
  late: fc.integer({ min: -60, max: 90 }),
  isInBed: fc.boolean(),
  heartRate: vital,
});

describe('any set of records of one night', () => {
  const toGood = (good: typeof anyGood extends fc.Arbitrary<infer Value> ? Value : never, index: number) => {
    const { who, from, length, asleep, isStaged, heartRate, heartRateVariability, respiratoryRate } = good;
    const minutes = isStaged
      ? { asleepMinutes: asleep, deepMinutes: 30, lightMinutes: asleep - 60, remMinutes: 30, inBedMinutes: length }
      : { asleepMinutes: asleep };
    const vitals = { heartRate, heartRateVariability, respiratoryRate };
    return record(`good ${index}`, from, from + length, { ...minutes, ...vitals }, who);
  };
  const scenario = fc.record({
    goods: fc.array(anyGood, { minLength: 1, maxLength: 3 }),
    poors: fc.array(anyPoor, { minLength: 1, maxLength: 3 }),
    seed: fc.nat(),
  });

  it('keeps every value and all minutes when less detailed records are added, in any order', () => {
    fc.assert(
      fc.property(scenario, ({ goods, poors, seed }) => {
        const good = goods.map(toGood);
        const [first] = goods;
        const poor = poors.map(({ who, early, late, isInBed, heartRate }, index) => {
          const [from, to] = [(first?.from ?? 0) - early, (first?.from ?? 0) + (first?.length ?? 0) + late];
          return record(`poor ${index}`, from, to, { ...(isInBed ? inBed(from, to) : {}), heartRate }, who);
        });
        const all = [...good, ...poor];
        const shift = seed % all.length;
        const shuffled = [...all.slice(shift), ...all.slice(0, shift)].reverse();
        const [before, after] = [day(...good), day(...shuffled)];
        const hasOwnInBed = resolve(...good).every(({ givers }) => givers.inBed === undefined);
        // A better-ranked record may have another value for a metric of the best-ranked record.
        const isRanked = (metric: string) =>
          metric === 'sleep_heart_rate' || (!hasOwnInBed && ['time_in_bed', 'sleep_efficiency'].includes(metric));
        for (const [metric, value] of before.values) {
          const now = after.values.get(metric);
          assert.notEqual(now, undefined, `${metric} went`);
          if (!isRanked(metric)) assert.equal(now, value, metric);
        }
        assert.deepEqual([...after.values], [...day(...all).values], 'the order does not matter');
        assert.deepEqual(
          choose(...shuffled).map(({ device }) => device.id),
          choose(...good).map(({ device }) => device.id),
          'poor records are duplicates',
        );
      }),
      { numRuns: 3_000 },
    );
  });
});
