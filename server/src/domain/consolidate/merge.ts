// `merge`: a watch and the phone in the pocket give the day that really happened (gap G-33).
import { type Candidate, type Choice, candidateValue, hasSamples, type Share } from './candidate.ts';
import { chooseQuarterHours } from './choose-quarter-hours.ts';

export function mergeQuarterHours([first, ...rest]: readonly [Candidate, ...Candidate[]]): Choice {
  // A device with only a daily total counts as a whole: it wins if it outranks all with samples, and `first` is without
  // samples also when none has any.
  if (!hasSamples(first)) return takeWhole(first, candidateValue(first));
  const withSamples = [first, ...rest.filter(hasSamples)];
  const shares = shareQuarterHours(withSamples);
  const [only, ...others] = shares;
  // One device alone covers the day: its own total stands, which may know more than its samples.
  if (only !== undefined && others.length === 0) return takeWhole(only.candidate, candidateValue(only.candidate));
  return { value: shares.reduce((sum, share) => sum + share.amount, 0), shares };
}

function takeWhole(candidate: Candidate, value: number): Choice {
  return { value, shares: [{ candidate, amount: value, isWhole: true }] };
}

function shareQuarterHours(ranked: readonly Candidate[]): Share[] {
  const owners = chooseQuarterHours(ranked.map((candidate) => candidate.quarterHours));
  return ranked.flatMap((candidate, place) => {
    const { indexes, sums } = candidate.quarterHours;
    const own = sums.filter((_, index) => owners.get(indexes[index] as number) === place);
    if (own.length === 0) return [];
    return [{ candidate, amount: own.reduce((sum, part) => sum + part, 0), isWhole: own.length === sums.length }];
  });
}
