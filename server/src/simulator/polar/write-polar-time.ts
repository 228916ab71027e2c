// Polar's time formats: mostly local time of the watch, without an offset.
import type { Zone } from '../../domain/time/day.ts';
import { offsetMinutesAt, writeOffset, writeWallTime } from '../write-time.ts';

/** `2026-03-02T07:02:30` */
export function writeWall(zone: Zone, ms: number): string {
  return writeWallTime(ms, offsetMinutesAt(zone, ms)).slice(0, 19);
}

/** `2026-03-02T07:02:30+01:00` */
export function writeWithOffset(zone: Zone, ms: number): string {
  return `${writeWall(zone, ms)}${writeOffset(offsetMinutesAt(zone, ms))}`;
}

/** `07:02` */
export function writeClock(zone: Zone, ms: number): string {
  return writeWall(zone, ms).slice(11, 16);
}

/** `PT1H31M31S`, and `PT0S` for zero. */
export function writeDuration(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  const parts = [
    [Math.floor(seconds / 3_600), 'H'],
    [Math.floor((seconds % 3_600) / 60), 'M'],
    [seconds % 60, 'S'],
  ] as const;
  const reported = parts.filter(([count]) => count > 0).map((part) => part.join(''));
  return `PT${reported.join('') || '0S'}`;
}
