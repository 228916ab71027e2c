// Consolidates the sessions that a change can affect, and writes the differences. The result is the same as for all sessions: only
// overlapping sessions affect each other, and the main sleep of a date depends only on the sessions of that date, which are all loaded.
// Yields to the event loop between groups, nights and days, because a day may have hundreds of sessions.

import { listMainSessions } from '../../../domain/sleep/index.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import type { Zone } from '../../../domain/time/day.ts';
import { DAY_MS } from '../../../domain/time/durations.ts';
import { joinIntervals } from '../../../domain/time/intervals.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { createYielder } from '../../../platform/event-loop.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import type { SourceDevice } from '../devices/index.ts';
import { type LoadedClusters, loadClusters, widenTouched } from './load-clusters.ts';
import { type SessionKind, SLEEP, WORKOUT } from './session-kind.ts';
import { flagRows, type RecordRow, readExtent } from './store.ts';
import type { EpochInterval, TouchedSessions } from './stored-session.ts';
import { makeInterval } from './windows.ts';

export type SessionContext = {
  readonly zone: Zone;
  readonly devices: readonly SourceDevice[];
  isProviderOn(provider: string): boolean;
};

/** Every local date whose sessions may have changed, before or after the change; includes the dates of `touched`. */
export type ReconsolidatedDates = {
  readonly sleepDates: Set<LocalDate>;
  readonly workoutDates: Set<LocalDate>;
  /** The intervals of these sessions, including `touched`. A session may overlap days that it does not count toward. */
  readonly intervals: TouchedSessions;
  /** Whether the canonical session, the main sleep or the date of any session changed. */
  readonly changed: boolean;
};

/** The part of a long history that is held in memory at a time: at most 12,200 sleeps. */
const GROUP_MS = 61 * DAY_MS;
/** Touched sessions per query: a year of nights. */
const SESSIONS_AT_ONCE = 366;

export async function reconsolidateSessions(
  tx: Transaction,
  user: UserHandle,
  context: SessionContext,
  touched: TouchedSessions | 'all',
  atOnce = SESSIONS_AT_ONCE,
): Promise<ReconsolidatedDates> {
  const consolidating = { tx, user, context, atOnce };
  const sleep = await consolidateKind({ ...consolidating, kind: SLEEP }, touched === 'all' ? 'all' : touched.sleep);
  const workouts = await consolidateKind(
    { ...consolidating, kind: WORKOUT },
    touched === 'all' ? 'all' : touched.workouts,
  );
  return {
    sleepDates: sleep.dates,
    workoutDates: workouts.dates,
    intervals: { sleep: sleep.intervals, workouts: workouts.intervals },
    changed: sleep.changed || workouts.changed,
  };
}

type Consolidating = {
  readonly tx: Transaction;
  readonly user: UserHandle;
  readonly context: SessionContext;
  readonly atOnce: number;
  readonly kind: SessionKind;
};
type ReconsolidatedKind = { readonly dates: Set<LocalDate>; readonly intervals: EpochInterval[]; changed: boolean };

async function consolidateKind(
  consolidating: Consolidating,
  touched: readonly EpochInterval[] | 'all',
): Promise<ReconsolidatedKind> {
  const result: ReconsolidatedKind = { dates: new Set(), intervals: [], changed: false };
  if (touched === 'all') {
    await consolidateAll(consolidating, result);
  } else if (touched.length > 0) {
    const sorted = touched.toSorted((a, b) => a.start - b.start);
    result.intervals.push(...sorted);
    await consolidateSlices(consolidating, sorted, result);
    // A main sleep depends on duplicates of its night, which the next slice may have changed.
    if (sorted.length > consolidating.atOnce) await consolidateSlices(consolidating, sorted, result);
  }
  return result;
}

async function consolidateSlices(
  consolidating: Consolidating,
  sorted: readonly EpochInterval[],
  result: ReconsolidatedKind,
): Promise<void> {
  const { kind, atOnce } = consolidating;
  const changedTogether = widenTouched(kind, sorted);
  for (let first = 0; first < sorted.length; first += atOnce) {
    const touched = sorted.slice(first, first + atOnce);
    await consolidateAround(consolidating, { touched, changedTogether, isWindow: false }, result);
  }
}

