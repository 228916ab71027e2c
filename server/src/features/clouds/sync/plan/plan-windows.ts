// Splits time into fetch windows: whole local days if possible, newest first, none longer than allowed.

import type { EpochMs } from '../../../../domain/records/records.ts';
import { addDays } from '../../../../domain/time/calendar.ts';
import { createZone } from '../../../../domain/time/day.ts';
import { DAY_MS } from '../../../../domain/time/durations.ts';
import type { FetchInterval, FetchWindow } from '../../../../providers/contract.ts';

/** The longest window that ends at `to` and does not begin before `earliest`. A day of 25 hours exceeds a window of 24. */
export function windowBefore(zoneName: string | null, to: number, earliest: number, windowDays: number): FetchInterval {
  const zone = createZone(zoneName);
  const { date: last } = zone.dayAt(to - 1);
  const { start } = zone.dayOf(addDays(last, 1 - windowDays));
  return { from: Math.max(earliest, start, to - windowDays * DAY_MS), to };
}

/** Splits an interval into windows, newest first. */
export function splitInterval(
  zoneName: string | null,
  { from, to }: FetchInterval,
  windowDays: number,
): FetchInterval[] {
  if (!(windowDays >= 1)) throw new Error('a window must be at least one day long');
  const windows: FetchInterval[] = [];
  for (let end = to; end > from; ) {
    const window = windowBefore(zoneName, end, from, windowDays);
    windows.push(window);
    end = window.from;
  }
  return windows;
}

/** The local midnight that begins the last `days` days, today included. */
export function startOfDays(zoneName: string | null, nowMs: number, days: number): number {
  const zone = createZone(zoneName);
  return zone.dayOf(addDays(zone.dayAt(nowMs).date, 1 - days)).start;
}

export function toFetchWindow(zoneName: string | null, { from, to }: FetchInterval): FetchWindow {
  const zone = createZone(zoneName);
  return {
    from: from as EpochMs,
    to: to as EpochMs,
    fromDate: zone.dayAt(from).date,
    toDate: zone.dayAt(Math.max(from, to - 1)).date,
  };
}
