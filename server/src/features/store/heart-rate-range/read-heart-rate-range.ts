// Finds a user's heart-rate range on given dates (gap G-92). All heart-rate zones use this range.

import type { MetricId } from '../../../domain/metrics/index.ts';
import { monthOf } from '../../../domain/packed/month-sheets/index.ts';
import { roundTo } from '../../../domain/round-to.ts';
import { findBaseline, RESTING_HEART_RATE_RULE } from '../../../domain/scores/baseline.ts';
import { addDays, dayNumberOf, type LocalDate } from '../../../domain/time/calendar.ts';
import {
  ageYearsOn,
  findHeartRateRange,
  type HeartRateRange,
  OBSERVED_MAX_DAYS,
} from '../../../domain/workouts/index.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { type Profile, readProfile, type UserHandle } from '../../tenancy/user-core/index.ts';
import { collectDayColumn, type DayColumn, readDailyMonths } from '../daily-store/index.ts';
import { type ObservedMaximum, readObservedMax } from './store.ts';

export type HeartRateRangeByDate = {
  on(date: LocalDate): HeartRateRange;
};
type RestingHeartRates = (date: LocalDate) => number | null;

export const RESTING_HEART_RATE = 'resting_heart_rate' as MetricId;
/** A resting heart rate affects the zones of this many later days. */
export const RESTING_REACH_DAYS = RESTING_HEART_RATE_RULE.windowDays;

export function createHeartRateRange(
  profile: Profile,
  restingOn: RestingHeartRates,
  maxima: readonly ObservedMaximum[],
): HeartRateRangeByDate {
  return createRangeByDate(profile, (date) => (days) => restingOn(addDays(date, -days)), maxima);
}

/** The same from a column, which is much faster to scan. */
export function createHeartRateRangeFrom(
  profile: Profile,
  resting: DayColumn,
  maxima: readonly ObservedMaximum[],
): HeartRateRangeByDate {
  const restingBefore = (date: LocalDate) => {
    const day = dayNumberOf(date);
    return (days: number) => resting(day - days);
  };
  return createRangeByDate(profile, restingBefore, maxima);
}

type RestingBefore = (date: LocalDate) => (days: number) => number | null;

function createRangeByDate(
  profile: Profile,
  restingBefore: RestingBefore,
  maxima: readonly ObservedMaximum[],
): HeartRateRangeByDate {
  const birthDate = profile.birth_date ?? null;
  const enteredMaxBpm = profile.max_heart_rate ?? null;
  const known = new Map<LocalDate, HeartRateRange>();
  const find = (date: LocalDate) =>
    findHeartRateRange({
      enteredMaxBpm,
      observedMaxBpm: observedMax(maxima, date),
      ageYears: birthDate === null ? null : ageYearsOn(date, birthDate),
      baselineRestBpm: findRest(restingBefore(date)),
    });
  return { on: (date) => known.getOrInsertComputed(date, () => find(date)) };
}

export async function readHeartRateRange(
  db: Queryable,
  user: UserHandle,
  dates: readonly LocalDate[],
): Promise<HeartRateRangeByDate> {
  const [first, last] = [dates.toSorted()[0], dates.toSorted().at(-1)];
  const profile = await readProfile(db, user);
  if (first === undefined || last === undefined) return createHeartRateRangeFrom(profile, () => null, []);
  const [resting, maxima] = await Promise.all([
    readResting(db, user, first, last),
    readObservedMaxFor(db, user, profile, first, last),
  ]);
  return createHeartRateRangeFrom(profile, resting, maxima);
}

/** Observed maxima that can apply to these days; none if the user entered a maximum, which takes precedence. */
export async function readObservedMaxFor(
  db: Queryable,
  user: UserHandle,
  profile: Profile,
  first: LocalDate,
  last: LocalDate,
): Promise<ObservedMaximum[]> {
  return profile.max_heart_rate === undefined
    ? readObservedMax(db, user, addDays(first, 1 - OBSERVED_MAX_DAYS), last)
    : [];
}

/** The highest observed maximum of the last year, including the day. */
function observedMax(maxima: readonly ObservedMaximum[], date: LocalDate): number | null {
  const from = addDays(date, 1 - OBSERVED_MAX_DAYS);
  let highest: number | null = null;
  for (const maximum of maxima)
    if (maximum.date >= from && maximum.date <= date && maximum.bpm > (highest ?? 0)) highest = maximum.bpm;
  return highest;
}

/** Rounded to tenths, so that rounding errors of the mean do not move the limits of zones. */
function findRest(restingBefore: (days: number) => number | null): number | null {
  const baseline = findBaseline(RESTING_HEART_RATE_RULE, restingBefore);
  return baseline === null ? null : roundTo(baseline.mean, 1);
}

async function readResting(db: Queryable, user: UserHandle, first: LocalDate, last: LocalDate): Promise<DayColumn> {
  const months = await readDailyMonths(db, user, monthOf(addDays(first, -RESTING_REACH_DAYS)), monthOf(last));
  return collectDayColumn(months, RESTING_HEART_RATE);
}