/** Two months at a time. Sessions that cross the end of them are consolidated twice, with the same result. */
async function consolidateAll(consolidating: Consolidating, result: ReconsolidatedKind): Promise<void> {
  const extent = await readExtent(consolidating.tx, consolidating.kind.table, consolidating.user);
  if (extent === null) return;
  for (let startMs: number = extent.start; startMs < extent.end; startMs += GROUP_MS) {
    const touched = [makeInterval(startMs, startMs + GROUP_MS)];
    const changedTogether = widenTouched(consolidating.kind, touched);
    await consolidateAround(consolidating, { touched, changedTogether, isWindow: true }, result);
  }
}

type Slice = {
  readonly touched: readonly EpochInterval[];
  /** See `loadClusters`. All sessions of a change are stored before its first slice is consolidated. */
  readonly changedTogether: readonly EpochInterval[];
  /** `touched` is a part of the history, not the intervals of sessions. */
  readonly isWindow: boolean;
};

async function consolidateAround(
  consolidating: Consolidating,
  { touched, changedTogether, isWindow }: Slice,
  result: ReconsolidatedKind,
): Promise<void> {
  const { tx, user, kind, context } = consolidating;
  const byNumber = new Map(context.devices.map((device) => [device.number, device]));
  const deviceOf = ({ device }: RecordRow) => byNumber.get(device);
  const clusters = await loadClusters(tx, user, { kind, zone: context.zone, changedTogether, deviceOf }, touched);
  const links = await linkDuplicates(context, kind, clusters, deviceOf);
  const dateOf = await dateRows(consolidating, clusters, links);
  const touchedDates = isWindow ? [] : listTouchedDates(consolidating, touched, clusters);
  const filledDates = isWindow ? [] : listFilled(consolidating, clusters, links, touched).map(dateOf);
  for (const date of [...touchedDates, ...filledDates]) result.dates.add(date);
  const changed = await listChanges(consolidating, clusters, { links, dateOf, deviceOf }, touchedDates);
  for (const { before, after } of changed) result.dates.add(before.date).add(after.date);
  for (const row of listRelinked(consolidating, clusters, changed)) result.dates.add(row.date).add(dateOf(row));
  result.changed ||= changed.length > 0;
  const rows = changed.map(({ after }) => after);
  result.intervals.push(...rows.map(({ start, end }) => makeInterval(start, end)));
  if (rows.length > 0) await flagRows(tx, kind.table, user, rows);
}

/** A part of a night counts toward the day of the whole night; the remaining parts still have that date. */
function listTouchedDates(
  { context: { zone }, kind }: Consolidating,
  touched: readonly EpochInterval[],
  { affected }: LoadedClusters,
): LocalDate[] {
  const nights = new Set(touched.map((interval) => kind.nightOf(interval, zone)));
  nights.delete(null);
  const partners = affected.filter((row) => nights.has(kind.nightOf(row, zone)));
  return [...touched.map((interval) => kind.dateOf(interval, zone)), ...partners.map(({ date }) => date)];
}

/** By id: the canonical session of each session. Null: it is canonical itself. */
type Links = ReadonlyMap<string, string | null>;
type DeviceOf = (row: RecordRow) => SourceDevice | undefined;
type Decided = {
  readonly links: Links;
  readonly dateOf: (row: RecordRow) => LocalDate;
  readonly deviceOf: DeviceOf;
};
type Change = { readonly before: RecordRow; readonly after: RecordRow };

async function listChanges(
  { context, kind }: Consolidating,
  { affected, loaded }: LoadedClusters,
  { links, dateOf, deviceOf }: Decided,
  touchedDates: readonly LocalDate[],
): Promise<Change[]> {
  const dated = loaded.map((before) => ({
    before,
    after: {
      ...before,
      duplicateOf: duplicateOf(links, before),
      date: dateOf(before),
    },
  }));
  const decided = new Set([...touchedDates, ...affected.map(dateOf)]);
  const considered = dated.filter(({ after }) => decided.has(after.date));
  const mainIds = kind.hasMain ? await findMainIds(context, deviceOf, considered, dated) : new Set();
  return considered
    .map(({ before, after }) => ({ before, after: { ...after, isMain: mainIds.has(after.id) } }))
    .filter(({ before, after }) => isDifferent(before, after));
}

