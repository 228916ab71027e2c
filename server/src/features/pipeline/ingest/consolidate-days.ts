// From what devices say of days to the one value of each: works out the touched (metric, day) pairs again, and no others.
// A value is a function of what is stored, so that any order, split or repetition of uploads ends in the same place.

import { formatContributors, parseDeviceDayNote } from '../../../domain/consolidate/day-notes.ts';
import {
  addDayOfDevice,
  consolidateDayValue,
  type DayCandidate,
  type SessionsOfDay,
} from '../../../domain/consolidate/day-value.ts';
import type { Consolidated } from '../../../domain/consolidate/index.ts';
import { isBodyMeasurement } from '../../../domain/metrics/body-measurements.ts';
import { DERIVED_METRICS, deriveMetric, isSumOfParts } from '../../../domain/metrics/derived-metrics.ts';
import { HISTORY_RULES } from '../../../domain/metrics/history-metrics.ts';
import { NIGHT_HRV } from '../../../domain/metrics/hrv-kind.ts';
import { getMetricOrThrow, type Metric, type MetricId } from '../../../domain/metrics/index.ts';
import {
  ALSO_DERIVED_FROM_SAMPLES,
  DERIVED_FROM_SAMPLES_OF,
  SLEEP_METRICS,
  WORKOUT_METRICS,
} from '../../../domain/metrics/session-metrics.ts';
import type { HrvKind } from '../../../domain/records/records.ts';
import type { DeviceId, DeviceNumber } from '../../../domain/tenancy.ts';
import { addDays, joinDates, type LocalDate } from '../../../domain/time/calendar.ts';
import { NO_QUARTER_HOURS } from '../../../domain/time/quarter-hours.ts';
import { createYielder } from '../../../platform/event-loop.ts';
import { RESTING_HEART_RATE, RESTING_REACH_DAYS } from '../../store/heart-rate-range/index.ts';
import { toCatalogValue } from '../../store/samples/index.ts';
import { listWorkoutDates } from '../../store/session-store/index.ts';
import type { ConsolidationContext } from './consolidation-context.ts';
import {
  addDates,
  addPair,
  addPairs,
  type DayPairs,
  filterPairs,
  joinPairs,
  listDatesOf,
  rangeOf,
} from './day-pairs.ts';
import { type DeviceDayState, findSessions, refreshDeviceDay } from './device-days.ts';
import { addHrvKinds, findChosenKind } from './hrv-kinds.ts';
import { openObservedMax } from './observed-maxima.ts';
import { readSampleDays } from './sample-days.ts';
import { readSleepDays, readWorkoutDays } from './session-days.ts';
import { addWornPairs, isMerged } from './worn-hours.ts';

/** What may have changed in the normalized layer. */
export type TouchedDays = {
  /** Whose samples, and of which days. */
  readonly samples: ReadonlyMap<DeviceNumber, DayPairs>;
  readonly sleepDates: ReadonlySet<LocalDate>;
  readonly workoutDates: ReadonlySet<LocalDate>;
  /** Where values were stated, or a device has gone. */
  readonly others: DayPairs;
  /** Where it is known what there is at all: nothing else is looked for. */
  readonly stored?: StoredFacts;
};

export type StoredFacts = {
  /** What anybody has samples of. */
  readonly sampledMetrics: ReadonlySet<MetricId>;
  /** Days of which there is a sleep, and a workout. */
  readonly sleepDates: ReadonlySet<LocalDate>;
  readonly workoutDates: ReadonlySet<LocalDate>;
};

/**
 * The pairs whose canonical value is another than before. Writes nothing: the caller flushes the books.
 * What workouts tell comes last, as their zones hang on the resting heart rates of the weeks before.
 */
