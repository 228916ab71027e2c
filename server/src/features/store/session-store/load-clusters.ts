// Loads the sessions that a change can affect: whole clusters of overlapping sessions, and other sessions of their days.

import { clusterSessions } from '../../../domain/sessions/sessions.ts';
import { HOUR_MS } from '../../../domain/time/durations.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import type { SessionKind } from './session-kind.ts';
import { type RecordRow, readOverlapping } from './store.ts';
import type { Interval } from './stored-session.ts';
import { joinIntervals, makeInterval, widen } from './windows.ts';

export type LoadedClusters = {
  /** Sessions that overlap or can be joined with a changed session, directly or through others. */
  readonly affected: readonly RecordRow[];
  /** The affected sessions and all others that can count toward the same days. */
  readonly loaded: readonly RecordRow[];
};

/** A local day has at most 25 hours. */
const DAY_MARGIN_MS = 25 * HOUR_MS;
/** Wide enough to load a night and its days with the first query. */
const FIRST_MARGIN_MS = 24 * HOUR_MS;

/** Doubles the loaded interval until no cluster reaches its edge, as a chain of sessions may be long. */
export async function loadClusters(
  db: Queryable,
  user: UserHandle,
  kind: SessionKind,
  touched: readonly Interval[],
): Promise<LoadedClusters> {
  const changed = joinIntervals(touched.map((interval) => widen(interval, kind.joinGapMs)));
  const marginMs = DAY_MARGIN_MS + kind.dayReachMs;
  let windows = joinIntervals(changed.map((interval) => widen(interval, marginMs + FIRST_MARGIN_MS)));
  for (;;) {
    const rows = await readOverlapping(db, kind.table, user, windows, kind.maxMs);
    const loaded = [...new Map(rows.map((row) => [row.id, row])).values()];
    const clusters = findTouched(loaded, changed, kind.joinGapMs);
    const needed = clusters.map(({ extent }) => widen(extent, marginMs));
    const wider = widenWhereNeeded(windows, needed);
    if (wider === null) return { affected: clusters.flatMap(({ rows }) => rows), loaded };
    windows = wider;
  }
}

type Cluster = { readonly extent: Interval; readonly rows: readonly RecordRow[] };

/** Both lists are sorted by time, so one pass is enough. */
function findTouched(loaded: readonly RecordRow[], changed: readonly Interval[], gapMs: number): Cluster[] {
  const sessions = loaded.map((row) => ({ session: row }));
  const clusters = clusterSessions(sessions, gapMs).map(toCluster);
  let next = 0;
  return clusters.filter(({ extent }) => {
    while ((changed[next]?.end ?? Number.POSITIVE_INFINITY) < extent.start) next += 1;
    return (changed[next]?.start ?? Number.POSITIVE_INFINITY) <= extent.end;
  });
}

function toCluster(members: readonly { readonly session: RecordRow }[]): Cluster {
  const rows = members.map(({ session }) => session);
  const endMs = rows.reduce<number>((latest, { end }) => Math.max(latest, end), Number.NEGATIVE_INFINITY);
  return { extent: makeInterval(rows[0]?.start ?? endMs, endMs), rows };
}

/** Null if every needed interval lies in a window. Both lists are sorted by time. */
function widenWhereNeeded(windows: readonly Interval[], needed: readonly Interval[]): Interval[] | null {
  let next = 0;
  const lacking = needed.filter(({ start, end }) => {
    while ((windows[next]?.end ?? Number.POSITIVE_INFINITY) < end) next += 1;
    return (windows[next]?.start ?? Number.POSITIVE_INFINITY) > start;
  });
  if (lacking.length === 0) return null;
  return joinIntervals([...windows, ...lacking.map((interval) => widen(interval, interval.end - interval.start))]);
}
