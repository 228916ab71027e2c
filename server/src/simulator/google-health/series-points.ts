// The watch's measurements, point by point.
import type { AccountDay, AccountView } from '../account-view.ts';
import type { DataPoint } from './data-point.ts';

type Write = (value: number) => Readonly<Record<string, unknown>>;

export function listSeries(day: AccountDay, metric: string, write: Write): DataPoint[] {
  return day.series(metric).map(({ startMs, endMs, value }) => ({
    startMs,
    endMs,
    date: day.date,
    method: 'PASSIVELY_MEASURED',
    fields: write(value),
  }));
}

export function ofSeries(metric: string, write: Write): (view: AccountView, day: AccountDay) => DataPoint[] {
  return (_view, day) => listSeries(day, metric, write);
}
