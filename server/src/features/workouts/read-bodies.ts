// What is known of a person's body on some dates: what the zones and the strain of workouts are made of.
import { addDays, type LocalDate } from '../../domain/calendar.ts';
import { type MetricId, metricNumberOf } from '../../domain/metrics/index.ts';
import {
  dateOf,
  MAX_DAYS,
  type MonthNumber,
  monthOf,
  type OpenedSheet,
  readValues,
} from '../../domain/month-sheets/index.ts';
import { type Body, isOldEnough, LOOK_BACK_DAYS } from '../../domain/scores/index.ts';
import { ageYearsOn } from '../../domain/workouts/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { readDailyMonths } from '../days/index.ts';
import { createHeartLimits, RESTING_HEART_RATE, RESTING_REACH_DAYS } from '../sessions/index.ts';
import type { Profile, UserHandle } from '../subjects/index.ts';

export type Bodies = {
  on(date: LocalDate): Body;
  /** Nobody is scored before the 14th birthday. */
  isScored(date: LocalDate): boolean;
};

const WEIGHT = 'weight' as MetricId;
const REACH_DAYS = Math.max(RESTING_REACH_DAYS, LOOK_BACK_DAYS);

/** One read, whatever the number of dates. */
export async function readBodies(
  db: Queryable,
  user: UserHandle,
  profile: Profile,
  dates: readonly LocalDate[],
): Promise<Bodies> {
  const sheets = await readMonths(db, user, dates);
  const weights = listKnown(sheets, WEIGHT);
  const limits = createHeartLimits(profile, openColumn(sheets, RESTING_HEART_RATE));
  const birthDate = profile.birth_date;
  return {
    on: (date) => ({
      sex: profile.sex ?? null,
      weightKg: findLast(weights, date) ?? profile.weight_kg ?? null,
      heartLimits: limits.on(date),
    }),
    isScored: (date) => isOldEnough(birthDate === undefined ? null : ageYearsOn(date, birthDate)),
  };
}

async function readMonths(
  db: Queryable,
  user: UserHandle,
  dates: readonly LocalDate[],
): Promise<Map<MonthNumber, OpenedSheet>> {
  const sorted = dates.toSorted();
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined) return new Map();
  return readDailyMonths(db, user, monthOf(addDays(first, -REACH_DAYS)), monthOf(last));
}

type Column = (date: LocalDate) => number | null;
type Known = { readonly date: LocalDate; readonly value: number };

function openColumn(sheets: ReadonlyMap<MonthNumber, OpenedSheet>, metric: MetricId): Column {
  const values = new Map(listKnown(sheets, metric).map(({ date, value }) => [date, value]));
  return (date) => values.get(date) ?? null;
}

/** By date. */
function listKnown(sheets: ReadonlyMap<MonthNumber, OpenedSheet>, metric: MetricId): Known[] {
  const number = metricNumberOf(metric);
  const ofMonth = new Float64Array(MAX_DAYS);
  return [...sheets]
    .sort(([a], [b]) => a - b)
    .flatMap(([month, opened]) => {
      if (!readValues(opened, number, ofMonth)) return [];
      return Array.from(ofMonth, (value, day) => ({ date: dateOf(month, day + 1), value })).filter(
        ({ value }) => !Number.isNaN(value),
      );
    });
}

/** Of the day, or the last before it that scores look back on. */
function findLast(known: readonly Known[], date: LocalDate): number | null {
  const last = known.findLast((one) => one.date <= date);
  return last !== undefined && last.date >= addDays(date, -LOOK_BACK_DAYS) ? last.value : null;
}
