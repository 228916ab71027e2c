// From what devices say of days to the one value of each: works out the touched (metric, day) pairs again, and no others.
// A value is a function of what is stored, so that any order, split or repetition of uploads ends in the same place.

import { formatContributors, parseDeviceDayNote } from '../../../domain/consolidate/day-notes.ts';
import {
  addDayOfDevice,
  chooseDayValue,
  type DayCandidate,
  type SessionsOfDay,
} from '../../../domain/consolidate/day-value.ts';
import type { Consolidated } from '../../../domain/consolidate/index.ts';
import { isBodyMeasurement } from '../../../domain/metrics/body-measurements.ts';
import { DERIVED_METRICS, deriveMetric, isSumOfParts } from '../../../domain/metrics/derived-metrics.ts';
import {
  SAMPLES_ALSO_TELL,
  SLEEP_METRICS,
  TOLD_BY_SAMPLES_OF,
  WORKOUT_METRICS,
} from '../../../domain/metrics/fed-metrics.ts';
import { HISTORY_RULES } from '../../../domain/metrics/history-metrics.ts';
import { NIGHT_HRV } from '../../../domain/metrics/hrv-kind.ts';
import { getMetricOrThrow, type Metric, type MetricId } from '../../../domain/metrics/index.ts';
import type { HrvKind } from '../../../domain/records/records.ts';
import type { DeviceId, DeviceNumber } from '../../../domain/tenancy.ts';
import { addDays, joinDates, type LocalDate } from '../../../domain/time/calendar.ts';
import { NO_QUARTER_HOURS } from '../../../domain/time/quarter-hours.ts';
import { takeTurns } from '../../../platform/turns.ts';
import { RESTING_HEART_RATE, RESTING_REACH_DAYS } from '../../store/heart-rate-range/index.ts';
import { toCatalogValue } from '../../store/samples/index.ts';
import { listWorkoutDates } from '../../store/session-store/index.ts';
import type { ChoosingContext } from './choosing-context.ts';
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
import { openPeaks } from './heart-peaks.ts';
import { addHrvKinds, findChosenKind } from './hrv-kinds.ts';
import { findSessions, type OwnDayFacts, refreshOwn } from './own-days.ts';
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
export async function chooseDays(context: ChoosingContext, given: TouchedDays): Promise<DayPairs> {
  const touched = { ...given, others: await addWornPairs(context, given.samples, given.others) };
  const changed: DayPairs = new Map();
  const isOfWorkouts = (metric: MetricId) => WORKOUT_METRICS.has(metric);
  const first = listPairs(touched);
  const peaks = await openPeaks(context, first);
  await choosePairs(
    context,
    touched,
    filterPairs(first, (metric) => !isOfWorkouts(metric)),
    changed,
  );
  const peakReach = await peaks.save(changed);
  if (peakReach !== null) context.measuredAnew.push(peakReach);
  const moved = { ...touched, workoutDates: await addZoneDates(context, touched.workoutDates, changed, peakReach) };
  const all = listPairs(moved);
  await choosePairs(context, moved, filterPairs(all, isOfWorkouts), changed);
  const nextTurn = takeTurns();
  const dates = listDatesOf(all);
  for (const id of DERIVED_METRICS) {
    for (const date of dates) {
      if (deriveDay(context, id, date)) addPair(changed, id, date);
      await nextTurn();
    }
  }
  return changed;
}

async function choosePairs(
  context: ChoosingContext,
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
  await refreshOwnDays(context, touched, pairs, facts);
  const nextTurn = takeTurns();
  for (const [metricId, dates] of pairs) {
    const metric = getMetricOrThrow(metricId);
    for (const date of dates) {
      if (chooseDay(context, facts, metric, date)) addPair(changed, metricId, date);
      await nextTurn();
    }
  }
}

/** The scores of linked days follow even where their values stand, as they read totals by quarter hour. */
async function addLinkedPairs(context: ChoosingContext, pairs: DayPairs, linked: DayPairs): Promise<DayPairs> {
  if (linked.size === 0) return pairs;
  const dates = listDatesOf(linked);
  await context.days.load(dates);
  context.measuredAnew.push(...joinDates(dates));
  return joinPairs(pairs, linked);
}

/** The days of workouts whose zones a changed resting heart rate or a changed maximum moves. */
async function addZoneDates(
  { tx, user }: ChoosingContext,
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
  context: ChoosingContext,
  pairs: DayPairs,
  sampled: DayPairs,
  { stored, addsLinked = false }: { readonly stored?: StoredFacts | undefined; readonly addsLinked?: boolean } = {},
): Promise<OwnDayFacts> {
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
      for (const told of SAMPLES_ALSO_TELL.get(metric) ?? []) addDates(pairs, told, dates);
  }
  if (sleepDates.size > 0) for (const metric of SLEEP_METRICS) addDates(pairs, metric, sleepDates);
  if (workoutDates.size > 0) for (const metric of WORKOUT_METRICS) addDates(pairs, metric, workoutDates);
  addPairs(pairs, others);
  return pairs;
}

