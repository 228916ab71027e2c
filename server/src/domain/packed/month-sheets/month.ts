// Calendar months as numbers, and the days in them.
import type { Branded } from '../../branded.ts';
import type { LocalDate } from '../../time/calendar.ts';

/** Months since January 1970. */
export type MonthNumber = Branded<number, 'MonthNumber'>;

const MONTHS_A_YEAR = 12;
const FIRST_YEAR = 1970;

export function monthOf(date: LocalDate): MonthNumber {
  return ((Number(date.slice(0, 4)) - FIRST_YEAR) * MONTHS_A_YEAR + Number(date.slice(5, 7)) - 1) as MonthNumber;
}

/** From 1. */
export function dayOfMonth(date: LocalDate): number {
  return Number(date.slice(8, 10));
}

export function dateOf(month: MonthNumber, day: number): LocalDate {
  const year = Math.floor(month / MONTHS_A_YEAR) + FIRST_YEAR;
  const ofYear = month - (year - FIRST_YEAR) * MONTHS_A_YEAR + 1;
  return `${pad(year, 4)}-${pad(ofYear, 2)}-${pad(day, 2)}` as LocalDate;
}

/** Every month with a day in the range, both ends included. */
export function listMonths(from: LocalDate, to: LocalDate): MonthNumber[] {
  const first = monthOf(from);
  const count = Math.max(0, monthOf(to) - first + 1);
  return Array.from({ length: count }, (_, index) => (first + index) as MonthNumber);
}

/**
 * Every day of the range, both ends included. Works on text, because a Date for each day would take ten times as long.
 */
export function listDays(from: LocalDate, to: LocalDate): LocalDate[] {
  const days: LocalDate[] = [];
  for (const month of listMonths(from, to)) {
    const prefix = dateOf(month, 1).slice(0, -2);
    const first = days.length === 0 ? dayOfMonth(from) : 1;
    const last = month === monthOf(to) ? dayOfMonth(to) : lengthOf(month);
    for (let day = first; day <= last; day += 1) days.push(`${prefix}${day < 10 ? '0' : ''}${day}` as LocalDate);
  }
  return days;
}

/** In days. */
function lengthOf(month: MonthNumber): number {
  const [year = 0, ofYear = 0] = dateOf(month, 1).split('-').map(Number);
  if (ofYear !== 2) return ofYear === 4 || ofYear === 6 || ofYear === 9 || ofYear === 11 ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

function pad(number: number, length: number): string {
  return String(number).padStart(length, '0');
}
