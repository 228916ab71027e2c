// A night in two parts that several devices recorded as both parts, one part or one whole record: it is one night,
// whichever records are canonical.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { sleepAt } from '../../../test/support/test-sessions.ts';
import type { DeviceClass, MetricId } from '../metrics/metric.ts';
import type { EpochMs, SleepSession } from '../records/records.ts';
import type { DeviceId } from '../tenancy.ts';
import type { LocalDate } from '../time/calendar.ts';
import { createZone } from '../time/day.ts';
import { MINUTE_MS } from '../time/durations.ts';
import {
  consolidateSleeps,
  dateSleeps,
  fillSleeps,
  findMainSleep,
  findSleepDetail,
  joinGroup,
  listMainSessions,
  sumByDevice,
  summarizeSleepDay,
  totalSleep,
} from './index.ts';

const utc = createZone('UTC');
const DATE = '2026-01-10' as LocalDate;
const MIDNIGHT = Date.parse('2026-01-10T00:00:00Z');
/** Minutes after midnight. */
const minute = (after: number) => (MIDNIGHT + after * MINUTE_MS) as EpochMs;

function record(deviceClass: DeviceClass, from: number, to: number, given: Partial<SleepSession> = {}) {
  const id = deviceClass as string as DeviceId;
  return {
    device: { id, provider: id, deviceClass, transport: 'sdk', vendor: null, connectedAt: 0 as EpochMs } as const,
    session: sleepAt(minute(from), minute(to), { key: `${id} ${from}`, ...given }),
  };
}
type Recorded = ReturnType<typeof record>;

const choose = (records: readonly Recorded[]) =>
  consolidateSleeps(records, () => true, findSleepDetail).map(({ device, session, duplicates }) => ({
    canonical: { device, session },
    duplicates,
  }));

function describeDay(records: readonly Recorded[]) {
  const groups = choose(records);
  const sleeps = fillSleeps(groups, utc);
  const { values, parts } = summarizeSleepDay(DATE, sleeps, utc);
  const get = (metric: string) => values.get(metric as MetricId) ?? null;
  return { groups, sleeps, values, parts, get };
}

function datesOf(records: readonly Recorded[]): Map<string, LocalDate> {
  const idOf = ({ device, session }: { device: { id: DeviceId }; session: SleepSession }) =>
    `${device.id} ${session.key}`;
  const links = new Map(
    choose(records).flatMap(({ canonical, duplicates }) => duplicates.map((copy) => [idOf(copy), idOf(canonical)])),
  );
  const rows = records.map((one) => ({ ...one.session, id: idOf(one), device: one.device.id as string }));
  const dates = dateSleeps(rows, utc, ({ id }) => links.get(id) ?? null);
  return new Map([...dates].map(([row, date]) => [row.id, date]));
}

const staged = (asleep: number, inBed: number, given: Partial<SleepSession> = {}): Partial<SleepSession> => ({
  asleepMinutes: asleep,
  deepMinutes: 10,
  lightMinutes: asleep - 20,
  remMinutes: 10,
  inBedMinutes: inBed,
  ...given,
});

