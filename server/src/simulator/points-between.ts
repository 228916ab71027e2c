// A series of the device across days.
import type { AccountView, Point } from './account-view.ts';

/** Points that begin in [from, to), in order of time. */
export function pointsBetween(view: AccountView, metric: string, from: number, to: number): Point[] {
  const { zone } = view.account;
  return view
    .days(zone.dayAt(from).date, zone.dayAt(to).date)
    .flatMap((day) => day.series(metric))
    .filter(({ startMs }) => startMs >= from && startMs < to);
}
