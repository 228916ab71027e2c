// Histories for property tests: recordings of up to three devices over a few days, near clock changes and ends of months.

import fc from 'fast-check';
import type { DeviceClass, MetricId } from '../../src/domain/metrics/index.ts';
import { type DailyValue, type EpochMs, RECORDING_METHODS, type Sample } from '../../src/domain/records/records.ts';
import type { LocalDate } from '../../src/domain/time/calendar.ts';
import { createZone } from '../../src/domain/time/day.ts';
import { DAY_MINUTES, MINUTE_MS } from '../../src/domain/time/durations.ts';
import { brokenNightIn, DAYS, decimal, type SessionItem, sleepIn, workoutIn } from './generate-sessions.ts';

export type HistoryItem =
  | {
      readonly kind: 'sample';
      readonly metric: MetricId;
      readonly sample: Sample;
      /** Samples of one recording arrive together. */
      readonly recording?: number;
    }
  | { readonly kind: 'daily'; readonly value: DailyValue }
  | SessionItem;

export type DeviceHistory = {
  readonly deviceClass: DeviceClass;
  readonly connectedAt: string;
  /** The final records, each identity once. */
  readonly items: readonly HistoryItem[];
  /** Records that must not be in the final state: earlier versions of items, and records that are deleted later. */
  readonly noise: readonly HistoryItem[];
};

export type History = {
  readonly timezone: string | null;
  /** All records are within these days. */
  readonly from: LocalDate;
  readonly to: LocalDate;
  readonly devices: readonly DeviceHistory[];
};

/** The identity by which a record replaces an earlier one. */
export function identityOf(item: HistoryItem): string {
  switch (item.kind) {
    case 'sample':
      return `sample ${item.metric} ${item.sample.start}`;
    case 'daily':
      return `daily ${item.value.metric} ${item.value.date}`;
    default:
      return `${item.kind} ${item.session.key}`;
  }
}

/** Start dates shortly before a clock change or the end of a month. */
const WINDOWS: readonly { timezone: string | null; from: string }[] = [
  { timezone: 'Europe/Berlin', from: '2026-03-28' },
  { timezone: 'Europe/Berlin', from: '2025-10-24' },
  { timezone: 'America/St_Johns', from: '2026-03-06' },
  { timezone: 'America/St_Johns', from: '2025-10-30' },
  { timezone: 'Asia/Kathmandu', from: '2026-02-26' },
  { timezone: 'Asia/Kolkata', from: '2026-01-29' },
  { timezone: null, from: '2025-12-29' },
];

type Window = {
  readonly from: string;
  readonly startMs: number;
  /** Only a few, so that generated records collide. */
  readonly sampled: readonly SampleKind[];
  /** Whether devices also record evenings in quarter hours. */
  readonly isWorn: boolean;
};

/** Mostly on the minute, so that starts collide; sometimes not. */
const momentIn = ({ startMs }: Window) =>
  fc
    .tuple(fc.integer({ min: 0, max: (DAYS * DAY_MINUTES) / 5 }), fc.constantFrom(0, 0, 0, 30_000, 17))
    .map(([fives, ms]) => startMs + fives * 5 * MINUTE_MS + ms);

/** Mostly quarter hours; also over midnight, over a block border, longer than a block and longer than a day. */
const LENGTHS_MINUTES = [1, 5, 15, 15, 60, 90, 420, 780, 1_800];

type SampleKind = {
  readonly metric: string;
  readonly value: (unit: string) => fc.Arbitrary<number>;
  readonly units: readonly string[];
  readonly lasts: boolean;
};
const SAMPLE_KINDS: readonly SampleKind[] = [
  {
    metric: 'steps',
    value: () => fc.oneof(fc.constant(0), fc.nat({ max: 3_000 }), fc.nat({ max: 3_000 })),
    units: ['count'],
    lasts: true,
  },
  { metric: 'active_calories', value: () => decimal(0, 400), units: ['kcal', 'kJ'], lasts: true },
  { metric: 'exercise', value: () => decimal(0, 60), units: ['min', 's'], lasts: true },
  { metric: 'heart_rate', value: () => fc.integer({ min: 40, max: 190 }), units: ['bpm'], lasts: false },
  { metric: 'heart_rate_min', value: () => fc.integer({ min: 40, max: 60 }), units: ['bpm'], lasts: false },
  {
    metric: 'blood_oxygen',
    value: (unit) => (unit === '%' ? decimal(85, 100) : decimal(0.85, 1, 3)),
    units: ['%', 'fraction'],
    lasts: false,
  },
  { metric: 'body_temperature', value: () => decimal(96, 104), units: ['°F'], lasts: false },
  {
    metric: 'weight',
    value: (unit) => (unit === 'kg' ? decimal(50, 120, 2) : decimal(110, 260)),
    units: ['kg', 'lb'],
    lasts: false,
  },
  { metric: 'sleep_heart_rate', value: () => decimal(40, 70), units: ['bpm'], lasts: false },
];

