// Splits a range of dates into parts of limited length.
import { addDays } from '../../../domain/time/calendar.ts';
import type { DateRange } from '../shared/index.ts';

export function* splitRange({ from, to }: DateRange, days: number): Generator<DateRange> {
  for (let start = from; start <= to; start = addDays(start, days)) {
    const end = addDays(start, days - 1);
    yield { from: start, to: end < to ? end : to };
  }
}
