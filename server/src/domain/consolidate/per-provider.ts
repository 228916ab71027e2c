// `max`, `avg` and `sum` (specification, consolidation methods) use one value per provider: that of its highest-ranked
// device with a value (gap G-33).
import { type Candidate, type CandidateShare, type Choice, candidateValue } from './candidate.ts';

type Ranked = readonly [Candidate, ...Candidate[]];

/** The largest value, and of equal ones the highest-ranked. Only that provider contributes. */
export function maxOfProviders(ranked: Ranked): Choice {
  const shares = pickPerProvider(ranked);
  const largest = shares.reduce((best, share) => (share.amount > best.amount ? share : best));
  const smaller = shares.filter((share) => share !== largest).map(({ candidate }) => candidate);
  return { value: largest.amount, shares: [largest], smaller };
}

export function averageProviders(ranked: Ranked): Choice {
  const shares = pickPerProvider(ranked);
  return { value: addUp(shares) / shares.length, shares };
}

export function sumProviders(ranked: Ranked): Choice {
  const shares = pickPerProvider(ranked);
  return { value: addUp(shares), shares };
}

function pickPerProvider(ranked: Ranked): CandidateShare[] {
  const shares: CandidateShare[] = [];
  for (const candidate of ranked) {
    const hasSpoken = shares.some((share) => share.candidate.device.provider === candidate.device.provider);
    if (!hasSpoken) shares.push({ candidate, amount: candidateValue(candidate), isWhole: true });
  }
  return shares;
}

/** Adds in rank order, so that the last bit of the result does not depend on the order of arrival. */
function addUp(shares: readonly CandidateShare[]): number {
  return shares.reduce((sum, share) => sum + share.amount, 0);
}
