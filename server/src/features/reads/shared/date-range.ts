// Date ranges in the query parameters of the two forms. Both ends are included.

import { addDays, type DateRange, type LocalDate, localDateAt, parseLocalDate } from '../../../domain/time/calendar.ts';
import { createZone } from '../../../domain/time/day.ts';
import { DAY_MS } from '../../../domain/time/durations.ts';
import { AppError, type Issue } from '../../../platform/errors.ts';
import { Type } from '../../../platform/json-schema.ts';

export type { DateRange };

const FORM_2_MAX_DAYS = 366;
const FORM_2_DEFAULT_DAYS = 30;
/** Older records are rejected on upload. */
const EARLIEST = '1900-01-01';

const date = (description: string) => Type.String({ format: 'date', description });

export const form1RangeQuery = {
  start_date: date("first day, in the user's time zone"),
  end_date: date('last day, included'),
};

export const form2RangeQuery = {
  from_date: Type.Optional(date("first day, in the user's time zone; default 29 days before to_date")),
  to_date: Type.Optional(date('last day, included; default today')),
};

export function readForm1Range(query: { start_date: string; end_date: string }, maxDays: number): DateRange {
  const issues: Issue[] = [];
  const from = readDate(query.start_date, 'start_date', issues);
  const to = readDate(query.end_date, 'end_date', issues);
  if (from !== null && to !== null && from > to)
    issues.push({ path: 'end_date', message: 'must not be before start_date' });
  if (from === null || to === null || issues.length > 0)
    throw new AppError('invalid_parameter', { details: { issues } });
  if (countDays(from, to) > maxDays) throw new AppError('range_too_long', { details: { max_days: maxDays } });
  return { from, to };
}

export type Form2Range = { readonly from_date?: string | undefined; readonly to_date?: string | undefined };

export function resolveForm2Range(query: Form2Range, timezone: string | null, now: Date): DateRange {
  const issues: Issue[] = [];
  const to =
    query.to_date === undefined
      ? createZone(timezone).dayAt(now.getTime()).date
      : readDate(query.to_date, 'to_date', issues);
  const requested = query.from_date === undefined ? null : readDate(query.from_date, 'from_date', issues);
  if (to === null || issues.length > 0) throw new AppError('invalid_parameter', { details: { issues } });
  const from = requested ?? addDays(to, 1 - FORM_2_DEFAULT_DAYS);
  if (!isForm2Length(from, to))
    throw new AppError('invalid_range', { details: { from_date: from, to_date: to, max_days: FORM_2_MAX_DAYS } });
  return { from, to };
}

/** The range of a query with both dates, which does not depend on the clock. Null: a date is missing or the range is invalid. */
export function findNamedForm2Range(query: Form2Range): DateRange | null {
  if (query.from_date === undefined || query.to_date === undefined) return null;
  const from = readDate(query.from_date, 'from_date', []);
  const to = readDate(query.to_date, 'to_date', []);
  return from !== null && to !== null && isForm2Length(from, to) ? { from, to } : null;
}

/**
 * The widest range the query can mean before the user's time zone is known: no zone is more than a day from UTC. Null: the range is
 * invalid; the error is returned once the user is found.
 */
export function expectForm2Range(query: Form2Range, now: Date): DateRange | null {
  const to = query.to_date === undefined ? dayNear(now, 1) : readDate(query.to_date, 'to_date', []);
  if (to === null) return null;
  const first = query.to_date === undefined ? dayNear(now, -1) : to;
  const from =
    query.from_date === undefined
      ? addDays(first, 1 - FORM_2_DEFAULT_DAYS)
      : readDate(query.from_date, 'from_date', []);
  return from === null || from > to ? null : { from, to };
}

function dayNear(now: Date, days: number): LocalDate {
  return addDays(localDateAt(now.getTime(), null), days);
}

function isForm2Length(from: LocalDate, to: LocalDate): boolean {
  const days = countDays(from, to);
  return days >= 1 && days <= FORM_2_MAX_DAYS;
}

function countDays(from: LocalDate, to: LocalDate): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
}

function readDate(text: string, path: string, issues: Issue[]): LocalDate | null {
  const parsed = parseLocalDate(text);
  if (parsed !== null && parsed >= EARLIEST) return parsed;
  issues.push({ path, message: `must be a date such as 2026-01-31, not before ${EARLIEST}` });
  return null;
}
