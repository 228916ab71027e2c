// `merge`: a watch and the phone in the pocket give the day that really happened (gap G-33).
import { QUARTER_HOUR_MS } from '../time/quarter-hours.ts';
import {
  type Candidate,
  type Choice,
  candidateValue,
  type Decision,
  hasSamples,
  MAX_DECISIONS,
  type Share,
} from './candidate.ts';
import { isWhole, type MergedDay, mergeDay } from './merge-day.ts';

export function mergeQuarterHours([first, ...rest]: readonly [Candidate, ...Candidate[]]): Choice {
  // A device with only a daily total counts as a whole: it wins if it outranks all with samples, and `first` is without
  // samples also when none has any.
  if (!hasSamples(first)) return takeWhole(first, candidateValue(first));
  const ranked = [first, ...rest.filter(hasSamples)];
  const day = mergeDay(ranked);
  const decisionsOf = (candidate: Candidate) => listDecisions(day, ranked.indexOf(candidate));
  const shares = shareQuarterHours(ranked, day);
  const [only, ...others] = shares;
  // One device alone covers the day: its own total stands, which may know more than its samples.
  if (only !== undefined && others.length === 0)
    return { ...takeWhole(only.candidate, candidateValue(only.candidate)), decisionsOf };
  return { value: shares.reduce((sum, share) => sum + share.amount, 0), shares, decisionsOf };
}

function takeWhole(candidate: Candidate, value: number): Choice {
  return { value, shares: [{ candidate, amount: value, isWhole: true }] };
}

function shareQuarterHours(ranked: readonly Candidate[], day: MergedDay): Share[] {
  const { spreads } = day;
  const contributing = findContributing(day);
  return ranked.flatMap((candidate, position) => {
    if (!contributing.has(position)) return [];
    const { indexes, sums } = candidate.quarterHours;
    const own = sums.filter((_, index) => day.ownerOf(indexes[index] as number) === position);
    const long = spreads[position] ?? [];
    const inLong = long.reduce((sum, { counted }) => sum + counted, 0);
    const isWhole = own.length === sums.length && long.every(({ value, counted }) => counted === value);
    return [{ candidate, amount: own.reduce((sum, part) => sum + part, inLong), isWhole }];
  });
}

/** Zeros without evidence of wear make nobody a contributor beside who counted something. */
function findContributing(day: MergedDay): ReadonlySet<number> {
  if (day.counting.size > 0) return day.counting;
  const owners = new Set(day.quarters().map((quarter) => day.ownerOf(quarter)));
  // Long samples whose other days counted all of them leave a zero.
  return owners.size > 0 ? owners : new Set([0]);
}

function listDecisions({ spreads, droppedZeros }: MergedDay, index: number): Decision[] {
  // One that nobody else had a part of stands as it is.
  const spread = (spreads[index] ?? [])
    .filter((one) => !isWhole(one))
    .map(({ start, end, value, counted }): Decision => ({ kind: 'sample_spread', start, end, value, counted }));
  return [...spread, ...joinZeros(droppedZeros[index] ?? [])].slice(0, MAX_DECISIONS);
}

/** One for quarter hours that follow each other. */
function joinZeros(quarters: readonly number[]): Decision[] {
  const joined: { start: number; end: number }[] = [];
  for (const quarter of quarters) {
    const last = joined.at(-1);
    const [start, end] = [quarter * QUARTER_HOUR_MS, (quarter + 1) * QUARTER_HOUR_MS];
    if (last?.end === start) last.end = end;
    else joined.push({ start, end });
  }
  return joined.map((interval) => ({ kind: 'zeros_not_counted', ...interval, value: 0, counted: null }));
}