function sampleIn(window: Window): fc.Arbitrary<HistoryItem> {
  return fc
    .constantFrom(...window.sampled)
    .chain((kind) => fc.constantFrom(...kind.units).map((unit) => ({ ...kind, unit })))
    .chain(({ metric, unit, value, lasts }) =>
      fc
        .record({
          start: momentIn(window),
          lengthMinutes: lasts ? fc.constantFrom(...LENGTHS_MINUTES) : fc.constantFrom(0, 0, 0, 10),
          value: value(unit),
          offsetMinutes: fc.constantFrom(0, 60, 345),
          method: fc.constantFrom(...RECORDING_METHODS),
        })
        .map(({ start, lengthMinutes, ...rest }) => ({
          kind: 'sample',
          metric: metric as MetricId,
          sample: { start: start as EpochMs, end: (start + lengthMinutes * MINUTE_MS) as EpochMs, unit, ...rest },
        })),
    );
}

const STATED: readonly { metric: string; unit: string; value: fc.Arbitrary<number> }[] = [
  { metric: 'steps', unit: 'count', value: fc.nat({ max: 20_000 }) },
  { metric: 'active_calories', unit: 'kJ', value: decimal(0, 4_000) },
  { metric: 'resting_energy', unit: 'kcal', value: decimal(1_000, 2_000) },
  { metric: 'total_calories', unit: 'kcal', value: decimal(1_000, 3_000) },
  { metric: 'heart_rate_max', unit: 'bpm', value: fc.integer({ min: 120, max: 200 }) },
  { metric: 'asleep', unit: 'h', value: decimal(3, 9) },
  { metric: 'deep_sleep', unit: 'min', value: fc.nat({ max: 120 }) },
  { metric: 'exercise', unit: 'min', value: fc.nat({ max: 90 }) },
  { metric: 'height', unit: 'cm', value: fc.integer({ min: 150, max: 200 }) },
  { metric: 'body_fat_percentage', unit: '%', value: decimal(8, 40) },
  { metric: 'body_mass_index', unit: 'kg/m²', value: decimal(18, 40) },
  { metric: 'body_fat_mass', unit: 'kg', value: decimal(5, 40) },
];

function dailyIn({ from }: Window): fc.Arbitrary<HistoryItem> {
  return fc.constantFrom(...STATED).chain(({ metric, unit, value }) =>
    fc
      .record({ day: fc.nat({ max: DAYS }), value, method: fc.constantFrom(...RECORDING_METHODS) })
      .map(({ day, ...rest }) => ({
        kind: 'daily',
        value: { metric: metric as MetricId, unit, date: addDays(from, day), ...rest },
      })),
  );
}

/** Enough consecutive days to affect the zones of workouts. */
function restingIn({ from }: Window): fc.Arbitrary<HistoryItem[]> {
  return fc.array(fc.integer({ min: 40, max: 75 }), { minLength: 5, maxLength: 12 }).map((values) =>
    values.map((value, index) => ({
      kind: 'daily',
      value: {
        metric: 'resting_heart_rate' as MetricId,
        unit: 'bpm',
        date: addDays(from, DAYS - 1 - index),
        value,
        method: 'automatic',
      },
    })),
  );
}

const EVENING_QUARTER = 80; // 20:00
/** Scores need these to separate awake from asleep: a night before midnight takes quarter hours of the evening. */
const WAKING_METRICS = ['steps', 'heart_rate', 'heart_rate_variability_rmssd', 'stress_score'];

/** An evening and the following night in quarter hours, as recorded by a watch that is not taken off. */
function wakingIn({ startMs }: Window): fc.Arbitrary<HistoryItem[]> {
  return fc
    .record({
      day: fc.nat({ max: DAYS - 2 }),
      quarters: fc.integer({ min: 16, max: 64 }),
      pulse: fc.array(fc.integer({ min: 50, max: 110 }), { minLength: 7, maxLength: 7 }),
    })
    .map(({ day, quarters, pulse }) =>
      Array.from({ length: quarters }, (_, index) => index).flatMap((index) => {
        const start = startMs + (day * DAY_MINUTES + (EVENING_QUARTER + index) * 15) * MINUTE_MS;
        const bpm = pulse[index % pulse.length] ?? 60;
        return [
          recorded(day, 'heart_rate', bpm, 'bpm', start),
          recorded(day, 'heart_rate_variability_rmssd', 130 - bpm, 'ms', start),
          recorded(day, 'stress_score', bpm - 30, 'score', start),
          ...(index % 8 === 0 ? [recorded(day, 'steps', bpm, 'count', start, start + 15 * MINUTE_MS)] : []),
        ];
      }),
    );
}

function recorded(
  recording: number,
  metric: string,
  value: number,
  unit: string,
  start: number,
  end = start,
): HistoryItem {
  const span = { start: start as EpochMs, end: end as EpochMs };
  const sample: Sample = { ...span, value, unit, offsetMinutes: 60, method: 'automatic' };
  return { kind: 'sample', metric: metric as MetricId, sample, recording };
}

