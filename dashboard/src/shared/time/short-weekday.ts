// Calendar dates such as 2026-11-14 in few letters.

const make = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options });
const full = make({ weekday: 'short', day: 'numeric', month: 'short' });
const weekdays = make({ weekday: 'short' });
const days = make({ day: 'numeric' });

const noon = (date: string) => new Date(`${date}T12:00:00Z`);

/** Sat 14 Nov */
export function shortWeekday(date: string): string {
  return full.format(noon(date)).replace(',', '');
}

/** Sat */
export function weekday(date: string): string {
  return weekdays.format(noon(date));
}

/** 14 */
export function dayOfMonth(date: string): string {
  return days.format(noon(date));
}
