// An account as its provider knows it at a moment: days from a month before the connection, and nothing from the
// future.

import type { MetricId } from '../domain/metrics/index.ts';
import type { SleepSession, Workout } from '../domain/records/records.ts';
import type { LivedDay } from '../domain/sandbox/index.ts';
import type { ActiveFault } from '../domain/sandbox/simulated-faults.ts';
import { addDays, type LocalDate } from '../domain/time/calendar.ts';
import type { Interval } from '../domain/time/intervals.ts';
import type { SimulatedAccount } from './account-store.ts';
import type { DayCache, DeviceDay, WornDevice } from './day-cache.ts';
import { HISTORY_DAYS } from './history-days.ts';
import { createRecordEdits, type DayRecords, isNight } from './record-edits.ts';
import { findSyncedUntil } from './sync-time.ts';

export type AccountView = {
  readonly account: SimulatedAccount;
  readonly nowMs: number;
  /** Later data is not known yet. */
  readonly syncedUntilMs: number;
  readonly firstDate: LocalDate;
  readonly today: LocalDate;
  /** Null before the first day and after today. */
  day(date: LocalDate): AccountDay | null;
  /** The existing days, both ends included, in order of time. */
  days(from: LocalDate, to: LocalDate): AccountDay[];
};

export type AccountDay = {
  readonly date: LocalDate;
  /** The whole day, including what has not happened yet: nothing at or after `untilMs` may be reported. */
  readonly lived: LivedDay;
  readonly untilMs: number;
  readonly isOver: boolean;
  /** As the device recorded them, once they have ended. */
  readonly sleeps: readonly SleepSession[];
  readonly workouts: readonly Workout[];
  /** For a metric that the device samples (SAMPLED_METRICS). */
  series(metric: string): Point[];
};

export type Point = { readonly startMs: number; readonly endMs: number; readonly value: number };

type ViewRequest = {
  readonly account: SimulatedAccount;
  readonly device: WornDevice;
  readonly now: Date;
  readonly faults: readonly ActiveFault[];
  readonly cache: DayCache;
};

export function viewAccount({ account, device, now, faults, cache }: ViewRequest): AccountView {
  const { zone, person } = account;
  const nowMs = now.getTime();
  const syncedUntilMs = findSyncedUntil(person, zone, nowMs);
  const { date: today } = zone.dayAt(nowMs);
  const firstDate = addDays(zone.dayAt(account.connectedAtMs).date, -HISTORY_DAYS);
  const recordsOf = (date: LocalDate): DayRecords => {
    const { records } = cache(account, device, date);
    const isKnown = ({ end }: { end: number }) => end <= syncedUntilMs;
    return { sleeps: records.sleep.filter(isKnown), workouts: records.workouts.filter(isKnown) };
  };
  const edits = createRecordEdits(faults, recordsOf);
  const day = (date: LocalDate): AccountDay | null => {
    if (date < firstDate || date > today) return null;
    const made = cache(account, device, date);
    const missing = [date, addDays(date, 1)].flatMap((end) => (edits.isNightMissing(end) ? nightOf(made, end) : []));
    const untilMs = Math.min(made.lived.toMs, syncedUntilMs);
    return {
      date,
      lived: made.lived,
      untilMs,
      isOver: syncedUntilMs >= made.lived.toMs,
      ...edits.apply(date, recordsOf(date)),
      series: (metric) => readSeries(made, metric, untilMs).filter(({ startMs }) => !isIn(missing, startMs)),
    };
  };
  return {
    account,
    nowMs,
    syncedUntilMs,
    firstDate,
    today,
    day,
    days(from, to) {
      const found: AccountDay[] = [];
      const last = to < today ? to : today;
      for (let date = from > firstDate ? from : firstDate; date <= last; date = addDays(date, 1)) {
        const one = day(date);
        if (one !== null) found.push(one);
      }
      return found;
    },
  };
}

/** The night that ends on a date, as far as it is in the day. */
function nightOf({ lived, records }: DeviceDay, date: LocalDate): Interval[] {
  if (date === lived.date) return records.sleep.filter(isNight);
  return lived.beds.filter(({ kind, end }) => kind === 'night' && end > lived.toMs);
}

function isIn(intervals: readonly Interval[], ms: number): boolean {
  return intervals.some(({ start, end }) => ms >= start && ms < end);
}

function readSeries({ records }: DeviceDay, metric: string, untilMs: number): Point[] {
  const columns = records.samples.get(metric as MetricId);
  if (columns === undefined) return [];
  const points: Point[] = [];
  for (let index = 0; index < columns.starts.length; index++) {
    const startMs = columns.starts[index] as number;
    const endMs = columns.ends?.[index] ?? startMs;
    if (Math.max(startMs + 1, endMs) <= untilMs)
      points.push({ startMs, endMs, value: columns.values[index] as number });
  }
  return points;
}