describe('a night in parts, of several devices', () => {
  const [first, second] = [record('wrist', -90, -20, staged(60, 70)), record('wrist', 40, 420, staged(360, 380))];

  it('is joined by a device whose second part is a duplicate', () => {
    const ring = record('ring', 40, 420, staged(350, 380));
    const { get, groups } = describeDay([first, second, ring]);
    assert.deepEqual(
      groups.map(({ canonical }) => canonical.device.id),
      ['wrist', 'ring'],
    );
    assert.deepEqual([get('asleep'), get('nap_duration'), get('sleep_start'), get('sleep_end')], [410, null, -90, 420]);
    assert.equal(listMainSessions(groups.map(joinGroup), utc).length, 2);
  });

  it('is not joined if two devices recorded one part each: these are two sleeps', () => {
    const { groups } = describeDay([first, record('ring', 40, 420, staged(350, 380))]);
    assert.deepEqual(
      findMainSleep(groups.map(joinGroup), utc).map(({ device }) => device.id),
      ['ring'],
    );
  });

  it('a duplicate counts toward the day of its sleep in the same night', () => {
    const ring = record('ring', -88, -22, staged(58, 66));
    const phone = record('phone', -95, -15);
    const dates = datesOf([first, second, ring, phone]);
    assert.deepEqual(new Set(dates.values()), new Set([DATE]));
    assert.deepEqual(new Set(datesOf([first, ring, phone]).values()), new Set(['2026-01-09']));
  });

  it('a vital of the whole night counts once, and a part of a higher-ranked device replaces it', () => {
    const pulse = (one: Recorded, heartRate: number) => ({ ...one, session: { ...one.session, heartRate } });
    const watch = [pulse(first, 60), pulse(second, 52)];
    const whole = (deviceClass: DeviceClass) => record(deviceClass, -100, 425, { heartRate: 50 });
    assert.equal(describeDay([...watch, whole('ring')]).get('sleep_heart_rate'), 50);
    assert.equal(describeDay([...watch, whole('mat')]).get('sleep_heart_rate'), (60 * 70 + 52 * 380) / 450);
    const only = describeDay([first, pulse(second, 52), whole('mat')]);
    assert.equal(only.get('sleep_heart_rate'), (50 * 70 + 52 * 380) / 450);
    assert.deepEqual([...sumByDevice(only.parts('sleep_heart_rate' as MetricId)).keys()], ['mat', 'wrist']);
  });

  it('keeps the minutes of a part next to a record of the whole night without any, but not those of a short nap', () => {
    const bare = record('ring', -100, 425);
    const { get } = describeDay([first, bare]);
    assert.deepEqual([get('asleep'), get('time_in_bed'), get('sleep_start'), get('sleep_end')], [60, 70, -100, 425]);
    const nap = record('wrist', -90, -50, staged(35, 40));
    assert.equal(describeDay([nap, bare]).get('asleep'), null);
  });
});

describe('totals filled in from another record', () => {
  const canonical = (given: Partial<SleepSession>) => record('wrist', 0, 420, { ...staged(380, 410), ...given });
  const stages = (...list: ['awake' | 'light' | 'in_bed', number, number][]) => ({
    stages: list.map(([stage, start, end]) => ({ stage, start: minute(start), end: minute(end) })),
  });

  it('are time awake, latency and awakenings, each from the best-ranked record that has it', () => {
    const ring = record('ring', 0, 420, { asleepMinutes: 370, awakeMinutes: 25 });
    const phone = record(
      'phone',
      0,
      420,
      stages(['in_bed', 0, 10], ['light', 10, 200], ['awake', 200, 215], ['light', 215, 420]),
    );
    const { get, parts } = describeDay([canonical({}), ring, phone]);
    assert.deepEqual(['time_awake', 'sleep_latency', 'wake_after_sleep_onset', 'awakenings'].map(get), [25, 10, 15, 1]);
    const giversOf = (metric: string) => parts(metric as MetricId).map(({ device }) => device);
    assert.deepEqual([giversOf('time_awake'), giversOf('awakenings')], [['ring'], ['phone']]);
  });

  it('take time in bed and time awake from one record if one has both', () => {
    const plain = record('wrist', 0, 420, { asleepMinutes: 380 });
    const ring = record('ring', 0, 420, { inBedMinutes: 390 });
    const phone = record('phone', 0, 420, { inBedMinutes: 415, awakeMinutes: 30 });
    const { get } = describeDay([plain, ring, phone]);
    assert.deepEqual([get('time_in_bed'), get('time_awake')], [415, 30]);
  });

  it('include minutes asleep if the canonical record has only some stages', () => {
    const some = record('wrist', 0, 420, { deepMinutes: 60, remMinutes: 70 });
    assert.equal(describeDay([some, record('ring', 0, 420, { asleepMinutes: 370 })]).get('asleep'), 370);
    assert.equal(describeDay([some, record('ring', 0, 420, { asleepMinutes: 100 })]).get('asleep'), null);
  });
});