/** Two watches: if they also connected at the same moment, only their ids distinguish them. */
const CLASSES = ['wrist', 'phone', 'ring', 'wrist'] as const;

const NO_ITEMS: fc.Arbitrary<HistoryItem[]> = fc.constant([]);

function deviceIn(window: Window, weights: Weights, deviceClass: DeviceClass): fc.Arbitrary<DeviceHistory> {
  const item = fc.oneof(
    { arbitrary: sampleIn(window), weight: weights.samples },
    { arbitrary: dailyIn(window), weight: 1 },
    { arbitrary: sleepIn(window), weight: weights.sleep },
    { arbitrary: workoutIn(window), weight: weights.workouts },
  );
  return fc
    .record({
      connectedAt: fc.constantFrom('2025-01-01T00:00:00Z', '2025-06-01T00:00:00Z'),
      drawn: fc.uniqueArray(item, { maxLength: 24, selector: identityOf, size: '+1' }),
      resting: fc.oneof({ arbitrary: fc.constant([]), weight: 3 }, { arbitrary: restingIn(window), weight: 1 }),
      waking: window.isWorn ? fc.oneof(NO_ITEMS, wakingIn(window)) : NO_ITEMS,
      broken: weights.sleep > 0 ? fc.oneof(NO_ITEMS, brokenNightIn(window)) : NO_ITEMS,
      noise: fc.array(item, { maxLength: 6 }),
      versions: fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 9 })), { maxLength: 6 }),
    })
    .map(({ connectedAt, drawn, resting, waking, broken, noise, versions }) => {
      const known = new Set(drawn.map(identityOf));
      const items = [...drawn, ...resting, ...[...waking, ...broken].filter((one) => !known.has(identityOf(one)))];
      const earlier = versions.flatMap(([position, by]) => vary(items[position % items.length], by));
      return { deviceClass, connectedAt, items, noise: [...noise, ...earlier] };
    });
}

/** The version before the correction: with another value, longer, or at another time. */
function vary(item: HistoryItem | undefined, by: number): HistoryItem[] {
  if (item === undefined) return [];
  if (item.kind === 'daily') return [{ ...item, value: { ...item.value, value: item.value.value + by } }];
  if (item.kind === 'sample') {
    const { sample } = item;
    const end = (sample.end === sample.start ? sample.end : sample.end + by * 60 * MINUTE_MS) as EpochMs;
    return [{ ...item, sample: { ...sample, end, value: sample.value + by } }];
  }
  const moved = { start: move(item.session.start, by), end: move(item.session.end, by) };
  return item.kind === 'sleep'
    ? [{ ...item, session: { ...item.session, ...moved, stages: null } }]
    : [{ ...item, session: { ...item.session, ...moved, heartRateSamples: null } }];
}

function move(ms: number, hours: number): EpochMs {
  return (ms + hours * 60 * MINUTE_MS) as EpochMs;
}

type Weights = { readonly samples: number; readonly sleep: number; readonly workouts: number };
const WEIGHTS: readonly Weights[] = [
  { samples: 6, sleep: 2, workouts: 1 },
  { samples: 9, sleep: 0, workouts: 0 },
  { samples: 1, sleep: 9, workouts: 0 },
  { samples: 1, sleep: 0, workouts: 9 },
];

/** With samples of these metrics only. */
export function historyOf(metrics: readonly string[]): fc.Arbitrary<History> {
  const sampled = SAMPLE_KINDS.filter(({ metric }) => metrics.includes(metric));
  const isWorn = WAKING_METRICS.every((metric) => metrics.includes(metric));
  return fc
    .record({
      position: fc.constantFrom(...WINDOWS),
      classes: fc.oneof(
        { arbitrary: fc.shuffledSubarray([...CLASSES], { minLength: 1, maxLength: 1 }), weight: 1 },
        { arbitrary: fc.shuffledSubarray([...CLASSES], { minLength: 2, maxLength: 3 }), weight: 4 },
      ),
      sampled: fc.shuffledSubarray(sampled, { minLength: 1, maxLength: Math.min(3, sampled.length) }),
      weights: fc.constantFrom(...WEIGHTS),
    })
    .chain(({ position, classes, sampled, weights }) => {
      const startMs = createZone(position.timezone).dayOf(position.from as LocalDate).start;
      const window: Window = { from: position.from, startMs, sampled, isWorn };
      return fc.tuple(...classes.map((deviceClass) => deviceIn(window, weights, deviceClass))).map((devices) => ({
        timezone: position.timezone,
        from: addDays(position.from, -10),
        to: addDays(position.from, 10),
        devices,
      }));
    });
}

export const historyArbitrary = historyOf([...SAMPLE_KINDS.map(({ metric }) => metric), ...WAKING_METRICS]);

function addDays(date: string, days: number): LocalDate {
  return new Date(Date.parse(date) + days * DAY_MINUTES * MINUTE_MS).toISOString().slice(0, 10) as LocalDate;
}
