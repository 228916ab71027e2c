// Data points in Google's format: integers as strings, UTC times with their offset.
import type { LocalDate } from '../../domain/time/calendar.ts';
import type { Zone } from '../../domain/time/day.ts';
import type { AccountView } from '../account-view.ts';
import { nameInteger } from '../names.ts';
import { offsetMinutesAt, writeWallTime } from '../write-time.ts';

export type DataPoint = {
  readonly startMs: number;
  /** For a sample, equal to its start. */
  readonly endMs: number;
  readonly date: LocalDate;
  /** The id of the point, if points of its type have a name. */
  readonly key?: string;
  readonly method: 'PASSIVELY_MEASURED' | 'ACTIVELY_MEASURED' | 'MANUAL' | 'DERIVED';
  /** All fields except the time. */
  readonly fields: Readonly<Record<string, unknown>>;
};

export type PointShape = 'interval' | 'sample' | 'day' | 'log' | 'sleep' | 'exercise';

export function healthUserIdOf(seed: string): string {
  return String(nameInteger(63, 'google_health', seed, 'user'));
}

/** Merged points use another field for their name, and have no source. */
export function presentPoint(
  { account }: AccountView,
  { type, member, shape }: { readonly type: string; readonly member: string; readonly shape: PointShape },
  point: DataPoint,
  isMerged: boolean,
) {
  const { key, method } = point;
  const id = key === undefined ? null : nameInteger(63, 'google_health', account.seed, type, key);
  const name = `users/${healthUserIdOf(account.seed)}/dataTypes/${type}/dataPoints/${id}`;
  const device = { displayName: 'Pixel Watch 4', manufacturer: 'Google', formFactor: 'WATCH' };
  return {
    ...(id !== null && { [isMerged ? 'dataPointName' : 'name']: name }),
    ...(!isMerged && { dataSource: { platform: 'FITBIT', recordingMethod: method, device } }),
    [member]: { ...writeTime(account.zone, shape, point), ...point.fields },
  };
}

function writeTime(zone: Zone, shape: PointShape, { startMs, endMs, date }: DataPoint) {
  if (shape === 'day') return { date: splitDate(date) };
  if (shape === 'sample')
    return { sampleTime: { physicalTime: writeInstant(startMs), utcOffset: writeUtcOffset(zone, startMs) } };
  return { interval: writeInterval(zone, startMs, endMs) };
}

export function writeInterval(zone: Zone, startMs: number, endMs: number) {
  return {
    startTime: writeInstant(startMs),
    startUtcOffset: writeUtcOffset(zone, startMs),
    endTime: writeInstant(endMs),
    endUtcOffset: writeUtcOffset(zone, endMs),
  };
}

export function writeInstant(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}

/** `2026-03-02T06:52:30`: local time. */
export function writeCivil(zone: Zone, ms: number): string {
  return writeWallTime(ms, offsetMinutesAt(zone, ms)).slice(0, 19);
}

export function splitDate(date: LocalDate): { year: number; month: number; day: number } {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  return { year, month, day };
}

function writeUtcOffset(zone: Zone, ms: number): string {
  return `${offsetMinutesAt(zone, ms) * 60}s`;
}