/** Samples are read where they changed, and where devices are merged by them or compared by their times. */
function findSampledPairs(context: ChoosingContext, touched: TouchedDays, pairs: DayPairs): DayPairs {
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
      const related = [...(SAMPLES_ALSO_TELL.get(metric) ?? []), TOLD_BY_SAMPLES_OF.get(metric) ?? metric];
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

async function refreshOwnDays(
  context: ChoosingContext,
  touched: TouchedDays,
  pairs: DayPairs,
  facts: OwnDayFacts,
): Promise<void> {
  const nextTurn = takeTurns();
  const refresh = async (device: DeviceNumber, metric: MetricId, dates: Iterable<LocalDate>) => {
    if (!pairs.has(metric)) return;
    for (const date of dates) {
      refreshOwn(context.days, facts, device, metric, date);
      await nextTurn();
    }
  };
  for (const [device, ofDevice] of touched.samples)
    for (const [metric, dates] of ofDevice)
      for (const id of [metric, ...(SAMPLES_ALSO_TELL.get(metric) ?? [])]) await refresh(device, id, dates);
  for (const { number } of context.devices) {
    for (const metric of SLEEP_METRICS) await refresh(number, metric, touched.sleepDates);
    for (const metric of WORKOUT_METRICS) await refresh(number, metric, touched.workoutDates);
  }
}

/** True if the value, or who gave it, has changed. */
function chooseDay(context: ChoosingContext, facts: OwnDayFacts, metric: Metric, date: LocalDate): boolean {
  if (isSumOfParts(metric.id)) return false; // its parts are chosen first
  const shown = findSessions(facts, metric.id)?.get(date)?.shown.get(metric.id) ?? null;
  const { candidates, chosen } = chooseAmong(context, facts, metric, date, shown);
  if (!candidates.some(({ isEnabled }) => isEnabled)) {
    if (DERIVED_METRICS.includes(metric.id)) return false; // follows when all it is made of is chosen
    if (HISTORY_RULES.has(metric.id)) return clearReported(context, metric.id, date);
  }
  if (metric.consolidation.by === 'derived' && candidates.length === 0) {
    return context.days.setChosen(metric.id, date, shown === null ? null : { value: shown.value, note: '' });
  }
  const kind = metric.id === NIGHT_HRV ? findChosenKind(chosen, candidates, shown) : null;
  return setConsolidated(context, metric, date, chosen, kind);
}

function setConsolidated(
  context: ChoosingContext,
  metric: Metric,
  date: LocalDate,
  { value, contributors }: Consolidated,
  hrvKind: HrvKind | null = null,
): boolean {
  const numbers = contributors.map(({ id }) => numberOf(context, id));
  const note = formatContributors(numbers, hrvKind);
  return context.days.setChosen(metric.id, date, value === null ? null : { value, note });
}

/** What scoring computed stays until it computes it again; what a device reported before does not. */
function clearReported({ days, clearsComputed }: ChoosingContext, id: MetricId, date: LocalDate): boolean {
  const isReported = (days.chosen(id, date)?.note ?? '') !== '';
  return (isReported || clearsComputed) && days.setChosen(id, date, null);
}

/** Among what the devices say; `shown` is what the shown sleeps or workouts tell. */
export function chooseAmong(
  context: ChoosingContext,
  facts: OwnDayFacts,
  metric: Metric,
  date: LocalDate,
  shown: SessionsOfDay | null,
): { readonly candidates: readonly DayCandidate[]; readonly chosen: Consolidated } {
  const method = context.rules.methodOf(metric);
  const listed = [...listCandidates(context, metric, date)];
  listed.push(...listGivers(context, metric, listed, shown));
  const candidates = metric.id === NIGHT_HRV ? addHrvKinds(context, facts, date, listed) : listed;
  return {
    candidates,
    chosen: chooseDayValue(metric, method, addSamples(context, facts, metric, date, candidates), shown),
  };
}

/** One device alone needs no samples: its own value stands, unless other devices share a long sample of it on another day. */
function addSamples(
  context: ChoosingContext,
  { samples }: OwnDayFacts,
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
  { days, rankedFor }: Pick<ChoosingContext, 'days' | 'rankedFor'>,
  metric: Metric,
  date: LocalDate,
): DayCandidate[] {
  const candidates: DayCandidate[] = [];
  for (const { device, isEnabled } of rankedFor(metric)) {
    const cell = days.own(device.number, metric.id, date);
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
  { rankedFor }: Pick<ChoosingContext, 'rankedFor'>,
  metric: Metric,
  candidates: readonly DayCandidate[],
  shown: SessionsOfDay | null,
): DayCandidate[] {
  if (shown === null || metric.consolidation.by === 'derived') return [];
  const known = new Set(candidates.map(({ device }) => device.id));
  return rankedFor(metric)
    .filter(({ device }) => shown.devices.includes(device.id) && !known.has(device.id))
    .map((ranked) => ({ ...ranked, total: null, quarterHours: NO_QUARTER_HOURS, origin: 'sessions' }));
}

function deriveDay(context: ChoosingContext, id: MetricId, date: LocalDate): boolean {
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
      chooseDayValue(metric, context.rules.methodOf(metric), candidates, null),
    );
  return context.days.setChosen(id, date, value === null ? null : { value, note: '' });
}

function numberOf({ devices }: Pick<ChoosingContext, 'devices'>, id: DeviceId): DeviceNumber {
  const device = devices.find((candidate) => candidate.id === id);
  if (device === undefined) throw new Error(`the device ${id} is not one of the user`);
  return device.number;
}
