// Sets of days in PostgreSQL: a datemultirange, which joins what meets.
import type { DateRange, LocalDate } from '../../domain/time/calendar.ts';

/** As a parameter. */
export function writeDateRanges(ranges: readonly DateRange[]): string {
  return `{${ranges.map(({ from, to }) => `[${from},${to}]`).join(',')}}`;
}

export type DateRangesColumn = readonly (readonly [LocalDate, LocalDate])[];

/** An expression of a select list, ascending. */
export function selectDateRanges(column: string): string {
  return `array(select array[lower(r)::text, (upper(r) - 1)::text] from unnest(${column}) r)`;
}

export function readDateRanges(column: DateRangesColumn): DateRange[] {
  return column.map(([from, to]) => ({ from, to }));
}
