// Recomputes the canonical value of every touched (metric, day) pair from the values of all devices.
// A value depends only on the stored data, so any order, split or repetition of uploads gives the same result.

import { formatContributors, parseDeviceDayNote } from '../../../domain/consolidate/day-notes.ts';
import {
  addDayOfDevice,
  consolidateDayValue,
  type DayCandidate,
  enableCanonicalWorkouts,
  type SessionsOfDay,
} from '../../../domain/consolidate/day-value.ts';
import type { Consolidated } from '../../../domain/consolidate/index.ts';
import { DERIVED_METRICS, deriveMetric, isSumOfParts } from '../../../domain/metrics/derived-metrics.ts';
import { HISTORY_RULES } from '../../../domain/metrics/history-metrics.ts';
import { NIGHT_HRV } from '../../../domain/metrics/hrv-kind.ts';
import { getMetricOrThrow, isBodyMeasurement, type Metric, type MetricId } from '../../../domain/metrics/index.ts';
import {
  ALSO_DERIVED_FROM_SAMPLES,
  DERIVED_FROM_SAMPLES_OF,
  SLEEP_METRICS,
  WORKOUT_METRICS,
} from '../../../domain/metrics/session-metrics.ts';
import type { HrvKind } from '../../../domain/records/records.ts';
import type { DeviceId, DeviceNumber } from '../../../domain/tenancy.ts';
import { addDays, type DateRange, joinDates, type LocalDate, rangeOf } from '../../../domain/time/calendar.ts';
import { NO_QUARTER_HOURS } from '../../../domain/time/quarter-hours.ts';
import { createYielder } from '../../../platform/event-loop.ts';
import type { SourceDevice } from '../../store/devices/index.ts';
import { RESTING_HEART_RATE, RESTING_REACH_DAYS } from '../../store/heart-rate-range/index.ts';
import { toCatalogValue } from '../../store/samples/index.ts';
import { listWorkoutDates } from '../../store/session-store/index.ts';
import type { ConsolidationContext } from './consolidation-context.ts';
import { addDates, addPair, addPairs, type DayPairs, filterPairs, joinPairs, listDatesOf } from './day-pairs.ts';
import { type DayFacts, findSessions, findSessionValue, refreshDeviceDay } from './device-days.ts';
import { addHrvKinds, findCanonicalKind } from './hrv-kinds.ts';
import { openObservedMax } from './observed-maxima.ts';
import { readSampleDays } from './sample-days.ts';
import { readSleepDays, readWorkoutDays } from './session-days.ts';
import { addWornPairs } from './worn-hours.ts';

/** The parts of the normalized layer that may have changed. */
export type TouchedDays = {
  /** Changed samples by device. */
  readonly samples: ReadonlyMap<DeviceNumber, DayPairs>;
  readonly sleepDates: ReadonlySet<LocalDate>;
  readonly workoutDates: ReadonlySet<LocalDate>;
  /** Pairs with changed stated values, or values of a removed device. */
  readonly others: DayPairs;
  /** Set if all stored data is known: nothing else is queried. */
  readonly stored?: StoredData;
  /** The caller touches the days of all workouts, from the first to the last: none has to be added. */
  readonly visitsAllWorkouts?: boolean;
};

export type StoredData = {
  /** Metrics with samples of any device. */
  readonly sampledMetrics: ReadonlySet<MetricId>;
  /** Days with a sleep, and days with a workout. */
  readonly sleepDates: ReadonlySet<LocalDate>;
  readonly workoutDates: ReadonlySet<LocalDate>;
};

/**
 * Returns the pairs whose canonical value changed. Writes nothing: the caller flushes the buffers.
 * Workout metrics come last, because their zones depend on the resting heart rates of the previous weeks.
 */
export async function consolidateDays(context: ConsolidationContext, given: TouchedDays): Promise<DayPairs> {
  const touched = { ...given, others: await addWornPairs(context, given.samples, given.others) };
  const changed: DayPairs = new Map();
  const isOfWorkouts = (metric: MetricId) => WORKOUT_METRICS.has(metric);
  const first = listPairs(touched);
  const maxima = await openObservedMax(context, first, touched.stored !== undefined);
  await consolidatePairs(
    context,
    touched,
    filterPairs(first, (metric) => !isOfWorkouts(metric)),
    changed,
  );
  const maxReach = await maxima.save(changed);
  if (maxReach !== null) context.rescoreRanges.push(maxReach);
  const workoutDates = touched.visitsAllWorkouts
    ? touched.workoutDates
    : await addZoneDates(context, touched.workoutDates, changed, maxReach);
  const moved = { ...touched, workoutDates };
  const all = workoutDates === touched.workoutDates ? first : listPairs(moved);
  await consolidatePairs(context, moved, filterPairs(all, isOfWorkouts), changed);
  const yieldIfDue = createYielder();
  const dates = listDatesOf(all).union(listDatesOf(changed)); // linked days can change, too
  for (const date of dates) {
    for (const id of DERIVED_METRICS) if (deriveDay(context, id, date)) addPair(changed, id, date);
    await yieldIfDue();
  }
  return changed;
}

