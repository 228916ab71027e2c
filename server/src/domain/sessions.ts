// Which sleeps and workouts are shown when several devices recorded the same one (gap G-39, "one value for one
// period"). A function of the set: the order of arrival never matters.
import { createKeptSessions } from './kept-sessions.ts';
import type { DeviceClass } from './metrics/metric.ts';
import { compareRanks, compareText, type RankedDevice } from './ranking.ts';
import type { Session } from './session.ts';
import { demoteFragments } from './session-fragments.ts';

export type { Session } from './session.ts';
export type SessionCandidate<Kind extends Session> = { readonly device: RankedDevice; readonly session: Kind };

/** A session that is shown, with those that record the same thing, best first. */
export type ChosenSession<Kind extends Session> = SessionCandidate<Kind> & {
  readonly copies: readonly SessionCandidate<Kind>[];
};

export type SessionRule = {
  readonly ranking: readonly DeviceClass[];
  /** Sleep only: what covers less of the longest session overlapping it ranks after that one; null for none. */
  readonly minCoverage: number | null;
};

/** More of the shorter one than this, and two sessions are one. */
const SAME_SESSION_SHARE = 0.5;

/** Chosen sessions by start. Each cluster is decided by itself: what does not touch a session cannot change its fate. */
export function chooseSessions<Kind extends Session>(
  candidates: Iterable<SessionCandidate<Kind>>,
  rule: SessionRule,
): ChosenSession<Kind>[] {
  const compare = compareCandidates(rule.ranking);
  return clusterSessions(candidates)
    .flatMap((cluster) => chooseInCluster(orderCluster(cluster.sort(compare), rule)))
    .sort((a, b) => a.session.start - b.session.start || compare(a, b));
}

/**
 * Sessions that touch each other, or lie less than a gap apart, directly or through others, by time. What a new session can
 * change is its cluster.
 */
export function clusterSessions<Candidate extends { readonly session: Session }>(
  candidates: Iterable<Candidate>,
  gapMs = 0,
): Candidate[][] {
  const byStart = [...candidates].sort((a, b) => a.session.start - b.session.start);
  const clusters: Candidate[][] = [];
  let reachMs = Number.NEGATIVE_INFINITY;
  for (const candidate of byStart) {
    if (candidate.session.start >= reachMs + gapMs) clusters.push([]);
    clusters.at(-1)?.push(candidate);
    reachMs = Math.max(reachMs, candidate.session.end);
  }
  return clusters;
}

/** Best first: the rank, the earlier start, the device id; of one device's the longer; the key so that no two are equal. */
function compareCandidates(ranking: readonly DeviceClass[]) {
  const compare = compareRanks(ranking);
  return (a: SessionCandidate<Session>, b: SessionCandidate<Session>) =>
    compare(a.device, b.device) ||
    a.session.start - b.session.start ||
    compareText(a.device.id, b.device.id) ||
    b.session.end - a.session.end ||
    compareText(a.session.key, b.session.key);
}

function orderCluster<Kind extends Session>(
  ranked: readonly SessionCandidate<Kind>[],
  { minCoverage }: SessionRule,
): readonly SessionCandidate<Kind>[] {
  return minCoverage === null ? ranked : demoteFragments(ranked, minCoverage);
}

/** A copy is linked to the one it shares most time with, the best of equals. */
function chooseInCluster<Kind extends Session>(ordered: readonly SessionCandidate<Kind>[]): ChosenSession<Kind>[] {
  const chosen: (SessionCandidate<Kind> & { copies: SessionCandidate<Kind>[] })[] = [];
  const kept = createKeptSessions<(typeof chosen)[number]>(ordered);
  for (const candidate of ordered) {
    const original = kept.findSame(candidate, SAME_SESSION_SHARE);
    if (original !== null) {
      original.copies.push(candidate);
      continue;
    }
    const own = { ...candidate, copies: [] };
    chosen.push(own);
    kept.keep(own);
  }
  return chosen;
}
