// Local clock times without an offset (specification, Formats: session clock values). Pure.

import type { LocalDate } from '../../../domain/time/calendar.ts';
import type { Zone } from '../../../domain/time/day.ts';
import { MINUTE_MS } from '../../../domain/time/durations.ts';

const EPOCH = '1970-01-01' as LocalDate;

/** For example 2026-03-02T23:10:00; milliseconds are written only when they are not zero. */
export function formatClock(epochMs: number, zone: Zone): string {
  const wallMs = Math.round(zone.wallMinutes(epochMs, EPOCH) * MINUTE_MS);
  return new Date(wallMs).toISOString().replace(/(\.000)?Z$/, '');
}
