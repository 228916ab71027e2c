// The heart limits of a person on some dates (gap G-92): the one place that decides which numbers the zones are made of.
import { findBaseline, RESTING_HEART_RATE_RULE } from '../../domain/baseline.ts';
import { addDays, dayNumberOf, type LocalDate } from '../../domain/calendar.ts';
import type { MetricId } from '../../domain/metrics/index.ts';
import { monthOf } from '../../domain/month-sheets/index.ts';
import { ageYearsOn, findHeartLimits, type HeartLimits } from '../../domain/workouts/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { collectDayColumn, type DayColumn, readDailyMonths } from '../days/index.ts';
import { type Profile, readProfile, type UserHandle } from '../subjects/index.ts';

export type HeartLimitsByDate = {
  on(date: LocalDate): HeartLimits;
};
export type RestingHeartRates = (date: LocalDate) => number | null;

export const RESTING_HEART_RATE = 'resting_heart_rate' as MetricId;
/** A resting heart rate moves the zones of so many days after it. */
export const RESTING_REACH_DAYS = RESTING_HEART_RATE_RULE.windowDays;

export function createHeartLimits(profile: Profile, restingOn: RestingHeartRates): HeartLimitsByDate {
  return createHeartLimitsOf(profile, (date) => (days) => restingOn(addDays(date, -days)));
}

/** The same of a column, which is a great deal faster to walk over. */
export function createHeartLimitsFrom(profile: Profile, resting: DayColumn): HeartLimitsByDate {
  return createHeartLimitsOf(profile, (date) => {
    const day = dayNumberOf(date);
    return (days) => resting(day - days);
  });
}

type RestingBefore = (date: LocalDate) => (days: number) => number | null;

function createHeartLimitsOf(profile: Profile, restingBefore: RestingBefore): HeartLimitsByDate {
  const birthDate = profile.birth_date ?? null;
  const enteredMaxBpm = profile.max_heart_rate ?? null;
  const known = new Map<LocalDate, HeartLimits>();
  const find = (date: LocalDate) =>
    findHeartLimits({
      enteredMaxBpm,
      observedMaxBpm: null, // to come with the scores, which keep the highest heart rate of each day
      ageYears: birthDate === null ? null : ageYearsOn(date, birthDate),
      baselineRestBpm: findRest(restingBefore(date)),
    });
  return { on: (date) => known.getOrInsertComputed(date, () => find(date)) };
}

export async function readHeartLimits(
  db: Queryable,
  user: UserHandle,
  dates: readonly LocalDate[],
): Promise<HeartLimitsByDate> {
  const profile = await readProfile(db, user);
  return createHeartLimitsFrom(profile, await readResting(db, user, dates));
}

/** In tenths, as it is shown: the last bit of a mean must not move the border of a zone. */
function findRest(restingBefore: (days: number) => number | null): number | null {
  const baseline = findBaseline(RESTING_HEART_RATE_RULE, restingBefore);
  return baseline === null ? null : Math.round(baseline.mean * 10) / 10;
}

async function readResting(db: Queryable, user: UserHandle, dates: readonly LocalDate[]): Promise<DayColumn> {
  const [first, last] = [dates.toSorted()[0], dates.toSorted().at(-1)];
  if (first === undefined || last === undefined) return () => null;
  const months = await readDailyMonths(db, user, monthOf(addDays(first, -RESTING_REACH_DAYS)), monthOf(last));
  return collectDayColumn(months, RESTING_HEART_RATE);
}
