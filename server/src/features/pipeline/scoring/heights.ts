// The measured heights of a user: the height on a day, and the days that a changed height affects. Pure.
import { addDays, type LocalDate } from '../../../domain/time/calendar.ts';

type MeasuredHeight = { readonly cm: number; readonly date: LocalDate };

export type Heights = {
  /** The latest height on or before that day. */
  on(date: LocalDate): MeasuredHeight | null;
  /** If the height of that date changed: the last day it applies to. Null: it did not change. */
  reachOf(date: LocalDate): LocalDate | null;
};

/** Used where no later height follows. */
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
