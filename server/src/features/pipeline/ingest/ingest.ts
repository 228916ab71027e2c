// Ingests a batch of one device: stores normalized records, consolidates, emits the event and queues scoring. Runs in the caller's
// transaction, which holds the user's lock.

import type { MetricId } from '../../../domain/metrics/index.ts';
import { listReachedDays } from '../../../domain/scores/index.ts';
import type { DeviceNumber } from '../../../domain/tenancy.ts';
import { type DateRange, joinDates, type LocalDate } from '../../../domain/time/calendar.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { createYielder } from '../../../platform/event-loop.ts';
import type { OpenedSource } from '../../store/devices/index.ts';
import type { MergeResult, Touched } from '../../store/samples/index.ts';
import { type ReconsolidatedDates, reconsolidateSessions, storeSessions } from '../../store/session-store/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import type { Batch } from './batch.ts';
import { consolidateInGroups } from './consolidate-in-groups.ts';
import { type ConsolidationContext, openConsolidation } from './consolidation-context.ts';
import { addPair, type DayPairs, listDatesOf, listDatesWithin } from './day-pairs.ts';
import { setStated, unsetStated } from './device-days.ts';
import { type PreparedBatch, prepareBatch } from './prepare-batch.ts';
import { type EmitChange, recordChange } from './record-change.ts';
import { PART_COST } from './split-batch.ts';

export type IngestResult = {
  /** Added or replaced. */
  readonly accepted: number;
  /** Stored already with the same content. */
  readonly duplicates: number;
  readonly deleted: number;
  /** Samples beyond the limit of a block. */
  readonly refused: MergeResult['refused'];
  /** Sleeps and workouts beyond the limit of a user's UTC day. */
  readonly refusedSleep: number;
  readonly refusedWorkouts: number;
  /** Workouts stored without their route or laps, because the account does not keep them. */
  readonly droppedRoutes: number;
};

type Source = Pick<OpenedSource, 'device' | 'devices'> & Partial<Pick<OpenedSource, 'otherInstallations'>>;

export function ingest(
  tx: Transaction,
  user: UserHandle,
  source: Source,
  batch: Batch,
  now: Date,
  emit?: EmitChange,
): Promise<IngestResult> {
  return ingestParts(tx, user, source, prepareBatch(batch, PART_COST.inBackground), { now, emit });
}

type IngestOptions = {
  readonly now: Date;
  /** Instead of an event for each change. */
  readonly emit?: EmitChange | undefined;
  /** Recorded with the change, to save a statement. */
  readonly syncedAt?: Date;
};

/** Ingests part by part and yields to other requests in between. */
export async function ingestParts(
  tx: Transaction,
  user: UserHandle,
  source: Source,
  batches: Iterable<PreparedBatch>,
  { now, emit, syncedAt }: IngestOptions,
): Promise<IngestResult> {
  const parts: PartResult[] = [];
  let longestSampleMs = user.longestSampleMs;
  for (const part of batches) {
    const reached = { ...user, longestSampleMs }; // earlier parts may have stored longer samples
    parts.push(...(await deleteElsewhere(tx, reached, source, part)));
    const result = await ingestPart(tx, reached, source, part);
    longestSampleMs = Math.max(longestSampleMs, result.longestSampleMs);
    parts.push(result);
  }
  const total = (name: 'accepted' | 'duplicates' | 'deleted' | 'refusedSleep' | 'refusedWorkouts' | 'droppedRoutes') =>
    parts.reduce((sum, part) => sum + part[name], 0);
  if (total('accepted') + total('deleted') > 0) {
    const change = {
      type: 'data.updated' as const,
      deviceId: source.device.id,
      metrics: new Set(parts.flatMap(({ metrics }) => [...metrics])),
      days: joinDates(parts.flatMap(({ dates }) => dates)),
      hasDeletions: total('deleted') > 0 || parts.some(({ hasRemovals }) => hasRemovals),
      isUserInitiated: false,
      longestSampleMs,
      syncedAt: syncedAt ?? null,
      rescoreRanges: parts.flatMap(({ rescoreRanges }) => rescoreRanges),
    };
    await recordChange(tx, user, change, now, emit);
  }
  return {
    accepted: total('accepted'),
    duplicates: total('duplicates'),
    deleted: total('deleted'),
    refused: parts.flatMap(({ refused }) => refused),
    refusedSleep: total('refusedSleep'),
    refusedWorkouts: total('refusedWorkouts'),
    droppedRoutes: total('droppedRoutes'),
  };
}

/** A deletion also applies to records that other installations of the app sent. */
async function deleteElsewhere(
  tx: Transaction,
  user: UserHandle,
  { devices, otherInstallations = [] }: Source,
  { deletions }: PreparedBatch,
): Promise<PartResult[]> {
  if (deletions.length === 0) return [];
  const parts: PartResult[] = [];
  const empty = { samples: new Map(), daily: [], sleep: [], workouts: [] };
  for (const device of otherInstallations)
    parts.push(await ingestPart(tx, user, { device, devices }, { ...empty, deletions }));
  return parts;
}