async function consolidatePairs(
  context: ConsolidationContext,
  touched: TouchedDays,
  touchedPairs: DayPairs,
  changed: DayPairs,
): Promise<void> {
  if (touchedPairs.size === 0) return;
  await context.days.load(listDatesOf(touchedPairs));
  const facts = await readDayFacts(context, touchedPairs, findSampledPairs(context, touched, touchedPairs), {
    stored: touched.stored,
    addsLinked: true,
  });
  const pairs = await addLinkedPairs(context, touchedPairs, facts.samples.linked);
  await refreshDeviceDays(context, touched, pairs, facts);
  const yieldIfDue = createYielder();
  for (const [metricId, dates] of pairs) {
    const metric = getMetricOrThrow(metricId);
    for (const date of dates) {
      if (consolidateDay(context, facts, metric, date)) addPair(changed, metricId, date);
      await yieldIfDue();
    }
  }
}

/** Linked days are rescored even if their values stay the same, because scores read totals by quarter hour. */
async function addLinkedPairs(context: ConsolidationContext, pairs: DayPairs, linked: DayPairs): Promise<DayPairs> {
  if (linked.size === 0) return pairs;
  const dates = listDatesOf(linked);
  await context.days.load(dates);
  context.rescoreRanges.push(...joinDates(dates));
  return joinPairs(pairs, linked);
}

/** Adds the days of workouts whose zones depend on a changed resting heart rate or maximum. */
async function addZoneDates(
  { tx, user }: ConsolidationContext,
  workoutDates: ReadonlySet<LocalDate>,
  changed: DayPairs,
  maxReach: DateRange | null,
): Promise<ReadonlySet<LocalDate>> {
  const resting = rangeOf(changed.get(RESTING_HEART_RATE) ?? []);
  if (resting === null && maxReach === null) return workoutDates;
  const reached = new Set(workoutDates);
  const add = async (from: LocalDate, to: LocalDate) => {
    for (const date of await listWorkoutDates(tx, user, from, to)) reached.add(date);
  };
  if (resting !== null) await add(addDays(resting.from, 1), addDays(resting.to, RESTING_REACH_DAYS));
  if (maxReach !== null) await add(maxReach.from, maxReach.to);
  return reached;
}

/** Reads the data behind these pairs, and with `addsLinked` behind linked days; `sampled` are the pairs whose samples are needed. */
export async function readDayFacts(
  context: ConsolidationContext,
  pairs: DayPairs,
  sampled: DayPairs,
  { stored, addsLinked = false }: { readonly stored?: StoredData | undefined; readonly addsLinked?: boolean } = {},
): Promise<DayFacts> {
  const known = stored === undefined ? sampled : filterPairs(sampled, (metric) => stored.sampledMetrics.has(metric));
  const samples = await readSampleDays(context, known, addsLinked);
  const all = samples.linked.size === 0 ? pairs : joinPairs(pairs, samples.linked);
  const sleepDates = datesFor(all, SLEEP_METRICS);
  const workoutDates = datesFor(all, WORKOUT_METRICS);
  return {
    samples,
    sleep: await readSleepDays(context, stored?.sleepDates.intersection(sleepDates) ?? sleepDates),
    workouts: await readWorkoutDays(context, stored?.workoutDates.intersection(workoutDates) ?? workoutDates),
  };
}

function listPairs({ samples, sleepDates, workoutDates, others }: TouchedDays): DayPairs {
  const pairs: DayPairs = new Map();
  for (const ofDevice of samples.values()) {
    addPairs(pairs, ofDevice);
    for (const [metric, dates] of ofDevice)
      for (const derived of ALSO_DERIVED_FROM_SAMPLES.get(metric) ?? []) addDates(pairs, derived, dates);
  }
  if (sleepDates.size > 0) for (const metric of SLEEP_METRICS) addDates(pairs, metric, sleepDates);
  if (workoutDates.size > 0) for (const metric of WORKOUT_METRICS) addDates(pairs, metric, workoutDates);
  addPairs(pairs, others);
  return filterPairs(pairs, (metric) => getMetricOrThrow(metric).consolidation.by !== 'computed'); // a measured score has samples only
}

