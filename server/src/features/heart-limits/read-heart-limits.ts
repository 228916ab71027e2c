// The heart limits of a person on some dates (gap G-92): the one place that decides which numbers the zones are made of.
import { findBaseline, RESTING_HEART_RATE_RULE } from '../../domain/baseline.ts';
import { addDays, type LocalDate } from '../../domain/calendar.ts';
import { type MetricId, metricNumberOf } from '../../domain/metrics/index.ts';
import { dayOfMonth, MAX_DAYS, type MonthNumber, monthOf, readValues } from '../../domain/month-sheets/index.ts';
import { ageYearsOn, findHeartLimits, type HeartLimits, PEAK_DAYS } from '../../domain/workouts/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { readDailyMonths } from '../days/index.ts';
import { type Profile, readProfile, type UserHandle } from '../subjects/index.ts';
import { type HeartPeak, readPeaks } from './store.ts';

export type HeartLimitsByDate = {
  on(date: LocalDate): HeartLimits;
};
export type RestingHeartRates = (date: LocalDate) => number | null;

export const RESTING_HEART_RATE = 'resting_heart_rate' as MetricId;
/** A resting heart rate moves the zones of so many days after it. */
export const RESTING_REACH_DAYS = RESTING_HEART_RATE_RULE.windowDays;

export type HeartFactsByDate = { readonly restingOn: RestingHeartRates; readonly peaks: readonly HeartPeak[] };

export function createHeartLimits(profile: Profile, { restingOn, peaks }: HeartFactsByDate): HeartLimitsByDate {
  const birthDate = profile.birth_date ?? null;
  const enteredMaxBpm = profile.max_heart_rate ?? null;
  const known = new Map<LocalDate, HeartLimits>();
  const find = (date: LocalDate) =>
    findHeartLimits({
      enteredMaxBpm,
      observedMaxBpm: observedMax(peaks, date),
      ageYears: birthDate === null ? null : ageYearsOn(date, birthDate),
      baselineRestBpm: findRest(date, restingOn),
    });
  return { on: (date) => known.getOrInsertComputed(date, () => find(date)) };
}

export async function readHeartLimits(
  db: Queryable,
  user: UserHandle,
  dates: readonly LocalDate[],
): Promise<HeartLimitsByDate> {
  const [first, last] = [dates.toSorted()[0], dates.toSorted().at(-1)];
  const profile = await readProfile(db, user);
  if (first === undefined || last === undefined)
    return createHeartLimits(profile, { restingOn: () => null, peaks: [] });
  return createHeartLimits(profile, {
    restingOn: await readResting(db, user, first, last),
    // What was entered stands, whatever was measured.
    peaks: profile.max_heart_rate === undefined ? await readPeaks(db, user, addDays(first, 1 - PEAK_DAYS), last) : [],
  });
}

/** Of the last year, the day included. */
export function observedMax(peaks: readonly HeartPeak[], date: LocalDate): number | null {
  const from = addDays(date, 1 - PEAK_DAYS);
  let highest: number | null = null;
  for (const peak of peaks) if (peak.date >= from && peak.date <= date && peak.bpm > (highest ?? 0)) highest = peak.bpm;
  return highest;
}

/** In tenths, as it is shown: the last bit of a mean must not move the border of a zone. */
function findRest(date: LocalDate, restingOn: RestingHeartRates): number | null {
  const baseline = findBaseline(RESTING_HEART_RATE_RULE, (days) => restingOn(addDays(date, -days)));
  return baseline === null ? null : Math.round(baseline.mean * 10) / 10;
}

async function readResting(
  db: Queryable,
  user: UserHandle,
  first: LocalDate,
  last: LocalDate,
): Promise<RestingHeartRates> {
  const sheets = await readDailyMonths(db, user, monthOf(addDays(first, -RESTING_REACH_DAYS)), monthOf(last));
  const metric = metricNumberOf(RESTING_HEART_RATE);
  const months = new Map<MonthNumber, Float64Array>();
  for (const [month, sheet] of sheets) {
    const values = new Float64Array(MAX_DAYS);
    readValues(sheet, metric, values);
    months.set(month, values);
  }
  return (date) => {
    const value = months.get(monthOf(date))?.[dayOfMonth(date) - 1] ?? Number.NaN;
    return Number.isNaN(value) ? null : value;
  };
}
