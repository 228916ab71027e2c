// Gathers the inputs of scores from canonical data: daily values, sleeps, workouts and samples.

import { type ConsolidationRules, createRules } from '../../../domain/consolidate/consolidation-rules.ts';
import { getMetricOrThrow, type MetricId } from '../../../domain/metrics/index.ts';
import { listDays } from '../../../domain/packed/month-sheets/index.ts';
import {
  type DayInputs,
  datesOfReaching,
  describeHeart,
  describeMainSleep,
  effortOf,
  listNaps,
  listStillQuarters,
  reachesDay,
  SLEEP_REACH,
  type SleepInterval,
  type WakingDay,
  WORKOUT_REACH,
} from '../../../domain/scores/index.ts';
import { isCanonical } from '../../../domain/sessions/sessions.ts';
import { type DaySleep, fillSleeps, groupDuplicates } from '../../../domain/sleep/index.ts';
import { addDays, type DateRange, type LocalDate } from '../../../domain/time/calendar.ts';
import { createZone, type Zone } from '../../../domain/time/day.ts';
import { HOUR_MS } from '../../../domain/time/durations.ts';
import type { Interval } from '../../../domain/time/intervals.ts';
import { quarterHourOf } from '../../../domain/time/quarter-hours.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { createYielder } from '../../../platform/event-loop.ts';
import { addDevices, listSourceDevices, type SourceDevice } from '../../store/devices/index.ts';
import { reachLongSamples, readSamples, type SamplesOfDevices } from '../../store/samples/index.ts';
import {
  readSleepsWithDuplicates,
  readWorkoutsOfDates,
  type StoredSleep,
  type StoredWorkout,
} from '../../store/session-store/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { type Consolidating, consolidateLevels, openTotals } from './canonical-quarters.ts';
import { readScoredValues, type ScoredValues } from './read-scored-values.ts';

const [HEART_RATE, RMSSD, STEPS, STRESS] = [
  'heart_rate',
  'heart_rate_variability_rmssd',
  'steps',
  'stress_score',
] as MetricId[] as [MetricId, MetricId, MetricId, MetricId];

/** Days of samples that are held in memory at a time. */
const DAYS_AT_A_TIME = 31;

/** Null: the day has no data. */
export async function gatherInputs(
  db: Queryable,
  user: UserHandle,
  ranges: readonly DateRange[],
  now: Date,
): Promise<Map<LocalDate, DayInputs | null>> {
  const devices = await listSourceDevices(db, user);
  const consolidating = { devices, rules: createRules(user.consolidation) };
  const yieldIfDue = createYielder();
  const gathered = new Map<LocalDate, DayInputs | null>();
  for (const { from, to } of splitRanges(ranges)) {
    const days = await loadDays(db, user, consolidating, from, to, now);
    for (let date = from; date <= to; date = addDays(date, 1)) {
      await yieldIfDue();
      gathered.set(date, days.inputsOf(date));
    }
  }
  return gathered;
}

function splitRanges(ranges: readonly DateRange[]): DateRange[] {
  return ranges.flatMap(({ from, to }) => {
    const parts: DateRange[] = [];
    for (let first = from; first <= to; first = addDays(first, DAYS_AT_A_TIME)) {
      const last = addDays(first, DAYS_AT_A_TIME - 1);
      parts.push({ from: first, to: last < to ? last : to });
    }
    return parts;
  });
}

type Sleep = Omit<StoredSleep, 'device'> & { readonly device: SourceDevice };

