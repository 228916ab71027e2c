const DAY_MS = 86_400_000;

/** Calendar dates such as 2026-03-29; a negative number goes back. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);
}
