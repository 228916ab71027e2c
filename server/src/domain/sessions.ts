// Which sleeps and workouts are shown when several devices recorded the same one (gap G-39, "one value for one
// period"). A function of the set: the order of arrival never matters.
import type { DeviceClass } from './metrics/metric.ts';
import { compareRanks, compareText, type RankedDevice } from './ranking.ts';
import type { EpochMs } from './records.ts';

export type Session = { readonly key: string; readonly start: EpochMs; readonly end: EpochMs };
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
    .flatMap((cluster) => chooseInCluster(demoteFragments(cluster.sort(compare), rule.minCoverage)))
    .sort((a, b) => a.session.start - b.session.start || compare(a, b));
}

/** Sessions that touch each other, directly or through others, by time. What a new session can change is its cluster. */
export function clusterSessions<Kind extends Session>(
  candidates: Iterable<SessionCandidate<Kind>>,
): SessionCandidate<Kind>[][] {
  const byStart = [...candidates].sort((a, b) => a.session.start - b.session.start);
  const clusters: SessionCandidate<Kind>[][] = [];
  let reachMs = Number.NEGATIVE_INFINITY;
  for (const candidate of byStart) {
    if (candidate.session.start >= reachMs) clusters.push([]);
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

/**
 * A watch that died at three does not replace the ring's night: a fragment waits until the session it gives way to has had its
 * turn, and is never raised by that. Always the best of those that need not wait is next.
 */
function demoteFragments<Kind extends Session>(
  ranked: readonly SessionCandidate<Kind>[],
  minCoverage: number | null,
): SessionCandidate<Kind>[] {
  if (minCoverage === null) return [...ranked];
  const places = new Map(ranked.map((candidate, place) => [candidate, place]));
  const byLength = ranked.toSorted((a, b) => lengthMs(b) - lengthMs(a)); // of equally long ones the best stays first
  const waiting = Map.groupBy(ranked, (candidate) => findWhole(candidate, byLength, minCoverage));
  const ordered: SessionCandidate<Kind>[] = [];
  const ready = (waiting.get(null) ?? []).toReversed(); // the best last
  for (let next = ready.pop(); next !== undefined; next = ready.pop()) {
    ordered.push(next);
    const freed = waiting.get(next) ?? [];
    for (const candidate of freed) ready.push(candidate);
    if (freed.length > 0) ready.sort((a, b) => (places.get(b) ?? 0) - (places.get(a) ?? 0));
  }
  return ordered;
}

/** The session of which this one is a fragment, or null. Only a longer one can be (a session covers itself), so that none waits for itself. */
function findWhole<Kind extends Session>(
  candidate: SessionCandidate<Kind>,
  byLength: readonly SessionCandidate<Kind>[],
  minCoverage: number,
): SessionCandidate<Kind> | null {
  const ownMs = lengthMs(candidate);
  const longest = byLength.find((other) => lengthMs(other) <= ownMs || overlapMs(candidate, other) > 0);
  if (longest === undefined || lengthMs(longest) <= ownMs) return null;
  return overlapMs(candidate, longest) < minCoverage * lengthMs(longest) ? longest : null;
}

function chooseInCluster<Kind extends Session>(ordered: readonly SessionCandidate<Kind>[]): ChosenSession<Kind>[] {
  const kept: (SessionCandidate<Kind> & { copies: SessionCandidate<Kind>[] })[] = [];
  for (const candidate of ordered) {
    const same = kept.filter((other) => isSameSession(candidate, other));
    // Linked to the one it shares most time with, the best of equals.
    const original = same.reduce<(typeof kept)[number] | undefined>(
      (best, other) => (best === undefined || overlapMs(candidate, other) > overlapMs(candidate, best) ? other : best),
      undefined,
    );
    if (original === undefined) kept.push({ ...candidate, copies: [] });
    else original.copies.push(candidate);
  }
  return kept;
}

function isSameSession(a: SessionCandidate<Session>, b: SessionCandidate<Session>): boolean {
  return overlapMs(a, b) > SAME_SESSION_SHARE * Math.min(lengthMs(a), lengthMs(b));
}

function overlapMs({ session: a }: SessionCandidate<Session>, { session: b }: SessionCandidate<Session>): number {
  return Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start));
}

function lengthMs({ session }: SessionCandidate<Session>): number {
  return session.end - session.start;
}