/** The parts that a device recorded. */
const COVERAGES = ['both', 'first', 'second', 'whole'] as const;
const anyDevice = fc.record({
  coverage: fc.constantFrom(...COVERAGES),
  detail: fc.constantFrom('stages', 'asleep', 'times'),
  shift: fc.integer({ min: -4, max: 4 }),
  awake: fc.option(fc.integer({ min: 0, max: 60 }), { nil: null }),
  hasInBed: fc.boolean(),
  heartRate: fc.option(fc.integer({ min: 40, max: 70 }), { nil: null }),
});
const scenario = fc.record({
  /** The first part ends before midnight, the second begins less than 90 minutes later. */
  firstEnds: fc.integer({ min: -80, max: 60 }),
  gap: fc.integer({ min: 20, max: 75 }),
  devices: fc.tuple(anyDevice, anyDevice, anyDevice),
  order: fc.nat(),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer Value> ? Value : never;
const CLASSES = ['wrist', 'ring', 'phone'] as const;

/** The watch always has both parts with stages; the others have random parts. */
function recordNight({ firstEnds, gap, devices }: Scenario): Recorded[] {
  const parts = { first: [-200, firstEnds], second: [firstEnds + gap, firstEnds + gap + 330] } as const;
  return devices.flatMap(({ coverage, detail, shift, awake, hasInBed, heartRate }, index) => {
    const deviceClass = CLASSES[index] as DeviceClass;
    const isWatch = index === 0;
    const intervals =
      coverage === 'both' || isWatch
        ? [parts.first, parts.second]
        : coverage === 'whole'
          ? [[parts.first[0], parts.second[1]] as const]
          : [parts[coverage]];
    return intervals.map(([from, to]) => {
      const length = to - from;
      const asleep = length - 70 + shift;
      const minutes: Partial<SleepSession> =
        isWatch || (detail === 'stages' && coverage !== 'whole')
          ? staged(asleep, length, hasInBed ? {} : { inBedMinutes: null })
          : detail === 'asleep' && coverage !== 'whole'
            ? { asleepMinutes: asleep }
            : {};
      const awakeMinutes = Object.keys(minutes).length > 0 ? awake : null;
      return record(deviceClass, from + shift, to + shift, { ...minutes, awakeMinutes, heartRate });
    });
  });
}

const SHARED = [
  'asleep',
  'time_in_bed',
  'time_awake',
  'deep_sleep',
  'restorative_sleep',
  'sleep_efficiency',
  'sleep_start',
  'sleep_end',
  'sleep_midpoint',
  'sleep_heart_rate',
] as MetricId[];

describe('any night in two parts', () => {
  it('is one night of one day, and its values are divided among their records', () => {
    fc.assert(
      fc.property(scenario, (drawn) => {
        const records = recordNight(drawn);
        const shift = drawn.order % records.length;
        const { groups, sleeps, get, values, parts } = describeDay(records);
        assert.equal(groups.length, 2);
        const [first, last] = groups.map(({ canonical }) => canonical.session);
        assert.equal(get('nap_duration'), null);
        assert.equal(get('sleep_start'), utc.wallMinutes(first?.start as number, DATE));
        assert.equal(get('sleep_end'), utc.wallMinutes(last?.end as number, DATE));
        assert.equal(
          get('asleep'),
          groups.reduce((sum, { canonical }) => sum + (totalSleep(canonical.session).asleep ?? 0), 0),
        );
        assert.equal(listMainSessions(groups.map(joinGroup), utc).length, 2);
        assert.equal(new Set(datesOf(records).values()).size, 1, 'all records count toward one day');
        for (const metric of SHARED) {
          const shares = [...sumByDevice(parts(metric)).values()];
          const sum = shares.reduce((all, share) => all + share, 0);
          assert.ok(Math.abs(sum - (values.get(metric) ?? 0)) < 1e-9, `${metric} ${shares} ${values.get(metric)}`);
        }
        for (const { session, givers } of sleeps) {
          const { asleep, awake, inBed } = totalSleep(session);
          const isFilled = givers.awake !== undefined || givers.inBed !== undefined;
          if (isFilled && inBed !== null) assert.ok((asleep ?? 0) + (awake ?? 0) <= inBed, 'asleep and awake in bed');
        }
        const shuffled = [...records.slice(shift), ...records.slice(0, shift)].reverse();
        assert.deepEqual(describeDay(shuffled).values, values, 'the order does not matter');
      }),
      { numRuns: 1_000 },
    );
  });
});
