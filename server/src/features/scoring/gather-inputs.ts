// What days tell their scores, out of what is canonical: daily values, shown sleeps and workouts, chosen samples.
import { addDays, type DateRange, type LocalDate } from '../../domain/calendar.ts';
import { createRules } from '../../domain/consolidation-rules.ts';
import { createZone, type Zone } from '../../domain/day.ts';
import { getMetricOrThrow, type MetricId } from '../../domain/metrics/index.ts';
import { listDays } from '../../domain/month-sheets/index.ts';
import { quarterHourOf } from '../../domain/quarter-hours.ts';
import {
  type DayInputs,
  effortOf,
  listNaps,
  listStillQuarters,
  tellHeart,
  tellMainSleep,
  type WakingDay,
} from '../../domain/scores/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { takeTurns } from '../../platform/turns.ts';
import { listSourceDevices, type SourceDevice } from '../devices/index.ts';
import { readSamples } from '../samples/index.ts';
import { readSleepsOfDates, readWorkoutsOfDates, type StoredSleep, type StoredWorkout } from '../sessions/index.ts';
import type { UserHandle } from '../subjects/index.ts';
import { type Choosing, chooseLevels, chooseTotals } from './chosen-quarters.ts';
import { readScoredValues, type ScoredValues } from './read-scored-values.ts';

const [HEART_RATE, RMSSD, STEPS, STRESS] = [
  'heart_rate',
  'heart_rate_variability_rmssd',
  'steps',
  'stress_score',
] as MetricId[] as [MetricId, MetricId, MetricId, MetricId];

/** So many days of samples are held at a time. */
const DAYS_AT_A_TIME = 31;
/** No sleep lasts two days, no workout more than seven. */
const SLEEP_REACH_DAYS = 2;
const WORKOUT_REACH_DAYS = 8;
const HOUR_MS = 3_600_000;

