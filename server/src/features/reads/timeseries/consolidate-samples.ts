// Consolidates the samples of several devices (gap G-36). Levels: each quarter hour comes from the highest-ranked device with a sample
// in it. Totals: merged like days, by domain/consolidate. Pure.

import {
  findQuarterHourOwners,
  type MergedSeries,
  mergeSeries,
  selectSamples,
} from '../../../domain/consolidate/index.ts';
import { isAdditive } from '../../../domain/metrics/index.ts';
import { findStart } from '../../../domain/packed/sample-blocks/sample-columns.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import type { Zone } from '../../../domain/time/day.ts';
import { endAt, quarterHourOf, takeShare } from '../../../domain/time/quarter-hours.ts';
import {
  type CanonicalSamples,
  type Contributor,
  createCanonical,
  pushCanonical,
  sortCanonical,
  sourceOf,
  toRankedSeries,
} from './canonical-samples.ts';
import type { MetricInterval } from './plan-batches.ts';

type Consolidating = {
  readonly zone: Zone;
  /** The requested range: samples outside are not returned. */
  readonly range: { readonly fromMs: number; readonly toMs: number };
  /** True: totals are cut at the interval, for sums. False: the interval in which a total begins returns it whole. */
  readonly cutsAtInterval: boolean;
  /** Hours in which a device measured a heart rate, on days where they affect the result. */
  wornHoursOf?(contributor: Contributor, date: LocalDate): ReadonlySet<number> | undefined;
};

type Owns = (quarter: number) => boolean;

/** Contributors are ranked, highest first. */
export function consolidateSamples(
  interval: MetricInterval,
  contributors: readonly Contributor[],
  consolidating: Consolidating,
): CanonicalSamples {
  const isTotal = isAdditive(interval.metric);
  const [only] = contributors;
  if (!isTotal && only !== undefined && contributors.length === 1) return consolidateAll(interval, only);
  const canonical = createCanonical(contributors.reduce((sum, { columns }) => sum + columns.starts.length, 0));
  if (isTotal) {
    const merged = mergeTotals(contributors, consolidating);
    contributors.forEach((contributor, index) => {
      consolidateTotals(canonical, contributor, index, interval, merged, consolidating);
    });
  } else {
    const ownersOf = decideOwners(contributors);
    contributors.forEach((contributor, index) => {
      consolidateLevels(canonical, contributor, index, interval, ownersOf(index));
    });
  }
  return sortCanonical(canonical);
}

/** Null: there is one device, so nothing to merge. */
function mergeTotals(contributors: readonly Contributor[], { zone, wornHoursOf }: Consolidating): MergedSeries | null {
  if (contributors.length === 1) return null;
  return mergeSeries(toRankedSeries(contributors, wornHoursOf), zone);
}

/** Returns the levels of a single device without copying them. */
function consolidateAll({ fromMs, toMs }: MetricInterval, { columns, series }: Contributor): CanonicalSamples {
  const first = findStart(columns.starts, fromMs);
  const last = findStart(columns.starts, toMs);
  countUpTo(last);
  return {
    count: last - first,
    starts: columns.starts.subarray(first, last),
    ends: (columns.ends ?? columns.starts).subarray(first, last),
    values: series.values.subarray(first, last),
    indexes: zeros.subarray(0, last - first),
    origins: counted.subarray(first, last),
  };
}

/** Shared by all calls of `consolidateAll`; never written after creation. */
let counted = new Uint32Array(0);
let zeros = new Uint16Array(0);

function countUpTo(count: number): void {
  if (counted.length >= count) return;
  counted = Uint32Array.from({ length: count * 2 }, (_, index) => index);
  zeros = new Uint16Array(count * 2);
}

function decideOwners(contributors: readonly Contributor[]): (index: number) => Owns {
  const owners = findQuarterHourOwners(
    contributors.map((contributor) => ({
      device: sourceOf(contributor),
      indexes: Array.from(contributor.series.starts, quarterHourOf),
    })),
  );
  return (index) => rememberLast((quarter) => owners.get(quarter) === index);
}

/** Consecutive samples mostly lie in the same quarter hour. */
function rememberLast(owns: Owns): Owns {
  let lastQuarter = Number.NaN;
  let lastAnswer = false;
  return (quarter) => {
    if (quarter !== lastQuarter) {
      lastQuarter = quarter;
      lastAnswer = owns(quarter);
    }
    return lastAnswer;
  };
}

function consolidateLevels(
  canonical: CanonicalSamples,
  { columns: { starts }, series }: Contributor,
  position: number,
  { fromMs, toMs }: MetricInterval,
  owns: Owns,
): void {
  const last = findStart(starts, toMs);
  for (let index = findStart(starts, fromMs); index < last; index += 1) {
    const start = starts[index] as number;
    if (owns(quarterHourOf(start)))
      pushCanonical(canonical, start, endAt(series, index), series.values[index] as number, position, index);
  }
}

function consolidateTotals(
  canonical: CanonicalSamples,
  { series }: Contributor,
  position: number,
  interval: MetricInterval,
  merged: MergedSeries | null,
  { zone, range, cutsAtInterval }: Consolidating,
): void {
  const { fromMs, toMs } = cutsAtInterval ? interval : withinDays(range, interval, zone);
  const startsInInterval = (start: number) => start >= interval.fromMs && start < interval.toMs;
  const isSelected = (quarter: number, atMs: number) => merged === null || merged.isSelected(position, quarter, atMs);
  for (let index = 0; index < series.starts.length; index += 1) {
    const start = series.starts[index] as number;
    const end = endAt(series, index);
    const value = series.values[index] as number;
    if (start >= interval.toMs || (end <= interval.fromMs && start < interval.fromMs)) continue;
    const isInside = start >= fromMs && end <= toMs;
    if (isInside && quarterHourOf(start) === quarterHourOf(Math.max(start, end - 1)) && end <= zone.dayAt(start).end) {
      if (startsInInterval(start) && isSelected(quarterHourOf(start), start))
        pushCanonical(canonical, start, end, value, position, index);
      continue;
    }
    const one = { starts: [start], ends: [end], values: [value] };
    const takePart = (_: number, partStart: number, partEnd: number) =>
      merged?.takePart(position, index, partStart, partEnd) ?? takeShare(value, start, end, partStart, partEnd);
    const parts = selectSamples(one, { isAdditive: true, isSelected, takePart, fromMs, toMs, zone });
    for (let part = 0; part < parts.starts.length; part += 1) {
      const partStart = parts.starts[part] as number;
      const partValue = parts.values[part] as number;
      // Finer data of other devices replaced all of it, which leaves a zero on a day without other values.
      if (partValue === 0 && value !== 0 && !merged?.isZeroDay(partStart)) continue;
      if (startsInInterval(partStart))
        pushCanonical(canonical, partStart, endAt(parts, part), partValue, position, index);
    }
  }
}

/** Samples are cut at midnight, so days outside the interval do not matter. */
function withinDays(range: Consolidating['range'], interval: MetricInterval, zone: Zone): Consolidating['range'] {
  return {
    fromMs: Math.max(range.fromMs, zone.dayAt(interval.fromMs).start),
    toMs: Math.min(range.toMs, zone.dayAt(interval.toMs - 1).end),
  };
}
