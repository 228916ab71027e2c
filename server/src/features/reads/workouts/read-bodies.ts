// Sex, weight and heart-rate range of a user on some dates: the inputs of heart-rate zones and strain.

import type { MetricId } from '../../../domain/metrics/index.ts';
import { type MonthNumber, monthOf, type OpenedSheet } from '../../../domain/packed/month-sheets/index.ts';
import { type Body, findLatestWeight, isOldEnough, WEIGHT_DAYS } from '../../../domain/scores/index.ts';
import { addDays, dayNumberOf, type LocalDate } from '../../../domain/time/calendar.ts';
import { ageYearsOn } from '../../../domain/workouts/index.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { collectDayColumn, type DayColumn, readDailyMonths } from '../../store/daily-store/index.ts';
import {
  createHeartRateRangeFrom,
  RESTING_HEART_RATE,
  RESTING_REACH_DAYS,
  readObservedMaxFor,
} from '../../store/heart-rate-range/index.ts';
import type { Profile, UserHandle } from '../../tenancy/user-core/index.ts';

export type Bodies = {
  on(date: LocalDate): Body;
  /** False before the 14th birthday. */
  isScored(date: LocalDate): boolean;
};

const WEIGHT = 'weight' as MetricId;
const REACH_DAYS = Math.max(RESTING_REACH_DAYS, WEIGHT_DAYS);

/** Two queries, independent of the number of dates. */
export async function readBodies(
  db: Queryable,
  user: UserHandle,
  profile: Profile,
  dates: readonly LocalDate[],
): Promise<Bodies> {
  const sorted = dates.toSorted();
  const [first, last] = [sorted[0], sorted.at(-1)];
  const isEmpty = first === undefined || last === undefined;
  const [months, maxima] = isEmpty
    ? [new Map<MonthNumber, OpenedSheet>(), []]
    : await Promise.all([
        readDailyMonths(db, user, monthOf(addDays(first, -REACH_DAYS)), monthOf(last)),
        readObservedMaxFor(db, user, profile, first, last),
      ]);
  const weights = collectDayColumn(months, WEIGHT);
  const ranges = createHeartRateRangeFrom(profile, collectDayColumn(months, RESTING_HEART_RATE), maxima);
  const birthDate = profile.birth_date;
  return {
    on: (date) => ({
      sex: profile.sex ?? null,
      weightKg: findWeight(weights, date) ?? profile.weight_kg ?? null,
      heartRateRange: ranges.on(date),
    }),
    isScored: (date) => isOldEnough(birthDate === undefined ? null : ageYearsOn(date, birthDate)),
  };
}

function findWeight(column: DayColumn, date: LocalDate): number | null {
  const day = dayNumberOf(date);
  return findLatestWeight((before) => column(day - before));
}