/** A duplicate fills in values of its canonical sleep, which may count toward another day. */
function listFilled(
  { kind }: Consolidating,
  { affected }: LoadedClusters,
  links: Links,
  touched: readonly EpochInterval[],
): RecordRow[] {
  if (kind !== SLEEP) return [];
  const changed = joinIntervals(touched);
  return affected.filter(
    ({ id, start, end }) => links.get(id) === null && changed.some((one) => one.start < end && one.end > start),
  );
}

/** The canonical sleeps that lost or gained a duplicate; they may be unchanged otherwise, and count toward another day than it. */
function listRelinked({ kind }: Consolidating, { loaded }: LoadedClusters, changed: readonly Change[]): RecordRow[] {
  if (kind !== SLEEP) return [];
  const ids = new Set(
    changed
      .filter(({ before, after }) => before.duplicateOf !== after.duplicateOf)
      .flatMap(({ before, after }) => [before.duplicateOf, after.duplicateOf]),
  );
  return loaded.filter(({ id }) => ids.has(id));
}

/** The day of each session; all parts of a night count toward the same day. */
async function dateRows(
  { context: { zone }, kind }: Consolidating,
  { loaded }: LoadedClusters,
  links: Links,
): Promise<(row: RecordRow) => LocalDate> {
  const dates = new Map<RecordRow, LocalDate>();
  const yieldIfDue = createYielder();
  for (const some of kind.dateAll(loaded, zone, (row) => duplicateOf(links, row))) {
    for (const [row, date] of some) dates.set(row, date);
    await yieldIfDue();
  }
  return (row) => dates.get(row) ?? kind.dateOf(row, zone);
}

function duplicateOf(links: Links, row: RecordRow): string | null {
  return links.has(row.id) ? (links.get(row.id) ?? null) : row.duplicateOf;
}

/** By id: the canonical session. Null: it is canonical. Its own id: neither, because its provider is disabled or its device removed. */
async function linkDuplicates(
  { isProviderOn }: SessionContext,
  kind: SessionKind,
  { groups, affected }: LoadedClusters,
  deviceOf: DeviceOf,
): Promise<Map<string, string | null>> {
  const ofRemoved = affected.filter((row) => deviceOf(row) === undefined);
  const decided = groups.flatMap((group) => group.map(({ session }) => session));
  const links = new Map<string, string | null>([...ofRemoved, ...decided].map(({ id }) => [id, id]));
  const yieldIfDue = createYielder();
  for (const group of groups) {
    for (const { session, duplicates } of kind.consolidate(group, isProviderOn)) {
      links.set(session.id, null);
      for (const duplicate of duplicates) links.set(duplicate.session.id, session.id);
    }
    await yieldIfDue();
  }
  return links;
}

async function findMainIds(
  { zone }: SessionContext,
  deviceOf: DeviceOf,
  considered: readonly Change[],
  dated: readonly Change[],
): Promise<Set<string>> {
  const toCandidate = ({ after }: Change) => {
    const device = deviceOf(after);
    return device === undefined ? [] : [{ device, session: after }];
  };
  const duplicates = Map.groupBy(dated.flatMap(toCandidate), ({ session }) => session.duplicateOf);
  const canonical = considered
    .flatMap(toCandidate)
    .filter(({ session }) => session.duplicateOf === null)
    .map((one) => ({ ...one, duplicates: duplicates.get(one.session.id) ?? [] }));
  const mainIds = new Set<string>();
  const yieldIfDue = createYielder();
  for (const ofDate of Map.groupBy(canonical, ({ session }) => session.date).values()) {
    for (const { session } of listMainSessions(ofDate, zone)) mainIds.add(session.id);
    await yieldIfDue();
  }
  return mainIds;
}

function isDifferent(before: RecordRow, after: RecordRow): boolean {
  return before.date !== after.date || before.duplicateOf !== after.duplicateOf || before.isMain !== after.isMain;
}
