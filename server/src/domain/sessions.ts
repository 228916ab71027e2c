// Which sleeps and workouts are shown when several devices recorded the same one (gap G-39, "one value for one
// period"). A function of the set: the order of arrival never matters.
import { createKeptSessions } from './kept-sessions.ts';
import type { DeviceClass } from './metrics/metric.ts';
import { compareRanks, compareText, type RankedDevice } from './ranking.ts';
import { hasSleep, SESSION_DETAILS, type Session, type SessionDetail } from './session.ts';
import { createCoverage } from './session-coverage.ts';
import { demoteFragments } from './session-fragments.ts';
import { findOriginals } from './session-originals.ts';

export type { Session, SessionDetail } from './session.ts';
export type SessionCandidate<Kind extends Session> = { readonly device: RankedDevice; readonly session: Kind };

/** A session that is shown, with those that record the same thing, best first. */
export type ChosenSession<Kind extends Session> = SessionCandidate<Kind> & {
  readonly copies: readonly SessionCandidate<Kind>[];
};

export type SessionRule<Kind extends Session = Session> = {
  readonly ranking: readonly DeviceClass[];
  /** Sleep only: what covers less of the longest session overlapping it ranks after that one; null for none. */
  readonly minCoverage: number | null;
  /** Sleep only: a record that says more ranks before those that say less, whoever sent it. */
  readonly detailOf?: (session: Kind) => SessionDetail;
};

/** More of the shorter one than this, and two sessions are one. */
const SAME_SESSION_SHARE = 0.5;
/** A record that covers less than this share of a longer one is a nap or a remnant, and never stands in for it. */
export const MIN_STAND_IN_SHARE = 0.25;

/** Chosen sessions by start. Each cluster is decided by itself: what does not touch a session cannot change its fate. */
export function chooseSessions<Kind extends Session>(
  candidates: Iterable<SessionCandidate<Kind>>,
  rule: SessionRule<Kind>,
): ChosenSession<Kind>[] {
  const compare = compareCandidates(rule.ranking);
  return clusterSessions(candidates)
    .flatMap((cluster) => chooseInCluster(orderSessions(cluster, rule), rule))
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

/**
 * Records of one cluster, best first: by rank, then the earlier start, the device id; of one device's the longer. A re-export comes
 * right after its original, a fragment after the session that it is part of. Where it is known how much each record says, the more
 * detailed one comes first, and a record without sleep after all that have some.
 */
export function orderSessions<Candidate extends SessionCandidate<Session>>(
  cluster: readonly Candidate[],
  { ranking, minCoverage, detailOf }: SessionRule<Candidate['session']>,
): readonly Candidate[] {
  const compare = compareCandidates(ranking, findOriginals(cluster));
  const order = (some: readonly Candidate[] = []): readonly Candidate[] =>
    minCoverage === null ? some : demoteFragments(some, minCoverage);
  if (detailOf === undefined) return order(cluster.toSorted(compare));
  const details = new Map(cluster.map((one) => [one, detailOf(one.session)]));
  const detail = (one: Candidate) => details.get(one) as SessionDetail;
  const level = (one: Candidate) => SESSION_DETAILS.indexOf(detail(one));
  const ranked = cluster.toSorted(compare);
  const withSleep = ranked.filter((one) => hasSleep(detail(one))).sort((a, b) => level(a) - level(b));
  const covered = createCoverage(withSleep.map(({ session }) => session));
  // A sleep without detail, of which records with sleep cover so little that they are naps beside it.
  const isNight = (one: Candidate) =>
    detail(one) === 'times' && covered(one.session) < MIN_STAND_IN_SHARE * lengthOf(one);
  const others = ranked.filter((one) => !hasSleep(detail(one)));
  const { nights, rest } = Object.groupBy(others, (one) => (isNight(one) ? 'nights' : 'rest'));
  return [...order(nights), ...order(withSleep), ...order(rest)];
}

function lengthOf({ session }: SessionCandidate<Session>): number {
  return session.end - session.start;
}

type Compare = (a: SessionCandidate<Session>, b: SessionCandidate<Session>) => number;

/** A total order: the key so that no two are equal. A re-export has the rank of its original, and comes after it. */
function compareCandidates(
  ranking: readonly DeviceClass[],
  originals: ReadonlyMap<SessionCandidate<Session>, SessionCandidate<Session>> = new Map(),
): Compare {
  const compare = compareRanks(ranking);
  const rankOf = (one: SessionCandidate<Session>) => (originals.get(one) ?? one).device;
  return (a, b) =>
    compare(rankOf(a), rankOf(b)) ||
    Number(originals.has(a)) - Number(originals.has(b)) ||
    a.session.start - b.session.start ||
    compareText(a.device.id, b.device.id) ||
    b.session.end - a.session.end ||
    compareText(a.session.key, b.session.key);
}

/** A copy is linked to the one it shares most time with, the best of equals. */
function chooseInCluster<Kind extends Session>(
  ordered: readonly SessionCandidate<Kind>[],
  { detailOf }: SessionRule<Kind>,
): ChosenSession<Kind>[] {
  const chosen: (SessionCandidate<Kind> & { copies: SessionCandidate<Kind>[] })[] = [];
  const kept = createKeptSessions<(typeof chosen)[number]>(ordered);
  const keptAsleep = detailOf === undefined ? kept : createKeptSessions<(typeof chosen)[number]>(ordered);
  const covered = createCoverage(
    ordered.flatMap(({ session }) => (detailOf && hasSleep(detailOf(session)) ? session : [])),
  );
  for (const candidate of ordered) {
    const detail = detailOf?.(candidate.session) ?? 'all_stages';
    // Lying in bed before or after a sleep is no sleep of its own; nor is what others recorded with more detail.
    const isPart = detail === 'in_bed' || covered(candidate.session) > SAME_SESSION_SHARE * lengthOf(candidate);
    const beside = () => (!hasSleep(detail) && isPart ? keptAsleep.findSame(candidate, 0) : null);
    const original = kept.findSame(candidate, SAME_SESSION_SHARE) ?? beside();
    if (original !== null) {
      original.copies.push(candidate);
      continue;
    }
    const own = { ...candidate, copies: [] };
    chosen.push(own);
    kept.keep(own);
    if (keptAsleep !== kept && hasSleep(detail)) keptAsleep.keep(own);
  }
  return chosen;
}
