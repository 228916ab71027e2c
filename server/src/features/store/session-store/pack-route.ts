// Packs the route and the laps of a workout and reads them back. A route of four hours takes about 60 KB. Pure.
import { createHash } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import {
  type ByteReader,
  createByteWriter,
  fromZigzag,
  readVarint,
  readVarints,
  requireBytes,
  takeBytes,
  toZigzag,
  writeVarint,
  writeVarints,
} from '../../../domain/packed/bytes/index.ts';
import { DEGREE_STEPS, ELEVATION_STEPS, MAX_ROUTE_POINTS } from '../../../domain/records/check-route.ts';
import type { EpochMs, RoutePoint, Workout, WorkoutLap } from '../../../domain/records/records.ts';

/** Not compressed yet, because only new ones are stored. */
export type PackedRoute = {
  readonly route: Uint8Array | null;
  readonly laps: Uint8Array | null;
  /** Identifies both without reading the stored row. */
  readonly digest: string;
};

const DIGEST_CHARACTERS = 22; // 128 bits: a collision would only affect a user's own workouts
const COLUMNS = 4;

/** Null: the workout has neither. */
export function packRoute({ route = null, laps = null }: Pick<Workout, 'route' | 'laps'>): PackedRoute | null {
  const packed = {
    route: route === null || route.length === 0 ? null : encodeRoute(route),
    laps: laps === null || laps.length === 0 ? null : Buffer.from(JSON.stringify(laps)),
  };
  if (packed.route === null && packed.laps === null) return null;
  const hash = createHash('sha256');
  for (const bytes of [packed.route, packed.laps]) hash.update(`${bytes?.length ?? 0} `).update(bytes ?? '');
  return { ...packed, digest: hash.digest('base64url').slice(0, DIGEST_CHARACTERS) };
}

/** The number of points, then per column the distance of each value to the one before. An unknown elevation is 0, others are one higher. */
function encodeRoute(points: readonly RoutePoint[]): Uint8Array {
  const writer = createByteWriter();
  writeVarint(writer, points.length);
  writeVarints(writer, toSteps(points.map(({ time }) => time)));
  writeVarints(writer, toSteps(points.map(({ latitude }) => Math.round(latitude * DEGREE_STEPS))));
  writeVarints(writer, toSteps(points.map(({ longitude }) => Math.round(longitude * DEGREE_STEPS))));
  writeVarints(
    writer,
    Float64Array.from(points, ({ elevationM }) =>
      elevationM === null ? 0 : toZigzag(Math.round(elevationM * ELEVATION_STEPS)) + 1,
    ),
  );
  return takeBytes(writer);
}

export function decodeRoute(compressed: Uint8Array): RoutePoint[] {
  const reader: ByteReader = { bytes: inflateRawSync(compressed), index: 0 };
  const count = Math.min(readVarint(reader), MAX_ROUTE_POINTS);
  requireBytes(reader, count * COLUMNS);
  const [times, latitudes, longitudes] = [fromSteps(reader, count), fromSteps(reader, count), fromSteps(reader, count)];
  const elevations = new Float64Array(count);
  readVarints(reader, elevations);
  return Array.from(times, (time, index): RoutePoint => {
    const elevation = elevations[index] as number;
    return {
      time: time as EpochMs,
      latitude: (latitudes[index] as number) / DEGREE_STEPS,
      longitude: (longitudes[index] as number) / DEGREE_STEPS,
      elevationM: elevation === 0 ? null : fromZigzag(elevation - 1) / ELEVATION_STEPS,
    };
  });
}

export function decodeLaps(compressed: Uint8Array): WorkoutLap[] {
  return JSON.parse(inflateRawSync(compressed).toString()) as WorkoutLap[];
}

function toSteps(values: readonly number[]): Float64Array {
  return Float64Array.from(values, (value, index) => toZigzag(index === 0 ? value : value - (values[index - 1] ?? 0)));
}

function fromSteps(reader: ByteReader, count: number): Float64Array {
  const values = new Float64Array(count);
  readVarints(reader, values);
  for (let index = 0; index < count; index += 1)
    values[index] = fromZigzag(values[index] as number) + (index === 0 ? 0 : (values[index - 1] as number));
  return values;
}