/** Samples are needed where they changed, and where devices are merged by samples or compared by time. */
function findSampledPairs(context: ConsolidationContext, touched: TouchedDays, pairs: DayPairs): DayPairs {
  const sampled: DayPairs = new Map();
  for (const [metric, dates] of pairs) {
    const known = getMetricOrThrow(metric);
    const isOfSessions = SLEEP_METRICS.has(metric) || WORKOUT_METRICS.has(metric);
    if (context.rules.isMerged(known) || isOfSessions || isBodyMeasurement(known)) addDates(sampled, metric, dates);
  }
  for (const ofDevice of touched.samples.values()) {
    for (const [metric, dates] of ofDevice) {
      if (!pairs.has(metric)) continue;
      addDates(sampled, metric, dates);
      const related = [...(ALSO_DERIVED_FROM_SAMPLES.get(metric) ?? []), DERIVED_FROM_SAMPLES_OF.get(metric) ?? metric];
      for (const id of related) addDates(sampled, id, dates);
    }
  }
  return sampled;
}

function datesFor(pairs: DayPairs, metrics: ReadonlySet<MetricId>): Set<LocalDate> {
  const dates = new Set<LocalDate>();
  for (const [metric, ofMetric] of pairs) if (metrics.has(metric)) for (const date of ofMetric) dates.add(date);
  return dates;
}

async function refreshDeviceDays(
  context: ConsolidationContext,
  touched: TouchedDays,
  pairs: DayPairs,
  facts: DayFacts,
): Promise<void> {
  const yieldIfDue = createYielder();
  const refresh = async (device: DeviceNumber, metric: MetricId, dates: Iterable<LocalDate>) => {
    if (!pairs.has(metric)) return;
    for (const date of dates) {
      refreshDeviceDay(context.days, facts, device, metric, date);
      await yieldIfDue();
    }
  };
  for (const [device, ofDevice] of touched.samples)
    for (const [metric, dates] of ofDevice)
      for (const id of [metric, ...(ALSO_DERIVED_FROM_SAMPLES.get(metric) ?? [])]) await refresh(device, id, dates);
  const { sleepDates, workoutDates } = touched;
  for (const { number } of context.devices) {
    if (sleepDates.size > 0) for (const metric of SLEEP_METRICS) await refresh(number, metric, sleepDates);
    if (workoutDates.size > 0) for (const metric of WORKOUT_METRICS) await refresh(number, metric, workoutDates);
  }
}

/** True if the value changed. */
function consolidateDay(context: ConsolidationContext, facts: DayFacts, metric: Metric, date: LocalDate): boolean {
  if (isSumOfParts(metric.id)) return false; // computed in `deriveDay`, after its parts
  const canonical = findSessions(facts, metric.id)?.get(date)?.canonical.get(metric.id) ?? null;
  const { candidates, consolidated } = consolidateAmong(context, facts, metric, date, canonical);
  if (!candidates.some(({ isEnabled }) => isEnabled)) {
    if (DERIVED_METRICS.includes(metric.id)) return false; // computed in `deriveDay`, after its inputs
    if (HISTORY_RULES.has(metric.id)) return clearReported(context, metric.id, date);
  }
  if (metric.consolidation.by === 'derived' && candidates.length === 0) {
    return context.days.setCanonical(metric.id, date, canonical === null ? null : { value: canonical.value, note: '' });
  }
  const kind = metric.id === NIGHT_HRV ? findCanonicalKind(consolidated, candidates, canonical) : null;
  const values = listSessionValues(context, facts, metric, date, candidates);
  return setConsolidated(context, metric, date, consolidated, kind, values);
}

/** What devices contribute with their sessions where it is not their stored value, so that reads can name it. */
function listSessionValues(
  context: ConsolidationContext,
  facts: DayFacts,
  metric: Metric,
  date: LocalDate,
  candidates: readonly DayCandidate[],
): Map<DeviceNumber, number> {
  const values = new Map<DeviceNumber, number>();
  for (const {
    device: { id },
    origin,
  } of candidates) {
    const device = origin === 'sessions' ? sourceDeviceOf(context, id) : null;
    const value = device && findSessionValue(context.days, facts, metric.id, date, device);
    if (device !== null && value !== null) values.set(device.number, value);
  }
  return values;
}

function setConsolidated(
  context: ConsolidationContext,
  metric: Metric,
  date: LocalDate,
  { value, contributors }: Consolidated,
  hrvKind: HrvKind | null = null,
  values?: ReadonlyMap<DeviceNumber, number>,
): boolean {
  const numbers = contributors.map(({ id }) => sourceDeviceOf(context, id).number);
  const note = formatContributors(numbers, hrvKind, values);
  return context.days.setCanonical(metric.id, date, value === null ? null : { value, note });
}

