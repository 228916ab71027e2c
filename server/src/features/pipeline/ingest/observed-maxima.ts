// Stores daily maximum heart rates that can be a user's observed maximum, and finds the days whose zones they change.

import { HEART_RATE_PEAK } from '../../../domain/metrics/index.ts';
import { addDays, type LocalDate } from '../../../domain/time/calendar.ts';
import { ageYearsOn, estimateMaxBpm, MIN_OBSERVED_MAX_BPM, OBSERVED_MAX_DAYS } from '../../../domain/workouts/index.ts';
import { saveObservedMax } from '../../store/heart-rate-range/index.ts';
import { readProfile } from '../../tenancy/user-core/index.ts';
import type { ConsolidationContext } from './consolidation-context.ts';
import { type DayPairs, rangeOf } from './day-pairs.ts';

type ObservedMax = {
  /** Called after consolidation. Returns the days whose workouts may have a different maximum than before. */
  save(changed: DayPairs): Promise<{ readonly from: LocalDate; readonly to: LocalDate } | null>;
};

/** Called before consolidation, to remember the values before the change. */
export async function openObservedMax(context: ConsolidationContext, pairs: DayPairs): Promise<ObservedMax> {
  const { tx, user, days } = context;
  const dates = pairs.get(HEART_RATE_PEAK) ?? new Set();
  await days.load(dates);
  const read = (date: LocalDate) => days.canonicalValue(HEART_RATE_PEAK, date)?.value ?? null;
  const before = new Map([...dates].map((date) => [date, read(date)]));
  return {
    async save(changed) {
      const moved = [...(changed.get(HEART_RATE_PEAK) ?? [])];
      const highest = (date: LocalDate) => Math.max(before.get(date) ?? 0, read(date) ?? 0);
      const high = moved.filter((date) => highest(date) > MIN_OBSERVED_MAX_BPM);
      if (high.length === 0) return null;
      await saveObservedMax(tx, user, new Map(high.map((date) => [date, read(date)])));
      const { birth_date: birthDate, max_heart_rate: entered } = await readProfile(tx, user);
      if (entered !== undefined) return null;
      // At the end of the reach the user is older, so the formula gives a lower maximum.
      const age = (date: LocalDate) =>
        birthDate === undefined ? null : ageYearsOn(addDays(date, OBSERVED_MAX_DAYS), birthDate);
      const range = rangeOf(high.filter((date) => highest(date) > estimateMaxBpm(age(date))));
      return range === null ? null : { from: range.from, to: addDays(range.to, OBSERVED_MAX_DAYS - 1) };
    },
  };
}