async function loadDays(
  db: Queryable,
  user: UserHandle,
  consolidating: Consolidating,
  from: LocalDate,
  to: LocalDate,
  now: Date,
): Promise<{ inputsOf(date: LocalDate): DayInputs | null }> {
  const zone = createZone(user.timezone);
  const interval = { start: zone.dayOf(from).start, end: zone.dayOf(to).end };
  const sleepsByDate = await readSleepsWithDuplicates(db, user, datesOfReaching(SLEEP_REACH, { from, to }));
  const sleeps = [...sleepsByDate.values()].flatMap(({ sleeps }) => sleeps).filter(isCanonical);
  const reaching = await readWorkoutsOfDates(db, user, datesOfReaching(WORKOUT_REACH, { from, to }));
  const workouts = [...reaching.values()].flat().filter(isCanonical);
  const sampled = [HEART_RATE, RMSSD, STEPS, STRESS];
  const samples = await readSamples(
    db,
    user,
    sampled.map((metric) => ({ metric, fromMs: interval.start, toMs: interval.end })),
  );
  const levels = (id: MetricId) => consolidateLevels(consolidating, getMetricOrThrow(id), samples.get(id));
  const whole: Omit<WakingDay, 'interval'> = {
    sleeps: sleeps.map(({ session }) => session),
    workouts: workouts.map(({ session }) => session),
    heartRate: levels(HEART_RATE),
    rmssd: levels(RMSSD),
    steps: await consolidateSteps(
      consolidating,
      await reachSteps(db, user, consolidating, samples, zone, interval),
      zone,
      listDays(from, to),
    ),
  };
  const stress = levels(STRESS);
  const values = await readScoredValues(db, user, consolidating, from, to);
  return {
    inputsOf(date) {
      const { sleeps: stored = [], duplicatesElsewhere = [] } = sleepsByDate.get(date) ?? {};
      const ofDate = addDevices(consolidating, [...stored, ...duplicatesElsewhere]);
      const waking = narrow(whole, zone, date, now);
      return toInputs(
        {
          date,
          zone,
          rules: consolidating.rules,
          waking,
          sleepRecords: ofDate,
          sleeps: fillSleeps(groupDuplicates(ofDate), zone, consolidating.rules.isEnabled),
          workouts: workouts.filter((workout) => workout.date === date),
          stress: listDeviceStress(stress, zone, date, waking.sleeps),
          sleepIntervals: listSleepIntervals(ofDate.filter(isCanonical), zone, date),
        },
        values,
      );
    },
  };
}

/** Reads again with a wider interval, and the heart rates in it, where a long sample of steps reaches beyond these days. */
async function reachSteps(
  db: Queryable,
  user: UserHandle,
  { devices }: Consolidating,
  samples: SamplesOfDevices,
  zone: Zone,
  { start, end }: Interval,
): Promise<SamplesOfDevices> {
  if (devices.length < 2) return samples;
  const request = { metric: STEPS, fromMs: start, toMs: end };
  const reached = reachLongSamples([request], (metric) => samples.get(metric)?.values() ?? []);
  if (reached.length === 0) return samples;
  const steps = [request, ...reached];
  // Whole days, because worn hours are full hours and a long sample may start within an hour.
  const heartRates = steps.map(({ fromMs, toMs }) => ({
    metric: HEART_RATE,
    fromMs: zone.dayAt(fromMs).start,
    toMs: zone.dayAt(toMs - 1).end,
  }));
  return readSamples(db, user, [...steps, ...heartRates]);
}

/** Yields day by day, because samples that last for weeks spread over many quarter hours. */
async function consolidateSteps(
  consolidating: Consolidating,
  samples: SamplesOfDevices,
  zone: Zone,
  dates: readonly LocalDate[],
): Promise<Map<number, number>> {
  const totals = openTotals(consolidating, getMetricOrThrow(STEPS), samples.get(STEPS), samples.get(HEART_RATE), zone);
  const canonical = new Map<number, number>();
  const yieldIfDue = createYielder();
  for (const date of dates) {
    for (const [quarter, sum] of totals(zone.dayOf(date))) canonical.set(quarter, (canonical.get(quarter) ?? 0) + sum);
    await yieldIfDue();
  }
  return canonical;
}