/** Clears a value that a device reported. Keeps a computed one until the next scoring run, unless a device was removed. */
function clearReported({ days, hasRemovedDevice }: ConsolidationContext, id: MetricId, date: LocalDate): boolean {
  const isReported = (days.canonicalValue(id, date)?.note ?? '') !== '';
  return (isReported || hasRemovedDevice) && days.setCanonical(id, date, null);
}

/** Consolidates the device values of a day; `canonical` is the value from canonical sleeps or workouts. */
export function consolidateAmong(
  context: ConsolidationContext,
  facts: DayFacts,
  metric: Metric,
  date: LocalDate,
  canonical: SessionsOfDay | null,
): { readonly candidates: readonly DayCandidate[]; readonly consolidated: Consolidated } {
  const method = context.rules.methodOf(metric);
  const listed = [...listCandidates(context, metric, date)];
  listed.push(...listSessionContributors(context, metric, listed, canonical));
  const candidates = metric.id === NIGHT_HRV ? addHrvKinds(context, facts, date, listed) : listed;
  return {
    candidates: enableCanonicalWorkouts(metric, candidates, canonical),
    consolidated: consolidateDayValue(metric, method, addSamples(context, facts, metric, date, candidates), canonical),
  };
}

/** A single device needs no samples: its value is used, unless a long sample overlaps other devices on another day. */
function addSamples(
  context: ConsolidationContext,
  { samples }: DayFacts,
  metric: Metric,
  date: LocalDate,
  candidates: readonly DayCandidate[],
): readonly DayCandidate[] {
  if (context.rules.isMerged(metric)) {
    const ofDevices = samples.toMerge(metric, date);
    if (ofDevices === null) return candidates;
    return candidates.map((candidate) => {
      const ofDay = ofDevices.get(sourceDeviceOf(context, candidate.device.id).number);
      return ofDay === undefined ? candidate : addDayOfDevice(candidate, ofDay);
    });
  }
  if (candidates.filter(({ isEnabled }) => isEnabled).length < 2) return candidates;
  if (isBodyMeasurement(metric))
    return candidates.map((candidate) => ({
      ...candidate,
      entry:
        candidate.origin === 'samples'
          ? samples.lastEntry(metric.id, sourceDeviceOf(context, candidate.device.id).number, date)
          : null,
    }));
  return candidates;
}

function listCandidates(
  { days, rankedFor }: Pick<ConsolidationContext, 'days' | 'rankedFor'>,
  metric: Metric,
  date: LocalDate,
): DayCandidate[] {
  const candidates: DayCandidate[] = [];
  for (const { device, isEnabled } of rankedFor(metric)) {
    const cell = days.deviceValue(device.number, metric.id, date);
    if (cell === null) continue;
    const { origin, unit } = parseDeviceDayNote(cell.note);
    const total = toCatalogValue(metric, cell.value, unit);
    const isImported = origin === 'imported';
    candidates.push({ device, isEnabled, total, quarterHours: NO_QUARTER_HOURS, origin, isImported });
  }
  return candidates;
}

/** Devices whose sleep contributes although they have no value on that day: the sleep duplicates another day's, or is not a main sleep. */
function listSessionContributors(
  { rankedFor }: Pick<ConsolidationContext, 'rankedFor'>,
  metric: Metric,
  candidates: readonly DayCandidate[],
  canonical: SessionsOfDay | null,
): DayCandidate[] {
  if (canonical === null || metric.consolidation.by === 'derived') return [];
  const known = new Set(candidates.map(({ device }) => device.id));
  return rankedFor(metric)
    .filter(({ device }) => canonical.devices.includes(device.id) && !known.has(device.id))
    .map((ranked) => ({ ...ranked, total: null, quarterHours: NO_QUARTER_HOURS, origin: 'sessions' }));
}

function deriveDay(context: ConsolidationContext, id: MetricId, date: LocalDate): boolean {
  const metric = getMetricOrThrow(id);
  const candidates = listCandidates(context, metric, date);
  const isReported = candidates.some(({ isEnabled }) => isEnabled);
  if (isReported && !isSumOfParts(id)) return false; // a total from a device takes precedence
  const value = deriveMetric(id, (read) => context.days.canonicalValue(read, date)?.value ?? null);
  if (isReported && value === null)
    return setConsolidated(
      context,
      metric,
      date,
      consolidateDayValue(metric, context.rules.methodOf(metric), candidates, null),
    );
  return context.days.setCanonical(id, date, value === null ? null : { value, note: '' });
}

function sourceDeviceOf({ devices }: Pick<ConsolidationContext, 'devices'>, id: DeviceId): SourceDevice {
  const device = devices.find((candidate) => candidate.id === id);
  if (device === undefined) throw new Error(`device ${id} does not belong to the user`);
  return device;
}
