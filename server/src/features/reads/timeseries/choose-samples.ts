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
  type ChosenSamples,
  type Contributor,
  createChosen,
  pushChosen,
  sortChosen,
  toRankedSeries,
} from './chosen-samples.ts';
import type { Window } from './plan-batches.ts';

export type Choosing = {
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
export function chooseSamples(window: Window, contributors: readonly Contributor[], choosing: Choosing): ChosenSamples {
  const isTotal = isAdditive(window.metric);
  const [only] = contributors;
  if (!isTotal && only !== undefined && contributors.length === 1) return chooseAll(window, only);
  const chosen = createChosen(contributors.reduce((sum, { columns }) => sum + columns.starts.length, 0));
  if (isTotal) {
    const merged = mergeTotals(contributors, choosing);
    contributors.forEach((contributor, place) => {
      chooseTotals(chosen, contributor, place, window, merged, choosing);
    });
  } else {
    const ownersOf = decideOwners(contributors);
    contributors.forEach((contributor, place) => {
      chooseLevels(chosen, contributor, place, window, ownersOf(place));
    });
  }
  return sortChosen(chosen);
}

/** Null: one device alone has all of its time. */
function mergeTotals(contributors: readonly Contributor[], { zone, wornHoursOf }: Choosing): MergedSeries | null {
  if (contributors.length === 1) return null;
  return mergeSeries(toRankedSeries(contributors, wornHoursOf), zone);
}

/** The levels of one device alone, as they are: nothing is copied. */
function chooseAll({ fromMs, toMs }: Window, { columns, series }: Contributor): ChosenSamples {
  const first = findStart(columns.starts, fromMs);
  const last = findStart(columns.starts, toMs);
  countUpTo(last);
  return {
    count: last - first,
    starts: columns.starts.subarray(first, last),
    ends: (columns.ends ?? columns.starts).subarray(first, last),
    values: series.values.subarray(first, last),
    places: noughts.subarray(0, last - first),
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

function decideOwners(contributors: readonly Contributor[]): (place: number) => Owns {
  const owners = chooseQuarterHours(
    contributors.map(({ series: { starts } }) => ({ indexes: Array.from(starts, quarterHourOf) })),
  );
  return (place) => rememberLast((quarter) => owners.get(quarter) === place);
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

function chooseLevels(
  chosen: ChosenSamples,
  { columns: { starts }, series }: Contributor,
  place: number,
  { fromMs, toMs }: Window,
  owns: Owns,
): void {
  const last = findStart(starts, toMs);
  for (let index = findStart(starts, fromMs); index < last; index += 1) {
    const start = starts[index] as number;
    if (owns(quarterHourOf(start)))
      pushChosen(chosen, start, endAt(series, index), series.values[index] as number, place, index);
  }
}

function chooseTotals(
  chosen: ChosenSamples,
  { series }: Contributor,
  place: number,
  window: Window,
  merged: MergedSeries | null,
  { zone, range, cutsAtWindow }: Choosing,
): void {
  const { fromMs, toMs } = cutsAtWindow ? window : withinDays(range, window, zone);
  const isGiven = (start: number) => start >= window.fromMs && start < window.toMs;
  const isChosen = (quarter: number, atMs: number) => merged === null || merged.isChosen(place, quarter, atMs);
  for (let index = 0; index < series.starts.length; index += 1) {
    const start = series.starts[index] as number;
    const end = endAt(series, index);
    const value = series.values[index] as number;
    if (start >= window.toMs || (end <= window.fromMs && start < window.fromMs)) continue;
    const isInside = start >= fromMs && end <= toMs;
    if (isInside && quarterHourOf(start) === quarterHourOf(Math.max(start, end - 1)) && end <= zone.dayAt(start).end) {
      if (isGiven(start) && isChosen(quarterHourOf(start), start)) pushChosen(chosen, start, end, value, place, index);
      continue;
    }
    const one = { starts: [start], ends: [end], values: [value] };
    const takePart = (_: number, partStart: number, partEnd: number) =>
      merged?.takePart(place, index, partStart, partEnd) ?? takeShare(value, start, end, partStart, partEnd);
    const parts = selectSamples(one, { isAdditive: true, isChosen, takePart, fromMs, toMs, zone });
    for (let part = 0; part < parts.starts.length; part += 1) {
      const partStart = parts.starts[part] as number;
      const partValue = parts.values[part] as number;
      if (partValue === 0 && value !== 0) continue; // finer data of other devices left nothing of it
      if (isGiven(partStart)) pushChosen(chosen, partStart, endAt(parts, part), partValue, place, index);
    }
  }
}

/** Samples end at midnights, so that nothing outside of the days of the window matters. */
function withinDays(range: Choosing['range'], window: Window, zone: Zone): Choosing['range'] {
  return {
    fromMs: Math.max(range.fromMs, zone.dayAt(window.fromMs).start),
    toMs: Math.min(range.toMs, zone.dayAt(window.toMs - 1).end),
  };
}
