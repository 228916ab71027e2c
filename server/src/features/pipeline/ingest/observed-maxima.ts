// Reports changed daily maximum heart rates, which can be a user's observed maximum, to the heart-rate range.
import { HEART_RATE_PEAK } from '../../../domain/metrics/index.ts';
import type { DateRange, LocalDate } from '../../../domain/time/calendar.ts';
import { recordObservedMax } from '../../store/heart-rate-range/index.ts';
import type { ConsolidationContext } from './consolidation-context.ts';
import type { DayPairs } from './day-pairs.ts';

type ObservedMax = {
  /** Called after consolidation. Returns the days whose workouts may have a different maximum than before. */
  save(changed: DayPairs): Promise<DateRange | null>;
};

/** Called before consolidation, to remember the values before the change. A rebuild may follow a change of the birth date. */
export async function openObservedMax(
  context: ConsolidationContext,
  pairs: DayPairs,
  isRebuild: boolean,
): Promise<ObservedMax> {
  const { tx, user, days } = context;
  const dates = pairs.get(HEART_RATE_PEAK) ?? new Set();
  await days.load(dates);
  const read = (date: LocalDate) => days.canonicalValue(HEART_RATE_PEAK, date)?.value ?? null;
  const before = new Map([...dates].map((date) => [date, read(date)]));
  return {
    save(changed) {
      const recorded = isRebuild ? dates : (changed.get(HEART_RATE_PEAK) ?? new Set());
      const maxima = [...recorded].map((date) => ({ date, before: before.get(date) ?? null, after: read(date) }));
      return recordObservedMax(tx, user, maxima);
    },
  };
}
