// Orders the sessions of a cluster so that a fragment comes after the session it is part of.
import { lengthMs, overlapMs, type Session } from '../records/session.ts';

type Ranked = { readonly session: Session };

/**
 * A fragment comes after the session it is part of, and never moves up, so that a watch whose battery died at 3:00 does
 * not replace the ring's night. The next session is always the best of those whose whole session has already come.
 */
export function demoteFragments<Candidate extends Ranked>(
  ranked: readonly Candidate[],
  minCoverage: number,
): Candidate[] {
  const wholes = new Map(ranked.map((one) => [one, findWhole(one, ranked, minCoverage)]));
  const waiting = [...ranked];
  const ordered = new Set<Candidate>();
  const isReady = (one: Candidate) => {
    const whole = wholes.get(one) ?? null;
    return whole === null || ordered.has(whole);
  };
  while (waiting.length > 0) for (const next of waiting.splice(waiting.findIndex(isReady), 1)) ordered.add(next);
  return [...ordered];
}

/**
 * The session of which it is a fragment, or null: the longest that overlaps it, of equally long ones the best. It must
 * be longer, so that no two sessions wait for each other.
 */
function findWhole<Candidate extends Ranked>(
  { session }: Candidate,
  ranked: readonly Candidate[],
  minCoverage: number,
): Candidate | null {
  let longest: Candidate | null = null;
  let longestMs = lengthMs(session);
  for (const other of ranked) {
    if (lengthMs(other.session) <= longestMs || overlapMs(session, other.session) === 0) continue;
    [longest, longestMs] = [other, lengthMs(other.session)];
  }
  return longest !== null && overlapMs(session, longest.session) < minCoverage * longestMs ? longest : null;
}
