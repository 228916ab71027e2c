// Sets of days in PostgreSQL: a datemultirange, which merges adjacent ranges.
import type { DateRange, LocalDate } from '../../../domain/time/calendar.ts';

/** Formats the ranges as a query parameter. */
export function writeDateRanges(ranges: readonly DateRange[]): string {
  return `{${ranges.map(({ from, to }) => `[${from},${to}]`).join(',')}}`;
}

export type DateRangesColumn = readonly (readonly [LocalDate, LocalDate])[];

/** A select expression that returns the ranges in ascending order. */
export function selectDateRanges(column: string): string {
  return `array(select array[lower(r)::text, (upper(r) - 1)::text] from unnest(${column}) r)`;
}

export function readDateRanges(column: DateRangesColumn): DateRange[] {
  return column.map(([from, to]) => ({ from, to }));
}
