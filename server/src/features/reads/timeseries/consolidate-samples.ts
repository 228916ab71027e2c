// One value for one period (gap G-36). Pure. Levels: each quarter hour from the highest-ranked device with a sample in it. Totals: as
// domain/consolidate merges days.

import {
  chooseQuarterHours,
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
  toRankedSeries,
} from './canonical-samples.ts';
import type { Window } from './plan-batches.ts';

export type Consolidating = {
  readonly zone: Zone;
  /** What was asked for: nothing is given of the time outside. */
  readonly range: { readonly fromMs: number; readonly toMs: number };
  /** Whether totals end where the window does, for sums; or are given whole by the window they begin in. */
  readonly cutsAtWindow: boolean;
  /** Hours in which a device measured a heart rate, on days where that decides. */
  wornHoursOf?(contributor: Contributor, date: LocalDate): ReadonlySet<number> | undefined;
};

type Owns = (quarter: number) => boolean;

/** Contributors are ranked, best first. */
export function consolidateSamples(
  window: Window,
  contributors: readonly Contributor[],
  consolidating: Consolidating,
): CanonicalSamples {
  const isTotal = isAdditive(window.metric);
  const [only] = contributors;
  if (!isTotal && only !== undefined && contributors.length === 1) return consolidateAll(window, only);
  const chosen = createCanonical(contributors.reduce((sum, { columns }) => sum + columns.starts.length, 0));
  if (isTotal) {
    const merged = mergeTotals(contributors, consolidating);
    contributors.forEach((contributor, index) => {
      consolidateTotals(chosen, contributor, index, window, merged, consolidating);
    });
  } else {
    const ownersOf = decideOwners(contributors);
    contributors.forEach((contributor, index) => {
      consolidateLevels(chosen, contributor, index, window, ownersOf(index));
    });
  }
  return sortCanonical(chosen);
}

/** Null: one device alone has all of its time. */
function mergeTotals(contributors: readonly Contributor[], { zone, wornHoursOf }: Consolidating): MergedSeries | null {
  if (contributors.length === 1) return null;
  return mergeSeries(toRankedSeries(contributors, wornHoursOf), zone);
}

/** The levels of one device alone, as they are: nothing is copied. */
function consolidateAll({ fromMs, toMs }: Window, { columns, series }: Contributor): CanonicalSamples {
  const first = findStart(columns.starts, fromMs);
  const last = findStart(columns.starts, toMs);
  countUpTo(last);
  return {
    count: last - first,
    starts: columns.starts.subarray(first, last),
    ends: (columns.ends ?? columns.starts).subarray(first, last),
    values: series.values.subarray(first, last),
    indexes: noughts.subarray(0, last - first),
    origins: counted.subarray(first, last),
  };
}

/** The same for all who take every sample of one device; only read. */
let counted = new Uint32Array(0);
let noughts = new Uint16Array(0);

function countUpTo(count: number): void {
  if (counted.length >= count) return;
  counted = Uint32Array.from({ length: count * 2 }, (_, index) => index);
  noughts = new Uint16Array(count * 2);
}

function decideOwners(contributors: readonly Contributor[]): (index: number) => Owns {
  const owners = chooseQuarterHours(
    contributors.map(({ series: { starts } }) => ({ indexes: Array.from(starts, quarterHourOf) })),
  );
  return (index) => rememberLast((quarter) => owners.get(quarter) === index);
}

/** Samples come quarter hour by quarter hour. */
function rememberLast(ask: Owns): Owns {
  let lastQuarter = Number.NaN;
  let lastAnswer = false;
  return (quarter) => {
    if (quarter !== lastQuarter) {
      lastQuarter = quarter;
      lastAnswer = ask(quarter);
    }
    return lastAnswer;
  };
}

function consolidateLevels(
  chosen: CanonicalSamples,
  { columns: { starts }, series }: Contributor,
  position: number,
  { fromMs, toMs }: Window,
  owns: Owns,
): void {
  const last = findStart(starts, toMs);
  for (let index = findStart(starts, fromMs); index < last; index += 1) {
    const start = starts[index] as number;
    if (owns(quarterHourOf(start)))
      pushCanonical(chosen, start, endAt(series, index), series.values[index] as number, position, index);
  }
}

function consolidateTotals(
  chosen: CanonicalSamples,
  { series }: Contributor,
  position: number,
  window: Window,
  merged: MergedSeries | null,
  { zone, range, cutsAtWindow }: Consolidating,
): void {
  const { fromMs, toMs } = cutsAtWindow ? window : withinDays(range, window, zone);
  const isGiven = (start: number) => start >= window.fromMs && start < window.toMs;
  const isChosen = (quarter: number, atMs: number) => merged === null || merged.isChosen(position, quarter, atMs);
  for (let index = 0; index < series.starts.length; index += 1) {
    const start = series.starts[index] as number;
    const end = endAt(series, index);
    const value = series.values[index] as number;
    if (start >= window.toMs || (end <= window.fromMs && start < window.fromMs)) continue;
    const isInside = start >= fromMs && end <= toMs;
    if (isInside && quarterHourOf(start) === quarterHourOf(Math.max(start, end - 1)) && end <= zone.dayAt(start).end) {
      if (isGiven(start) && isChosen(quarterHourOf(start), start))
        pushCanonical(chosen, start, end, value, position, index);
      continue;
    }
    const one = { starts: [start], ends: [end], values: [value] };
    const takePart = (_: number, partStart: number, partEnd: number) =>
      merged?.takePart(position, index, partStart, partEnd) ?? takeShare(value, start, end, partStart, partEnd);
    const parts = selectSamples(one, { isAdditive: true, isChosen, takePart, fromMs, toMs, zone });
    for (let part = 0; part < parts.starts.length; part += 1) {
      const partStart = parts.starts[part] as number;
      const partValue = parts.values[part] as number;
      if (partValue === 0 && value !== 0) continue; // finer data of other devices left nothing of it
      if (isGiven(partStart)) pushCanonical(chosen, partStart, endAt(parts, part), partValue, position, index);
    }
  }
}

/** Samples end at midnights, so that nothing outside of the days of the window matters. */
function withinDays(range: Consolidating['range'], window: Window, zone: Zone): Consolidating['range'] {
  return {
    fromMs: Math.max(range.fromMs, zone.dayAt(window.fromMs).start),
    toMs: Math.min(range.toMs, zone.dayAt(window.toMs - 1).end),
  };
}
