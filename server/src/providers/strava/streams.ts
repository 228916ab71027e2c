// The series of an activity: `{time: {data}, heartrate: {data}, …}`, all of the same length. `time` counts seconds from the start.
// https://developers.strava.com/docs/reference/#api-models-StreamSet
import type { EpochMs, RoutePoint } from '../../domain/records/records.ts';
import { asObject, type JsonObject, readPart, readValues } from '../read-json.ts';
import { rejectField } from '../unreadable-fields.ts';

export type Streams = {
  /** Milliseconds after the start; NaN for an unreadable time. */
  readonly times: readonly number[];
  /** By Strava's name; null for a missing value. */
  readonly series: ReadonlyMap<string, readonly (number | null)[]>;
  readonly positions: readonly unknown[];
};

export const NO_STREAMS: Streams = { times: [], series: new Map(), positions: [] };

/** Positions are requested only for accounts that keep routes; altitudes are of no use without them. */
export const STREAM_KEYS = ['time', 'heartrate', 'velocity_smooth', 'cadence', 'watts'];
export const ROUTE_KEYS = ['latlng', 'altitude'];

export function readStreams(body: unknown): Streams {
  const streams = asObject(body);
  const times = readNumbers(streams, 'time').map((seconds) => (seconds === null ? Number.NaN : seconds * 1_000));
  const names = [...STREAM_KEYS, ...ROUTE_KEYS].filter((name) => name !== 'time' && name !== 'latlng');
  const series = names.flatMap((name) => {
    const values = readNumbers(streams, name);
    if (values.length === times.length) return [[name, values] as const];
    // Without a time for each value we cannot see which is which.
    if (values.length > 0) rejectField(name, 'has another length than time');
    return [];
  });
  return { times, series: new Map(series), positions: readData(streams, 'latlng') };
}

function readNumbers(streams: JsonObject, name: string): (number | null)[] {
  const values = readData(streams, name);
  const isBad = (value: unknown) => typeof value !== 'number' && value !== null;
  const bad = values.filter(isBad).length;
  if (bad > 0) rejectField(name, 'has a value that is not a number');
  return values.map((value) => (typeof value === 'number' ? value : null));
}

function readData(streams: JsonObject, name: string): readonly unknown[] {
  const stream = readPart(streams, name);
  return stream === null ? [] : readValues(stream, 'data');
}

/** Null without positions. */
export function readRoute({ times, series, positions }: Streams, start: number, end: number): RoutePoint[] | null {
  if (positions.length !== times.length) return null;
  const altitudes = series.get('altitude') ?? [];
  let last = Number.NEGATIVE_INFINITY;
  const points = positions.flatMap((position, index): RoutePoint[] => {
    const time = start + (times[index] ?? Number.NaN);
    const [latitude, longitude] = Array.isArray(position) ? position : [];
    if (!isDegrees(latitude, 90) || !isDegrees(longitude, 180) || !(time > last) || time > end) return [];
    last = time;
    return [{ time: time as EpochMs, latitude, longitude, elevationM: altitudes[index] ?? null }];
  });
  return points.length === 0 ? null : points;
}

function isDegrees(value: unknown, limit: number): value is number {
  return typeof value === 'number' && Math.abs(value) <= limit;
}
