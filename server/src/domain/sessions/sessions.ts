// Selects the canonical sleeps and workouts if several devices recorded the same one (gap G-39, "one value for one
// period"). The order of arrival never matters.

import { compareRanks, compareText, type RankedDevice } from '../consolidate/ranking.ts';
import type { DeviceClass } from '../metrics/metric.ts';
import {
  hasSleep,
  lengthMs,
  overlapMs,
  SESSION_DETAILS,
  type Session,
  type SessionDetail,
} from '../records/session.ts';
import { DAY_MS } from '../time/durations.ts';
import { joinIntervals } from '../time/intervals.ts';
import { createCoverage, createTouchTest } from './session-coverage.ts';
import { demoteFragments } from './session-fragments.ts';
import { findOriginals, isSameWorkout, type Original, SAME_SESSION_SHARE, type TraitsOf } from './session-originals.ts';

export type { Session, SessionDetail } from '../records/session.ts';
export type SessionCandidate<Kind extends Session> = { readonly device: RankedDevice; readonly session: Kind };

/** A session as it is stored. `duplicateOf`: the id of the canonical record of the same session. */
export type ConsolidatedRecord = { readonly id: string; readonly duplicateOf: string | null };

export function isCanonical({ duplicateOf }: Pick<ConsolidatedRecord, 'duplicateOf'>): boolean {
  return duplicateOf === null;
}

/** A canonical session with its duplicates, best first. */
export type CanonicalSession<Kind extends Session> = SessionCandidate<Kind> & {
  readonly duplicates: readonly SessionCandidate<Kind>[];
};

export type SessionRule<Kind extends Session = Session> = {
  readonly ranking: readonly DeviceClass[];
  /**
   * Sleep only: a session that covers less of the longest session overlapping it ranks after that one; null for none.
   */
  readonly minCoverage: number | null;
  /** Sleep only: a more detailed record ranks before a less detailed one, whatever its device. */
  readonly detailOf?: (session: Kind) => SessionDetail;
  /** Workouts only: what identifies copies beside their times. */
  readonly traitsOf?: TraitsOf<Kind>;
};

/** A record that covers less than this fraction of a longer one is a nap or a remnant, and never replaces it. */
export const MIN_STAND_IN_SHARE = 0.25;

/**
 * Larger clusters of overlapping sessions are decided one UTC day at a time, so that the time does not grow with the
 * square of an upload. A user with ten devices has about thirty sessions per night.
 */
const MAX_CLUSTER_SESSIONS = 300;

/** Canonical sessions by start. Each cluster is decided separately: a session outside it cannot change the result. */
export function consolidateSessions<Kind extends Session>(
  candidates: Iterable<SessionCandidate<Kind>>,
  rule: SessionRule<Kind>,
): CanonicalSession<Kind>[] {
  const compare = compareCandidates(rule.ranking);
  return divideSessions(candidates)
    .flatMap((cluster) => {
      const originals = findOriginals(cluster, rule.traitsOf);
      return consolidateCluster(orderSessions(cluster, rule, originals), rule, originals);
    })
    .sort((a, b) => a.session.start - b.session.start || compare(a, b));
}

/** The groups that are decided separately: clusters, and days of a cluster with too many sessions. */
export function divideSessions<Candidate extends { readonly session: Session }>(
  candidates: Iterable<Candidate>,
): Candidate[][] {
  return clusterSessions(candidates).flatMap((cluster) => (isLarge(cluster) ? divideByDay(cluster) : [cluster]));
}

/**
 * Those of the groups that a change can affect. `changed`: the intervals of added and removed sessions, by start and
 * without overlaps. In a large cluster these are the changed days, and the days of sessions that were a small cluster
 * before the change or may have been. More than `MAX_CLUSTER_SESSIONS` that are connected without the changed ones
 * were a large cluster already. If `changed` is a part of a change, `allChanged` is the whole: sessions that are new
 * in another part did not connect others before.
 */
export function divideChanged<Candidate extends { readonly session: Session }>(
  candidates: Iterable<Candidate>,
  changed: readonly Pick<Session, 'start' | 'end'>[],
  allChanged = changed,
): Candidate[][] {
  const isNear = createTouchTest(changed);
  const isNearAny = createTouchTest(allChanged);
  const changedDays = changed.flatMap(listUtcDays);
  return clusterSessions(candidates).flatMap((cluster) => {
    const near = cluster.filter(({ session }) => isNear(session));
    if (near.length === 0) return [];
    if (!isLarge(cluster)) return [cluster];
    const others = clusterSessions(cluster.filter(({ session }) => !isNearAny(session)));
    // Those that only another part of the change connects are decided with that part.
    const isConnected = createTouchTest(joinIntervals(near.map(({ session }) => session)));
    const joined = others.filter((part) => !isLarge(part) && part.some(({ session }) => isConnected(session))).flat();
    const days = new Set([...changedDays, ...[...near, ...joined].map(({ session }) => utcDayOf(session.start))]);
    return divideByDay(cluster.filter(({ session }) => days.has(utcDayOf(session.start))));
  });
}

function isLarge(cluster: readonly unknown[]): boolean {
  return cluster.length > MAX_CLUSTER_SESSIONS;
}

function divideByDay<Candidate extends { readonly session: Session }>(cluster: readonly Candidate[]): Candidate[][] {
  return [...Map.groupBy(cluster, ({ session }) => utcDayOf(session.start)).values()];
}

/** Days since 1970. */
function utcDayOf(timeMs: number): number {
  return Math.floor(timeMs / DAY_MS);
}

function listUtcDays({ start, end }: Pick<Session, 'start' | 'end'>): number[] {
  const first = utcDayOf(start);
  return Array.from({ length: utcDayOf(end) - first + 1 }, (_, index) => first + index);
}

