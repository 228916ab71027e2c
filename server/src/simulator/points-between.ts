// A series of the device over the borders of days.
import type { AccountView, Point } from './account-view.ts';

/** Those that begin in [from, to), in the order of time. */
export function pointsBetween(view: AccountView, metric: string, from: number, to: number): Point[] {
  const { zone } = view.account;
  return view
    .days(zone.dayAt(from).date, zone.dayAt(to).date)
    .flatMap((day) => day.series(metric))
    .filter(({ startMs }) => startMs >= from && startMs < to);
}
