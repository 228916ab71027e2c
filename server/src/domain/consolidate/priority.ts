// `priority`: the value of the highest-ranked device. For body measurements a later manual entry wins (gap G-206): a
// user who enters a weight after the scale has measured corrects it, or used another scale.
import { type Candidate, type Choice, candidateValue } from './candidate.ts';

export function takeFirst(ranked: readonly [Candidate, ...Candidate[]]): Choice {
  const [first] = ranked;
  const manual = findLaterEntry(first, ranked);
  const standing = manual ?? first;
  const value = candidateValue(standing);
  const choice: Choice = { value, shares: [{ candidate: standing, amount: value, isWhole: true }] };
  if (manual === null) return choice;
  const at = manual.entry?.at ?? 0;
  const decision = { kind: 'manual_entry', start: at, end: at, value, counted: value } as const;
  return { ...choice, superseded: first, decisionsOf: (candidate) => (candidate === manual ? [decision] : []) };
}

/** The latest manual entry if it is later than the highest-ranked value; at the same time, the highest-ranked one. */
function findLaterEntry({ entry: first }: Candidate, ranked: readonly Candidate[]): Candidate | null {
  if (first === undefined || first === null) return null;
  let latest: Candidate | null = null;
  for (const candidate of ranked) {
    const { entry } = candidate;
    if (entry?.isManual && entry.at > (latest?.entry?.at ?? first.at)) latest = candidate;
  }
  return latest;
}