/** Null: nothing is known of the day. */
export async function gatherInputs(
  db: Queryable,
  user: UserHandle,
  ranges: readonly DateRange[],
  now: Date,
): Promise<Map<LocalDate, DayInputs | null>> {
  const devices = await listSourceDevices(db, user);
  const choosing = { devices, rules: createRules(user.consolidation) };
  const nextTurn = takeTurns();
  const gathered = new Map<LocalDate, DayInputs | null>();
  for (const { from, to } of splitRanges(ranges)) {
    const days = await loadDays(db, user, choosing, from, to, now);
    for (let date = from; date <= to; date = addDays(date, 1)) {
      await nextTurn();
      gathered.set(date, days.tell(date));
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
  choosing: Choosing,
  from: LocalDate,
  to: LocalDate,
  now: Date,
): Promise<{ tell(date: LocalDate): DayInputs | null }> {
  const zone = createZone(user.timezone);
  const span = { start: zone.dayOf(from).start, end: zone.dayOf(to).end };
  // A night counts toward the day it ends on, a workout toward the one it begins on: all that can reach into these days.
  const reported = await readSleepsOfDates(db, user, listDays(from, addDays(to, SLEEP_REACH_DAYS)));
  const sleeps = [...reported.values()].flat().filter(isShown);
  const reaching = await readWorkoutsOfDates(db, user, listDays(addDays(from, -WORKOUT_REACH_DAYS), to));
  const workouts = [...reaching.values()].flat().filter(isShown);
  const sampled = [HEART_RATE, RMSSD, STEPS, STRESS];
  const samples = await readSamples(
    db,
    user,
    sampled.map((metric) => ({ metric, fromMs: span.start, toMs: span.end })),
  );
  const levels = (id: MetricId) => chooseLevels(choosing, getMetricOrThrow(id), samples.get(id));
  const whole: Omit<WakingDay, 'span'> = {
    sleeps: sleeps.map(({ session }) => session),
    workouts: workouts.map(({ session }) => session),
    heartRate: levels(HEART_RATE),
    rmssd: levels(RMSSD),
    steps: await chooseSteps(choosing, samples.get(STEPS), listDays(from, to).map(zone.dayOf)),
  };
  const stress = levels(STRESS);
  const values = await readScoredValues(db, user, choosing.devices, from, to);
  return {
    tell(date) {
      const ofDate = withDevices(reported.get(date) ?? [], choosing.devices);
      return tellDay(
        {
          date,
          zone,
          waking: narrow(whole, zone, date, now),
          reported: ofDate,
          sleeps: ofDate.filter(isShown),
          workouts: workouts.filter((workout) => workout.date === date),
          stress: listDeviceStress(stress, zone, date, whole.sleeps),
        },
        values,
      );
    },
  };
}

/** Day by day: samples that last for weeks are spread over all their quarter hours. */
async function chooseSteps(
  choosing: Choosing,
  samples: Parameters<typeof chooseTotals>[2],
  days: readonly { readonly start: number; readonly end: number }[],
): Promise<Map<number, number>> {
  const chosen = new Map<number, number>();
  const nextTurn = takeTurns();
  for (const { start, end } of days) {
    const ofDay = chooseTotals(choosing, getMetricOrThrow(STEPS), samples, start, end);
    for (const [quarter, sum] of ofDay) chosen.set(quarter, (chosen.get(quarter) ?? 0) + sum);
    await nextTurn();
  }
  return chosen;
}

type Facts = {
  readonly date: LocalDate;
  readonly zone: Zone;
  readonly waking: WakingDay;
  /** Copies too. */
  readonly reported: readonly Sleep[];
  readonly sleeps: readonly Sleep[];
  readonly workouts: readonly StoredWorkout[];
  readonly stress: readonly number[];
};

function tellDay(facts: Facts, scored: ScoredValues): DayInputs | null {
  const { date, zone, waking, sleeps, workouts, stress } = facts;
  const mainSleep = tellMainSleep(sleeps, zone);
  const values = scored.values(date);
  const hrv = scored.hrv(date, facts.reported);
  const heart = tellHeart(waking);
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
    hoursAwake: mainSleep === null ? null : Math.max(0, waking.span.end - mainSleep.wokeAt) / HOUR_MS,
    napHours: sumNaps(sleeps, zone),
  };
}

/** What of the whole can matter to one day: searches through a month for each of its days would add up. */
function narrow(whole: Omit<WakingDay, 'span'>, zone: Zone, date: LocalDate, now: Date): WakingDay {
  const { start, end } = zone.dayOf(date);
  const span = { start, end: Math.max(start, Math.min(end, now.getTime())) };
  const near = (one: { start: number; end: number }) => one.start < end && one.end > start - HOUR_MS;
  return { ...whole, span, sleeps: whole.sleeps.filter(near), workouts: whole.workouts.filter(near) };
}

/** Awake: devices that say it asleep as well mean something else by it. */
function listDeviceStress(
  stress: ReturnType<typeof chooseLevels>,
  zone: Zone,
  date: LocalDate,
  sleeps: readonly { readonly start: number; readonly end: number }[],
): number[] {
  if (stress.size === 0) return [];
  const { start, end } = zone.dayOf(date);
  const told: number[] = [];
  for (let quarter = quarterHourOf(start); quarter <= quarterHourOf(end - 1); quarter += 1) {
    const { times = [], values = [] } = stress.get(quarter) ?? {};
    for (let index = 0; index < times.length; index += 1) {
      const time = times[index] as number;
      const isAsleep = sleeps.some((sleep) => time >= sleep.start && time < sleep.end);
      if (time >= start && time < end && !isAsleep) told.push(values[index] as number);
    }
  }
  return told;
}

function sumNaps(sleeps: readonly Sleep[], zone: Zone): number | null {
  const naps = listNaps(sleeps, zone);
  return naps.length === 0 ? null : naps.reduce((sum, minutes) => sum + minutes, 0) / 60;
}

function isShown({ copyOf }: { readonly copyOf: string | null }): boolean {
  return copyOf === null;
}

/** One whose device is gone is about to go itself. */
function withDevices(sleeps: readonly StoredSleep[], devices: readonly SourceDevice[]): Sleep[] {
  return sleeps.flatMap((sleep) => {
    const device = devices.find(({ number }) => number === sleep.device);
    return device === undefined ? [] : [{ ...sleep, device }];
  });
}
