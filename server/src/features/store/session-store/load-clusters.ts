// Loads the sessions that a change can affect: the groups that are consolidated again, and other sessions of their nights and days.

import { createTouchTest } from '../../../domain/sessions/session-coverage.ts';
import { clusterSessions, divideChanged, type SessionCandidate } from '../../../domain/sessions/sessions.ts';
import type { Zone } from '../../../domain/time/day.ts';
import { HOUR_MS } from '../../../domain/time/durations.ts';
import { joinIntervals } from '../../../domain/time/intervals.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { createYielder } from '../../../platform/event-loop.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import type { SourceDevice } from '../devices/index.ts';
import type { SessionKind } from './session-kind.ts';
import { type RecordRow, readOverlapping } from './store.ts';
import type { EpochInterval } from './stored-session.ts';
import { widen } from './windows.ts';

export type LoadedClusters = {
  /** Sessions that are decided anew, in groups that do not affect each other. Without those of removed devices. */
  readonly groups: readonly (readonly SessionCandidate<RecordRow>[])[];
  /** Sessions whose canonical session or day can change. */
  readonly affected: readonly RecordRow[];
  /** The affected sessions and all others that can count toward the same days. */
  readonly loaded: readonly RecordRow[];
};

/** A local day has at most 25 hours. */
const DAY_MARGIN_MS = 25 * HOUR_MS;
/** Wide enough to load a night, its UTC days and its local days with the first query. */
const FIRST_MARGIN_MS = 36 * HOUR_MS;

type Loading = {
  readonly kind: SessionKind;
  readonly zone: Zone;
  /** What `widenTouched` returns for all sessions of the change; `touched` may be a part of them. */
  readonly changedTogether: readonly EpochInterval[];
  /** Undefined: the device was removed. */
  deviceOf(row: RecordRow): SourceDevice | undefined;
};

/**
 * Widens the loaded intervals until they contain the affected sessions and their days. A chain of overlapping sessions may last for
 * years; only the part of it that the change affects is loaded.
 */
export async function loadClusters(
  db: Queryable,
  user: UserHandle,
  loading: Loading,
  touched: readonly EpochInterval[],
): Promise<LoadedClusters> {
  const { kind } = loading;
  const changed = widenTouched(kind, touched);
  const marginMs = DAY_MARGIN_MS + kind.dayReachMs;
  let windows = joinIntervals(changed.map((interval) => widen(interval, marginMs + FIRST_MARGIN_MS)));
  const yieldIfDue = createYielder();
  for (;;) {
    const rows = await readOverlapping(db, kind.table, user, windows, kind.maxMs);
    await yieldIfDue(); // several uploads may receive their rows at the same time
    const loaded = [...new Map(rows.map((row) => [row.id, row])).values()];
    const clusters = findAffected(loading, loaded, touched, changed);
    const wider = widenWhereNeeded(windows, joinIntervals(clusters.affected), marginMs);
    if (wider === null) return clusters;
    windows = wider;
  }
}

/** The intervals in which a touched session can affect others, by start and without overlaps. */
export function widenTouched({ joinGapMs }: SessionKind, touched: readonly EpochInterval[]): EpochInterval[] {
  return joinIntervals(touched.map((interval) => widen(interval, joinGapMs)));
}

function findAffected(
  { kind, zone, changedTogether, deviceOf }: Loading,
  loaded: readonly RecordRow[],
  touched: readonly EpochInterval[],
  changed: readonly EpochInterval[],
): LoadedClusters {
  const candidates = loaded.flatMap((session) => {
    const device = deviceOf(session);
    return device === undefined ? [] : [{ device, session }];
  });
  const groups = divideChanged(candidates, changed, changedTogether);
  const decided = new Set(groups.flatMap((group) => group.map(({ session }) => session)));
  const isAmongDecided = createTouchTest(joinIntervals([...changed, ...decided]));
  const nights = new Set([...touched, ...decided].map((interval) => kind.nightOf(interval, zone)));
  nights.delete(null);
  const isAffected = (row: RecordRow) =>
    decided.has(row) || (deviceOf(row) === undefined ? isAmongDecided(row) : nights.has(kind.nightOf(row, zone)));
  return { groups, affected: listConnected(loaded, changed, kind.joinGapMs).filter(isAffected), loaded };
}

/** Sessions that overlap or can be joined with a changed session, directly or through others. */
function listConnected(loaded: readonly RecordRow[], changed: readonly EpochInterval[], gapMs: number): RecordRow[] {
  const isChanged = createTouchTest(changed);
  return clusterSessions(
    loaded.map((session) => ({ session })),
    gapMs,
  )
    .map((cluster) => cluster.map(({ session }) => session))
    .filter((cluster) => cluster.some(isChanged))
    .flat();
}

/** Null if every needed interval and its margin lie in a window. What reaches the edge of a window may continue beyond it. */
function widenWhereNeeded(
  windows: readonly EpochInterval[],
  needed: readonly EpochInterval[],
  marginMs: number,
): EpochInterval[] | null {
  const isLoaded = ({ start, end }: EpochInterval) =>
    windows.some((window) => window.start <= start && end <= window.end);
  const lacking = needed
    .filter((interval) => !isLoaded(widen(interval, marginMs)))
    .map((interval) => widen(interval, marginMs + (isLoaded(interval) ? 0 : interval.end - interval.start)));
  return lacking.length === 0 ? null : joinIntervals([...windows, ...lacking]);
}