export async function consolidateDays(context: ConsolidationContext, given: TouchedDays): Promise<DayPairs> {
  const touched = { ...given, others: await addWornPairs(context, given.samples, given.others) };
  const changed: DayPairs = new Map();
  const isOfWorkouts = (metric: MetricId) => WORKOUT_METRICS.has(metric);
  const first = listPairs(touched);
  const maxima = await openObservedMax(context, first);
  await consolidatePairs(
    context,
    touched,
    filterPairs(first, (metric) => !isOfWorkouts(metric)),
    changed,
  );
  const peakReach = await maxima.save(changed);
  if (peakReach !== null) context.rescoreRanges.push(peakReach);
  const moved = { ...touched, workoutDates: await addZoneDates(context, touched.workoutDates, changed, peakReach) };
  const all = listPairs(moved);
  await consolidatePairs(context, moved, filterPairs(all, isOfWorkouts), changed);
  const yieldIfDue = createYielder();
  const dates = listDatesOf(all);
  for (const id of DERIVED_METRICS) {
    for (const date of dates) {
      if (deriveDay(context, id, date)) addPair(changed, id, date);
      await yieldIfDue();
    }
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

/** The scores of linked days follow even where their values stand, as they read totals by quarter hour. */
async function addLinkedPairs(context: ConsolidationContext, pairs: DayPairs, linked: DayPairs): Promise<DayPairs> {
  if (linked.size === 0) return pairs;
  const dates = listDatesOf(linked);
  await context.days.load(dates);
  context.rescoreRanges.push(...joinDates(dates));
  return joinPairs(pairs, linked);
}

/** The days of workouts whose zones a changed resting heart rate or a changed maximum moves. */
async function addZoneDates(
  { tx, user }: ConsolidationContext,
  workoutDates: ReadonlySet<LocalDate>,
  changed: DayPairs,
  peakReach: { readonly from: LocalDate; readonly to: LocalDate } | null,
): Promise<ReadonlySet<LocalDate>> {
  const resting = rangeOf(changed.get(RESTING_HEART_RATE) ?? []);
  const reached = new Set(workoutDates);
  const add = async (from: LocalDate, to: LocalDate) => {
    for (const date of await listWorkoutDates(tx, user, from, to)) reached.add(date);
  };
  if (resting !== null) await add(addDays(resting.from, 1), addDays(resting.to, RESTING_REACH_DAYS));
  if (peakReach !== null) await add(peakReach.from, peakReach.to);
  return reached;
}

/** What is behind these pairs, and with `addsLinked` behind the days linked to them; `sampled` are those whose samples are needed. */
export async function readDayFacts(
  context: ConsolidationContext,
  pairs: DayPairs,
  sampled: DayPairs,
  { stored, addsLinked = false }: { readonly stored?: StoredFacts | undefined; readonly addsLinked?: boolean } = {},
): Promise<DeviceDayState> {
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
      for (const reported of ALSO_DERIVED_FROM_SAMPLES.get(metric) ?? []) addDates(pairs, reported, dates);
  }
  if (sleepDates.size > 0) for (const metric of SLEEP_METRICS) addDates(pairs, metric, sleepDates);
  if (workoutDates.size > 0) for (const metric of WORKOUT_METRICS) addDates(pairs, metric, workoutDates);
  addPairs(pairs, others);
  return pairs;
}

/** Samples are read where they changed, and where devices are merged by them or compared by their times. */
function findSampledPairs(context: ConsolidationContext, touched: TouchedDays, pairs: DayPairs): DayPairs {
  const sampled: DayPairs = new Map();
  for (const [metric, dates] of pairs) {
    const known = getMetricOrThrow(metric);
    const isFed = SLEEP_METRICS.has(metric) || WORKOUT_METRICS.has(metric);
    if (isMerged(context, known) || isFed || isBodyMeasurement(known)) addDates(sampled, metric, dates);
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
  facts: DeviceDayState,
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
  for (const { number } of context.devices) {
    for (const metric of SLEEP_METRICS) await refresh(number, metric, touched.sleepDates);
    for (const metric of WORKOUT_METRICS) await refresh(number, metric, touched.workoutDates);
  }
}

/** True if the value, or who gave it, has changed. */
function consolidateDay(
  context: ConsolidationContext,
  facts: DeviceDayState,
  metric: Metric,
  date: LocalDate,
): boolean {
  if (isSumOfParts(metric.id)) return false; // its parts are chosen first
  const canonical = findSessions(facts, metric.id)?.get(date)?.canonical.get(metric.id) ?? null;
  const { candidates, chosen } = consolidateAmong(context, facts, metric, date, canonical);
  if (!candidates.some(({ isEnabled }) => isEnabled)) {
    if (DERIVED_METRICS.includes(metric.id)) return false; // follows when all it is made of is chosen
    if (HISTORY_RULES.has(metric.id)) return clearReported(context, metric.id, date);
  }
  if (metric.consolidation.by === 'derived' && candidates.length === 0) {
    return context.days.setCanonical(metric.id, date, canonical === null ? null : { value: canonical.value, note: '' });
  }
  const kind = metric.id === NIGHT_HRV ? findChosenKind(chosen, candidates, canonical) : null;
  return setConsolidated(context, metric, date, chosen, kind);
}

function setConsolidated(
  context: ConsolidationContext,
  metric: Metric,
  date: LocalDate,
  { value, contributors }: Consolidated,
  hrvKind: HrvKind | null = null,
): boolean {
  const numbers = contributors.map(({ id }) => numberOf(context, id));
  const note = formatContributors(numbers, hrvKind);
  return context.days.setCanonical(metric.id, date, value === null ? null : { value, note });
}

/** What scoring computed stays until it computes it again; what a device reported before does not. */
function clearReported({ days, removesComputed }: ConsolidationContext, id: MetricId, date: LocalDate): boolean {
  const isReported = (days.chosen(id, date)?.note ?? '') !== '';
  return (isReported || removesComputed) && days.setCanonical(id, date, null);
}

/** Among what the devices say; `shown` is what the shown sleeps or workouts tell. */
export function consolidateAmong(
  context: ConsolidationContext,
  facts: DeviceDayState,
  metric: Metric,
  date: LocalDate,
  canonical: SessionsOfDay | null,
): { readonly candidates: readonly DayCandidate[]; readonly chosen: Consolidated } {
  const method = context.rules.methodOf(metric);
  const listed = [...listCandidates(context, metric, date)];
  listed.push(...listGivers(context, metric, listed, canonical));
  const candidates = metric.id === NIGHT_HRV ? addHrvKinds(context, facts, date, listed) : listed;
  return {
    candidates,
    chosen: consolidateDayValue(metric, method, addSamples(context, facts, metric, date, candidates), canonical),
  };
}

/** One device alone needs no samples: its own value stands, unless other devices share a long sample of it on another day. */
function addSamples(
  context: ConsolidationContext,
  { samples }: DeviceDayState,
  metric: Metric,
  date: LocalDate,
  candidates: readonly DayCandidate[],
): readonly DayCandidate[] {
  if (isMerged(context, metric)) {
    const ofDevices = samples.toMerge(metric, date);
    if (ofDevices === null) return candidates;
    return candidates.map((candidate) => {
      const ofDay = ofDevices.get(numberOf(context, candidate.device.id));
      return ofDay === undefined ? candidate : addDayOfDevice(candidate, ofDay);
    });
  }
  if (candidates.filter(({ isEnabled }) => isEnabled).length < 2) return candidates;
  if (isBodyMeasurement(metric))
    return candidates.map((candidate) => ({
      ...candidate,
      entry:
        candidate.origin === 'samples'
          ? samples.lastEntry(metric.id, numberOf(context, candidate.device.id), date)
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
    const cell = days.deviceValues(device.number, metric.id, date);
    if (cell === null) continue;
    const { origin, unit } = parseDeviceDayNote(cell.note);
    const total = toCatalogValue(metric, cell.value, unit);
    const isImported = origin === 'imported';
    candidates.push({ device, isEnabled, total, quarterHours: NO_QUARTER_HOURS, origin, isImported });
  }
  return candidates;
}

/** Devices whose sleep gave a value although they have none of their own on that day: it is a copy of another day's, or no main sleep. */
function listGivers(
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
  const isGiven = candidates.some(({ isEnabled }) => isEnabled);
  if (isGiven && !isSumOfParts(id)) return false; // a source's own total stands
  const value = deriveMetric(id, (read) => context.days.chosen(read, date)?.value ?? null);
  if (isGiven && value === null)
    return setConsolidated(
      context,
      metric,
      date,
      consolidateDayValue(metric, context.rules.methodOf(metric), candidates, null),
    );
  return context.days.setCanonical(id, date, value === null ? null : { value, note: '' });
}

function numberOf({ devices }: Pick<ConsolidationContext, 'devices'>, id: DeviceId): DeviceNumber {
  const device = devices.find((candidate) => candidate.id === id);
  if (device === undefined) throw new Error(`the device ${id} is not one of the user`);
  return device.number;
}
