// `merge`: combines devices such as a watch and a phone so that the day is closest to what really happened (gap G-33).
import { QUARTER_HOUR_MS } from '../time/quarter-hours.ts';
import {
  type Candidate,
  type CandidateShare,
  type Choice,
  candidateValue,
  type Decision,
  hasSamples,
  MAX_DECISIONS,
} from './candidate.ts';
import { isWhole, type MergedDay, mergeDay } from './merge-day.ts';

export function mergeQuarterHours([first, ...rest]: readonly [Candidate, ...Candidate[]]): Choice {
  // A device with only a daily total counts as a whole. It comes first only if it outranks all devices with samples or
  // if none has samples.
  if (!hasSamples(first)) return takeWhole(first, candidateValue(first));
  const ranked = [first, ...rest.filter(hasSamples)];
  const day = mergeDay(ranked);
  const decisionsOf = (candidate: Candidate) => listDecisions(day, ranked.indexOf(candidate));
  const shares = shareQuarterHours(ranked, day);
  const [only, ...others] = shares;
  // If one device covers the day alone, its total is used, because it may include more than its samples.
  if (only !== undefined && others.length === 0)
    return { ...takeWhole(only.candidate, candidateValue(only.candidate)), decisionsOf };
  return { value: shares.reduce((sum, share) => sum + share.amount, 0), shares, decisionsOf };
}

function takeWhole(candidate: Candidate, value: number): Choice {
  return { value, shares: [{ candidate, amount: value, isWhole: true }] };
}

function shareQuarterHours(ranked: readonly Candidate[], day: MergedDay): CandidateShare[] {
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

/** A device with only unproven zeros does not contribute if another device counted something. */
function findContributing(day: MergedDay): ReadonlySet<number> {
  if (day.counting.size > 0) return day.counting;
  return new Set(day.quarters().map((quarter) => day.ownerOf(quarter)));
}

function listDecisions({ spreads, droppedZeros }: MergedDay, index: number): Decision[] {
  // A sample that no other device overlaps needs no explanation.
  const spread = (spreads[index] ?? [])
    .filter((one) => !isWhole(one))
    .map(({ start, end, value, counted }): Decision => ({ kind: 'sample_spread', start, end, value, counted }));
  return [...spread, ...joinZeros(droppedZeros[index] ?? [])].slice(0, MAX_DECISIONS);
}

/** Joins adjacent quarter hours into one decision. */
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
