// Which merge is closest to the day that really happened? People whose steps are known minute by minute wear, charge, forget and
// carry devices that count them in pieces of a minute to a day. Every rule sees the same reports of the same days; the figure of a
// rule is its mean error in percent of the true steps. The days come from a seed: the figures are the same in every run.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type QuarterHours, type SampleSeries, spreadOverQuarterHours, sumQuarterHours } from '../quarter-hours.ts';
import { mergeDay } from './index.ts';
import { type Report, type SimulatedDay, simulateDays } from './true-day.simulation.ts';

type Rule = (reports: readonly Report[], day: { readonly start: number; readonly end: number }) => number;

const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);
const totalOf = ({ samples }: Report) => sum(Array.from(samples.values));

const HOUR_MS = 3_600_000;
const EVERY_HOUR = Array.from({ length: 24 }, (_, hour) => hour * HOUR_MS);

type Prepare = { readonly report?: (report: Report) => Report; readonly spreadUpToMs?: number };

/** The rule, with something else in its place. */
const merged =
  ({ report: change = (report) => report, spreadUpToMs = 0 }: Prepare = {}): Rule =>
  (reports, day) => {
    const ranked = reports.map(change).map(({ samples, heartRateTimes }) => ({
      quarterHours: spreadEvenly(sumQuarterHours(samples, day.start, day.end), spreadUpToMs),
      wornHours: new Set(heartRateTimes.map((time) => Math.floor(time / HOUR_MS))),
    }));
    const merged = mergeDay(ranked);
    return sum(merged.quarters().map((quarter) => merged.amountOf(quarter)));
  };

/** Long samples up to a length as if each of their quarter hours had been measured. */
function spreadEvenly({ indexes, sums, long }: QuarterHours, upToMs: number): QuarterHours {
  const spread = new Map(indexes.map((quarter, index) => [quarter, sums[index] as number]));
  for (const { start, end, value, lengthMs } of long) {
    if (lengthMs > upToMs) continue;
    spreadOverQuarterHours(start, end, (quarter, partStart, partEnd) => {
      const share = (value * (partEnd - partStart)) / (end - start);
      spread.set(quarter, (spread.get(quarter) ?? 0) + share);
    });
  }
  const left = long.filter(({ lengthMs }) => lengthMs > upToMs);
  const sorted = [...spread].sort(([a], [b]) => a - b);
  return { indexes: sorted.map(([quarter]) => quarter), sums: sorted.map(([, value]) => value), long: left };
}

function withoutZeros({ starts, ends, values }: SampleSeries): SampleSeries {
  const kept = Array.from(values, (value, index) => (value === 0 ? -1 : index)).filter((index) => index >= 0);
  const pick = (list: ArrayLike<number>) => kept.map((index) => list[index] as number);
  return { starts: pick(starts), ends: pick(ends ?? starts), values: pick(values) };
}

const everyZeroCounts = (report: Report) => ({ ...report, heartRateTimes: EVERY_HOUR });
const isFine = ({ pieceMs }: Report) => pieceMs <= 900_000;

const RULES = {
  'the rule': merged(),
  /** The rule before: by rank, whatever the length of a sample, zero or not. */
  before: merged({ report: everyZeroCounts, spreadUpToMs: 24 * HOUR_MS }),
  'only samples longer than an hour yield': merged({ spreadUpToMs: HOUR_MS }),
  'long samples are dropped beside finer ones': (reports, day) =>
    merged()(reports.some(isFine) ? reports.filter(isFine) : reports, day),
  'every zero counts': merged({ report: everyZeroCounts }),
  'no zero counts': merged({ report: (report) => ({ ...report, samples: withoutZeros(report.samples) }) }),
  'the device that ranks first': ([first]) => (first === undefined ? 0 : totalOf(first)),
  'the largest device': (reports) => Math.max(...reports.map(totalOf)),
  'the sum of the devices': (reports) => sum(reports.map(totalOf)),
} satisfies Record<string, Rule>;
type RuleName = keyof typeof RULES;

type JudgedDay = SimulatedDay & { readonly errors: Readonly<Record<RuleName, number>> };

function judge(simulated: SimulatedDay): JudgedDay {
  const { trueSteps, reports, day } = simulated;
  const errors = Object.entries(RULES).map(([name, rule]) => [
    name,
    Math.abs(rule(reports, day) - trueSteps) / trueSteps,
  ]);
  return { ...simulated, errors: Object.fromEntries(errors) };
}

function meanErrors(days: readonly JudgedDay[]): Record<RuleName, number> {
  const means = Object.keys(RULES).map((name) => {
    const mean = sum(days.map(({ errors }) => errors[name as RuleName])) / days.length;
    return [name, Math.round(mean * 10_000) / 100];
  });
  return Object.fromEntries(means);
}

const days = simulateDays(4_000).map(judge);
const OTHERS = (Object.keys(RULES) as RuleName[]).filter((name) => name !== 'the rule');
const reportsLong = ({ reports }: SimulatedDay) => reports.some(({ pieceMs }) => pieceMs > HOUR_MS);

describe('the merged day, compared with the day that really happened', () => {
  const compare = (name: string, group: readonly JudgedDay[], others: readonly RuleName[]) =>
    it(`is closer to it by the rule than by any other: ${name}`, (test) => {
      assert.ok(group.length > 150, `there are enough days to compare: ${group.length}`);
      const errors = meanErrors(group);
      test.diagnostic(`${group.length} days, mean error in percent: ${JSON.stringify(errors)}`);
      const { 'the rule': ours } = errors;
      for (const other of others) assert.ok(ours < errors[other], `${other}: ${errors[other]}, the rule: ${ours}`);
    });

  compare('all days', days, OTHERS);
  compare('a device reports in pieces of several hours', days.filter(reportsLong), OTHERS);
  // Where only one kind of mistake happens, the rule that never makes it is best; it is worse where the other kind happens.
  compare(
    'the watch reports zeros while it is not worn',
    days.filter(({ hasIdleZeros }) => hasIdleZeros),
    ['before', 'every zero counts', 'the largest device', 'only samples longer than an hour yield'],
  );
  compare(
    'the phone counts the shaking of a car while the watch is worn',
    days.filter(({ hasShaking }) => hasShaking),
    ['before', 'no zero counts', 'only samples longer than an hour yield'],
  );
});
