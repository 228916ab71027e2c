const formatter = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  weekday: 'short',
  day: 'numeric',
  month: 'short',
});

/** Sat 14 Nov of a calendar date such as 2026-11-14. */
export function shortWeekday(date: string): string {
  return formatter.format(new Date(`${date}T12:00:00Z`)).replace(',', '');
}
