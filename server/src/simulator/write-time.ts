// Time formats of providers.

import type { Zone } from '../domain/time/day.ts';
import { MINUTE_MS } from '../domain/time/durations.ts';

/** The UTC offset. */
export function offsetMinutesAt(zone: Zone, ms: number): number {
  const { date } = zone.dayAt(ms);
  return Math.round(zone.wallMinutes(ms, date) - (ms - Date.parse(date)) / MINUTE_MS);
}

/** `+01:00` */
export function writeOffset(offsetMinutes: number): string {
  const minutes = Math.abs(offsetMinutes);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${offsetMinutes < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** Local time without an offset: `2026-03-02T06:52:30.000` */
export function writeWallTime(ms: number, offsetMinutes: number): string {
  return new Date(ms + offsetMinutes * MINUTE_MS).toISOString().slice(0, -1);
}

/** `2026-03-02T06:52:30.000+01:00` */
export function writeLocalTime(zone: Zone, ms: number): string {
  const offset = offsetMinutesAt(zone, ms);
  return `${writeWallTime(ms, offset)}${writeOffset(offset)}`;
}