type PartResult = IngestResult & {
  /** A day lost a value or session that it had before. */
  readonly hasRemovals: boolean;
  readonly metrics: ReadonlySet<MetricId>;
  readonly dates: readonly LocalDate[];
  readonly longestSampleMs: number;
  readonly rescoreRanges: readonly DateRange[];
};

async function ingestPart(
  tx: Transaction,
  user: UserHandle,
  { device, devices }: Source,
  batch: PreparedBatch,
): Promise<PartResult> {
  const context = openConsolidation(tx, user, devices);
  const samples: DayPairs = new Map();
  const stated: DayPairs = new Map();
  const removed = await removeSamples(context, device.number, batch, samples);
  const merged = await context.samples.merge(device.number, batch.samples);
  await addTouched(context, samples, merged.touched);
  const unset = await removeStated(context, device.number, batch, samples);
  await context.days.load(batch.daily.map(({ date }) => date));
  const daily = setStated(context.days, device.number, batch.daily);
  for (const { metric, date } of daily.changed) addPair(stated, metric, date);
  const sessions = await storeSessions(tx, user, device.number, {
    sleep: batch.sleep,
    workouts: batch.workouts,
    deletedSleep: keysOf(batch, 'sleep'),
    deletedWorkouts: keysOf(batch, 'workout'),
  });
  const reconsolidated = await reconsolidateSessions(
    tx,
    user,
    { zone: context.zone, devices, isProviderOn: context.rules.isProviderOn },
    { sleep: sessions.touchedSleep, workouts: sessions.touchedWorkouts },
  );
  const changed = await consolidateInGroups(context, {
    samples: new Map<DeviceNumber, DayPairs>([[device.number, samples]]),
    sleepDates: reconsolidated.sleepDates,
    workoutDates: reconsolidated.workoutDates,
    others: stated,
  });
  const changedPairs = [samples, changed, stated];
  return {
    accepted: merged.added + merged.replaced + daily.added + daily.replaced + sessions.added + sessions.replaced,
    duplicates: merged.equal + daily.equal + sessions.equal,
    deleted: removed + unset + sessions.deleted,
    refused: merged.refused,
    refusedSleep: sessions.refusedSleep,
    refusedWorkouts: sessions.refusedWorkouts,
    droppedRoutes: sessions.droppedRoutes,
    hasRemovals: context.days.hasRemovals() || sessions.moved > 0,
    metrics: new Set([...changedPairs.flatMap((pairs) => [...pairs.keys()]), ...sessionMetrics(reconsolidated)]),
    dates: [
      ...changedPairs.flatMap((pairs) => [...listDatesOf(pairs)]),
      ...reconsolidated.sleepDates,
      ...reconsolidated.workoutDates,
    ],
    longestSampleMs: context.samples.longestMs(),
    rescoreRanges: [...context.rescoreRanges, ...listReachedDays(context.zone, reconsolidated.intervals)],
  };
}

/** Included even if only the canonical session changed, and no value. */
export function sessionMetrics({ sleepDates, workoutDates }: ReconsolidatedDates): MetricId[] {
  const metrics = [...(sleepDates.size > 0 ? ['asleep'] : []), ...(workoutDates.size > 0 ? ['exercise'] : [])];
  return metrics as MetricId[];
}

async function removeSamples(
  context: ConsolidationContext,
  device: DeviceNumber,
  { deletions }: PreparedBatch,
  pairs: DayPairs,
): Promise<number> {
  let removed = 0;
  const ofSamples = deletions.filter((deletion) => deletion.kind === 'samples');
  for (const [metric, some] of Map.groupBy(ofSamples, (deletion) => deletion.metric)) {
    const intervals = some.map(({ start, end }) => ({ fromMs: start, toMs: end }));
    const result = await context.samples.remove(device, metric, intervals);
    removed += result.removed;
    await addTouched(context, pairs, result.touched);
  }
  return removed;
}

/** Returns how many values were removed. */
async function removeStated(
  { days }: ConsolidationContext,
  device: DeviceNumber,
  { deletions }: PreparedBatch,
  pairs: DayPairs,
): Promise<number> {
  const ofDays = deletions.filter((deletion) => deletion.kind === 'daily');
  await days.load(ofDays.map(({ date }) => date));
  const removed = ofDays.filter(({ metric, date }) => unsetStated(days, device, metric, date));
  for (const { metric, date } of removed) addPair(pairs, metric, date);
  return removed.length;
}

export async function addTouched(
  { zone }: ConsolidationContext,
  pairs: DayPairs,
  touched: readonly Touched[],
): Promise<void> {
  const yieldIfDue = createYielder();
  for (const { metric, fromMs, toMs } of touched) {
    for (const date of listDatesWithin(zone, fromMs, toMs)) {
      addPair(pairs, metric, date);
      await yieldIfDue();
    }
  }
}

function keysOf({ deletions }: PreparedBatch, kind: 'sleep' | 'workout'): string[] {
  return deletions.flatMap((deletion) => (deletion.kind === kind ? [deletion.key] : []));
}