/**
 * Sessions that touch each other, or lie less than a gap apart, directly or through others, by time. A new session can
 * change only its cluster.
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
 * Records of one cluster, best first: by rank, then the earlier start, the device id; of one device the longer. A
 * re-export comes right after its original, a fragment after the session that it is part of. If the detail of records
 * is known, the more detailed one comes first, and records without sleep come last.
 */
export function orderSessions<Candidate extends SessionCandidate<Session>>(
  cluster: readonly Candidate[],
  { ranking, minCoverage, detailOf, traitsOf }: SessionRule<Candidate['session']>,
  originals: Originals<Candidate> = findOriginals(cluster, traitsOf),
): readonly Candidate[] {
  const compare = compareCandidates(ranking, originals);
  const order = (some: readonly Candidate[] = []): readonly Candidate[] =>
    minCoverage === null ? some : demoteFragments(some, minCoverage);
  if (detailOf === undefined) return order(cluster.toSorted(compare));
  const details = new Map(cluster.map((one) => [one, detailOf(one.session)]));
  const detail = (one: Candidate) => details.get(one) as SessionDetail;
  const level = (one: Candidate) => SESSION_DETAILS.indexOf(detail(one));
  const ranked = cluster.toSorted(compare);
  const withSleep = ranked.filter((one) => hasSleep(detail(one))).sort((a, b) => level(a) - level(b));
  const covered = createCoverage(withSleep.map(({ session }) => session));
  // A sleep without detail, of which records with sleep cover so little that they are naps.
  const isNight = (one: Candidate) =>
    detail(one) === 'times' && covered(one.session) < MIN_STAND_IN_SHARE * lengthMs(one.session);
  const others = ranked.filter((one) => !hasSleep(detail(one)));
  const { nights, rest } = Object.groupBy(others, (one) => (isNight(one) ? 'nights' : 'rest'));
  return [...order(nights), ...order(withSleep), ...order(rest)];
}

type Compare = (a: SessionCandidate<Session>, b: SessionCandidate<Session>) => number;
type Originals<Candidate> = ReadonlyMap<Candidate, Original<Candidate>>;

/** A total order; the key is the last tie-break. A re-export has the rank of its original and comes after it. */
function compareCandidates(
  ranking: readonly DeviceClass[],
  originals: Originals<SessionCandidate<Session>> = new Map(),
): Compare {
  const compare = compareRanks(ranking);
  const rankOf = (one: SessionCandidate<Session>) => (originals.get(one)?.record ?? one).device;
  const stepsOf = (one: SessionCandidate<Session>) => originals.get(one)?.steps ?? 0;
  return (a, b) =>
    compare(rankOf(a), rankOf(b)) ||
    stepsOf(a) - stepsOf(b) ||
    a.session.start - b.session.start ||
    compareText(a.device.id, b.device.id) ||
    b.session.end - a.session.end ||
    compareText(a.session.key, b.session.key);
}

/** A duplicate is linked to the session of its original, else to the one it overlaps most, the best of equals. */
function consolidateCluster<Kind extends Session>(
  ordered: readonly SessionCandidate<Kind>[],
  { detailOf, traitsOf }: SessionRule<Kind>,
  originals: Originals<SessionCandidate<Kind>>,
): CanonicalSession<Kind>[] {
  const canonical: Canonical<Kind>[] = [];
  const canonicalAsleep: Canonical<Kind>[] = [];
  const groups = new Map<SessionCandidate<Kind>, Canonical<Kind>>();
  const covered = createCoverage(
    ordered.flatMap(({ session }) => (detailOf && hasSleep(detailOf(session)) ? session : [])),
  );
  for (const candidate of ordered) {
    const { session } = candidate;
    const detail = detailOf?.(session) ?? 'all_stages';
    // Lying in bed before or after a sleep is not a separate sleep, nor is a sleep that others recorded with more
    // detail.
    const isPart = detail === 'in_bed' || covered(session) > SAME_SESSION_SHARE * lengthMs(session);
    const beside = () => (!hasSleep(detail) && isPart ? findSame(canonicalAsleep, session, overlaps) : null);
    const copied = () => traitsOf && findSame(canonical, session, (one) => isSameWorkout(one, candidate, traitsOf));
    const original = traitsOf && originals.get(candidate)?.record;
    const group =
      (original && groups.get(original)) ?? findSame(canonical, session, isSameSession) ?? beside() ?? copied();
    if (group) {
      group.duplicates.push(candidate);
      groups.set(candidate, group);
      continue;
    }
    const own = { ...candidate, duplicates: [] };
    groups.set(candidate, own);
    canonical.push(own);
    if (hasSleep(detail)) canonicalAsleep.push(own);
  }
  return canonical;
}

type Canonical<Kind extends Session> = SessionCandidate<Kind> & { readonly duplicates: SessionCandidate<Kind>[] };

function overlaps({ session }: SessionCandidate<Session>, other: Session): boolean {
  return overlapMs(session, other) > 0;
}

function isSameSession({ session }: SessionCandidate<Session>, other: Session): boolean {
  return overlapMs(session, other) > SAME_SESSION_SHARE * Math.min(lengthMs(session), lengthMs(other));
}

/** The matching session with the largest overlap; of equals the first. */
function findSame<Kind extends Session>(
  canonical: readonly Canonical<Kind>[],
  session: Session,
  isSame: (one: Canonical<Kind>, session: Session) => boolean,
): Canonical<Kind> | null {
  let [same, mostMs]: [Canonical<Kind> | null, number] = [null, 0];
  for (const one of canonical) {
    const sharedMs = overlapMs(one.session, session);
    if (sharedMs > mostMs && isSame(one, session)) [same, mostMs] = [one, sharedMs];
  }
  return same;
}
