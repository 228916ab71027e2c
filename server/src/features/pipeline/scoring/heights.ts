// The measured heights of a person: which one holds on a day, and how far a change of one reaches. Pure.
import { addDays, type LocalDate } from '../../../domain/time/calendar.ts';

export type MeasuredHeight = { readonly cm: number; readonly date: LocalDate };

export type Heights = {
  /** The latest of that day or before it. */
  on(date: LocalDate): MeasuredHeight | null;
  /** Where the height of that date is another than before: the last day that it holds on. Null: it is the same. */
  reachOf(date: LocalDate): LocalDate | null;
};

/** No height comes after it. */
const END = '9999-12-31' as LocalDate;

export function createHeights(
  stored: ReadonlyMap<LocalDate, number>,
  fresh: ReadonlyMap<LocalDate, number | null>,
): Heights {
  const current = new Map(stored);
  for (const [date, cm] of fresh) {
    if (cm === null) current.delete(date);
    else current.set(date, cm);
  }
  const dates = [...current.keys()].sort();
  return {
    on(date) {
      const latest = dates.findLast((one) => one <= date);
      const cm = latest === undefined ? undefined : current.get(latest);
      return latest === undefined || cm === undefined ? null : { cm, date: latest };
    },
    reachOf(date) {
      if (stored.get(date) === current.get(date)) return null;
      const next = dates.find((one) => one > date);
      return next === undefined ? END : addDays(next, -1);
    },
  };
}
