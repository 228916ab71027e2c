// The highest heart rates of days, kept where they can be somebody's maximum, and the days whose zones they move.

import { HEART_RATE_PEAK } from '../../../domain/metrics/index.ts';
import { addDays, type LocalDate } from '../../../domain/time/calendar.ts';
import { ageYearsOn, estimateMaxBpm, LEAST_PEAK_BPM, PEAK_DAYS } from '../../../domain/workouts/index.ts';
import { saveObservedMax } from '../../store/heart-rate-range/index.ts';
import { readProfile } from '../../tenancy/user-core/index.ts';
import type { ConsolidationContext } from './consolidation-context.ts';
import { type DayPairs, rangeOf } from './day-pairs.ts';

export type ObservedMax = {
  /** When they are chosen. The days of workouts that may be measured by another maximum than before. */
  save(changed: DayPairs): Promise<{ readonly from: LocalDate; readonly to: LocalDate } | null>;
};

/** Before anything is chosen: what was there is compared with what comes. */
export async function openObservedMax(context: ConsolidationContext, pairs: DayPairs): Promise<ObservedMax> {
  const { tx, user, days } = context;
  const dates = pairs.get(HEART_RATE_PEAK) ?? new Set();
  await days.load(dates);
  const read = (date: LocalDate) => days.chosen(HEART_RATE_PEAK, date)?.value ?? null;
  const before = new Map([...dates].map((date) => [date, read(date)]));
  return {
    async save(changed) {
      const moved = [...(changed.get(HEART_RATE_PEAK) ?? [])];
      const highest = (date: LocalDate) => Math.max(before.get(date) ?? 0, read(date) ?? 0);
      const high = moved.filter((date) => highest(date) > LEAST_PEAK_BPM);
      if (high.length === 0) return null;
      await saveObservedMax(tx, user, new Map(high.map((date) => [date, read(date)])));
      const { birth_date: birthDate, max_heart_rate: entered } = await readProfile(tx, user);
      if (entered !== undefined) return null;
      // By then the person is older, and the formula gives less.
      const age = (date: LocalDate) =>
        birthDate === undefined ? null : ageYearsOn(addDays(date, PEAK_DAYS), birthDate);
      const range = rangeOf(high.filter((date) => highest(date) > estimateMaxBpm(age(date))));
      return range === null ? null : { from: range.from, to: addDays(range.to, PEAK_DAYS - 1) };
    },
  };
}