type RecordsOfDay = {
  readonly date: LocalDate;
  readonly zone: Zone;
  readonly rules: ConsolidationRules;
  readonly waking: WakingDay;
  /** Includes duplicates. */
  readonly sleepRecords: readonly Sleep[];
  readonly sleeps: readonly (Sleep & DaySleep)[];
  readonly workouts: readonly StoredWorkout[];
  readonly stress: readonly number[];
  readonly sleepIntervals: readonly SleepInterval[];
};

function toInputs(day: RecordsOfDay, scored: ScoredValues): DayInputs | null {
  const { date, zone, waking, sleeps, workouts, stress } = day;
  const mainSleep = describeMainSleep(sleeps, zone, day.rules.isEnabled);
  const values = scored.values(date);
  const hrv = scored.hrv(date, day.sleepRecords);
  const heart = describeHeart(waking);
  const still = listStillQuarters(waking);
  const isEmpty =
    Object.keys(values).length === 0 &&
    hrv.length === 0 &&
    sleeps.length === 0 &&
    workouts.length === 0 &&
    stress.length === 0;
  if (isEmpty && heart === null && still.length === 0) return null;
  return {
    values,
    mainSleep,
    hrv,
    workouts: workouts.map(({ session, histogram }) => effortOf(session, histogram)),
    workoutSteps: workouts.reduce((sum, { session }) => sum + (session.steps ?? 0), 0),
    heart,
    still,
    deviceStress: stress.length === 0 ? null : stress,
    hoursAwake: mainSleep === null ? null : Math.max(0, waking.interval.end - mainSleep.wokeAt) / HOUR_MS,
    sleepIntervals: day.sleepIntervals,
    napHours: sumNaps(sleeps, zone),
  };
}

/** Keeps only the sessions that can matter to one day, as searching a whole month for each of its days is slow. */
function narrow(whole: Omit<WakingDay, 'interval'>, zone: Zone, date: LocalDate, now: Date): WakingDay {
  const { start, end } = zone.dayOf(date);
  const interval = { start, end: Math.max(start, Math.min(end, now.getTime())) };
  return {
    ...whole,
    interval,
    sleeps: whole.sleeps.filter((sleep) => reachesDay(SLEEP_REACH, sleep, { start, end })),
    workouts: whole.workouts.filter((workout) => reachesDay(WORKOUT_REACH, workout, { start, end })),
  };
}

/** Only time awake: devices that also report stress during sleep measure something else. */
function listDeviceStress(
  stress: ReturnType<typeof consolidateLevels>,
  zone: Zone,
  date: LocalDate,
  sleeps: readonly Interval[],
): number[] {
  if (stress.size === 0) return [];
  const { start, end } = zone.dayOf(date);
  const awake: number[] = [];
  for (let quarter = quarterHourOf(start); quarter <= quarterHourOf(end - 1); quarter += 1) {
    const { times = [], values = [] } = stress.get(quarter) ?? {};
    for (let index = 0; index < times.length; index += 1) {
      const time = times[index] as number;
      const isAsleep = sleeps.some((sleep) => time >= sleep.start && time < sleep.end);
      if (time >= start && time < end && !isAsleep) awake.push(values[index] as number);
    }
  }
  return awake;
}

function listSleepIntervals(sleeps: readonly Sleep[], zone: Zone, date: LocalDate): SleepInterval[] {
  const minuteOf = (epochMs: number) => Math.round(zone.wallMinutes(epochMs, date));
  return sleeps
    .map(({ session: { start, end } }): SleepInterval => [minuteOf(start), minuteOf(end)])
    .sort(([a, aEnd], [b, bEnd]) => a - b || aEnd - bEnd);
}

function sumNaps(sleeps: readonly DaySleep[], zone: Zone): number | null {
  const naps = listNaps(sleeps, zone);
  return naps.length === 0 ? null : naps.reduce((sum, minutes) => sum + minutes, 0) / 60;
}
