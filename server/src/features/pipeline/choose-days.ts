// From what devices say of days to the one value of each: works out the touched (metric, day) pairs again, and no others.
// A value is a function of what is stored, so that any order, split or repetition of uploads ends in the same place.
import { addDays, type LocalDate } from '../../domain/calendar.ts';
import type { Consolidated } from '../../domain/consolidate/index.ts';
import { formatContributors, parseDeviceDayNote } from '../../domain/day-notes.ts';
import { chooseDayValue, type DayCandidate, type SessionsOfDay } from '../../domain/day-value.ts';
import { DERIVED_METRICS, deriveMetric, isSumOfParts } from '../../domain/derived-metrics.ts';
import { SAMPLES_ALSO_TELL, SLEEP_METRICS, TOLD_BY_SAMPLES_OF, WORKOUT_METRICS } from '../../domain/fed-metrics.ts';
import { getMetricOrThrow, isAdditive, type Metric, type MetricId } from '../../domain/metrics/index.ts';
import { NO_QUARTER_HOURS } from '../../domain/quarter-hours.ts';
import type { DeviceId, DeviceNumber } from '../../domain/tenancy.ts';
import { takeTurns } from '../../platform/turns.ts';
import { RESTING_HEART_RATE, RESTING_REACH_DAYS } from '../heart-limits/index.ts';
import { toCatalogValue } from '../samples/index.ts';
import { listWorkoutDates } from '../sessions/index.ts';
import type { ChoosingContext } from './choosing-context.ts';
import { addDates, addPair, addPairs, type DayPairs, filterPairs, listDatesOf, rangeOf } from './day-pairs.ts';
import { openPeaks } from './heart-peaks.ts';
import { findSessions, type OwnDayFacts, refreshOwn } from './own-days.ts';
import { readSampleDays } from './sample-days.ts';
import { readSleepDays, readWorkoutDays } from './session-days.ts';

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
export async function chooseDays(context: ChoosingContext, touched: TouchedDays): Promise<DayPairs> {
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
  pairs: DayPairs,
  changed: DayPairs,
): Promise<void> {
  if (pairs.size === 0) return;
  await context.days.load(listDatesOf(pairs));
  const facts = await readDayFacts(context, pairs, findSampledPairs(context, touched, pairs), touched.stored);
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

/** What is behind these pairs; `sampled` are those whose samples are needed. */
export async function readDayFacts(
  context: ChoosingContext,
  pairs: DayPairs,
  sampled: DayPairs,
  stored: StoredFacts | null = null,
): Promise<OwnDayFacts> {
  const sleepDates = datesFor(pairs, SLEEP_METRICS);
  const workoutDates = datesFor(pairs, WORKOUT_METRICS);
  return {
    samples: await readSampleDays(
      context,
      stored === null ? sampled : filterPairs(sampled, (metric) => stored.sampledMetrics.has(metric)),
    ),
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

/** Samples are read where they changed, and where devices are merged by them. */
function findSampledPairs(context: ChoosingContext, touched: TouchedDays, pairs: DayPairs): DayPairs {
  const sampled: DayPairs = new Map();
  for (const [metric, dates] of pairs) {
    const isMerged = context.rules.methodOf(getMetricOrThrow(metric)) === 'merge';
    const isFed = SLEEP_METRICS.has(metric) || WORKOUT_METRICS.has(metric);
    if (isMerged || isFed) addDates(sampled, metric, dates);
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
  if (metric.consolidation.by === 'derived' && candidates.length === 0) {
    if (DERIVED_METRICS.includes(metric.id)) return false; // its turn comes when all it is made of is chosen
    return context.days.setChosen(metric.id, date, shown === null ? null : { value: shown.value, note: '' });
  }
  return setConsolidated(context, metric, date, chosen);
}

function setConsolidated(
  context: ChoosingContext,
  metric: Metric,
  date: LocalDate,
  { value, contributors }: Consolidated,
): boolean {
  const note = formatContributors(contributors.map(({ id }) => numberOf(context, id)));
  return context.days.setChosen(metric.id, date, value === null ? null : { value, note });
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
  const candidates = listCandidates(context, metric, date);
  // One device alone needs no quarter hours: its own value stands.
  const isMerged =
    method === 'merge' && isAdditive(metric) && candidates.filter(({ isEnabled }) => isEnabled).length > 1;
  const withQuarters = !isMerged
    ? candidates
    : candidates.map((candidate) => ({
        ...candidate,
        quarterHours: facts.samples.quarterHours(metric.id, numberOf(context, candidate.device.id), date),
      }));
  return { candidates, chosen: chooseDayValue(metric, method, withQuarters, shown) };
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
    candidates.push({ device, isEnabled, total, quarterHours: NO_QUARTER_HOURS, origin });
  }
  return candidates;
}

function deriveDay(context: ChoosingContext, id: MetricId, date: LocalDate): boolean {
  const metric = getMetricOrThrow(id);
  const candidates = listCandidates(context, metric, date);
  const isStated = candidates.length > 0;
  if (isStated && !isSumOfParts(id)) return false; // a source's own total stands
  const value = deriveMetric(id, (read) => context.days.chosen(read, date)?.value ?? null);
  if (isStated && value === null)
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
