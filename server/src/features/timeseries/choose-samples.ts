// One value for one period: each quarter hour from the highest-ranked device with a sample in it (gap G-36). Pure.
// The rule is domain/consolidate's; here it is asked only where a sample reaches over more than one quarter hour.
import { chooseQuarterHours, listTouchedQuarterHours, selectSamples } from '../../domain/consolidate/index.ts';
import type { Zone } from '../../domain/day.ts';
import { isAdditive } from '../../domain/metrics/index.ts';
import { endAt, quarterHourOf } from '../../domain/quarter-hours.ts';
import { findStart } from '../../domain/sample-blocks/sample-columns.ts';
import { type ChosenSamples, type Contributor, createChosen, pushChosen, sortChosen } from './chosen-samples.ts';
import type { Window } from './plan-batches.ts';

export type Choosing = {
  readonly zone: Zone;
  /** What was asked for: nothing is given of the time outside. */
  readonly range: { readonly fromMs: number; readonly toMs: number };
  /** Whether totals end where the window does, for sums; or are given whole by the window they begin in. */
  readonly cutsAtWindow: boolean;
};

type Owns = (quarter: number) => boolean;

/** Contributors are ranked, best first. */
export function chooseSamples(window: Window, contributors: readonly Contributor[], choosing: Choosing): ChosenSamples {
  const isTotal = isAdditive(window.metric);
  const [only] = contributors;
  if (!isTotal && only !== undefined && contributors.length === 1) return chooseAll(window, only);
  const chosen = createChosen(contributors.reduce((sum, { columns }) => sum + columns.starts.length, 0));
  const ownersOf = decideOwners(contributors, isTotal);
  contributors.forEach((contributor, place) => {
    if (isTotal) chooseTotals(chosen, contributor, place, window, ownersOf(place), choosing);
    else chooseLevels(chosen, contributor, place, window, ownersOf(place));
  });
  return sortChosen(chosen);
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

function decideOwners(contributors: readonly Contributor[], isTotal: boolean): (place: number) => Owns {
  if (contributors.length === 1) return () => () => true;
  const owners = chooseQuarterHours(
    contributors.map(({ series }) => ({ indexes: listTouchedQuarterHours(series, isTotal) })),
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
  owns: Owns,
  { zone, range, cutsAtWindow }: Choosing,
): void {
  const { fromMs, toMs } = cutsAtWindow ? window : range;
  const isGiven = (start: number) => start >= window.fromMs && start < window.toMs;
  for (let index = 0; index < series.starts.length; index += 1) {
    const start = series.starts[index] as number;
    const end = endAt(series, index);
    const value = series.values[index] as number;
    if (start >= window.toMs || (end <= window.fromMs && start < window.fromMs)) continue;
    const isInside = start >= fromMs && end <= toMs;
    if (isInside && quarterHourOf(start) === quarterHourOf(Math.max(start, end - 1)) && end <= zone.dayAt(start).end) {
      if (isGiven(start) && owns(quarterHourOf(start))) pushChosen(chosen, start, end, value, place, index);
      continue;
    }
    const one = { starts: [start], ends: [end], values: [value] };
    const parts = selectSamples(one, { isAdditive: true, isChosen: owns, fromMs, toMs, zone });
    for (let part = 0; part < parts.starts.length; part += 1) {
      const partStart = parts.starts[part] as number;
      if (isGiven(partStart))
        pushChosen(chosen, partStart, endAt(parts, part), parts.values[part] as number, place, index);
    }
  }
}
