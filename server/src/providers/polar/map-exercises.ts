// Training sessions. Keys have hyphens and underscores, in one object.
// https://www.polar.com/accesslink-api/#exercise-data

import {
  type EpochMs,
  type HeartRateSample,
  type RoutePoint,
  type SourceZones,
  type Workout,
  ZONE_COUNT,
} from '../../domain/records/records.ts';
import { MINUTE_MS } from '../../domain/time/durations.ts';
import { getSportOrOther } from '../../domain/workouts/sports.ts';
import type { MapContext } from '../contract.ts';
import { makeWorkout, scale } from '../make-sessions.ts';
import { knowsSport, mapSport, nameWorkout } from '../map-sport.ts';
import { collectRecords, type ProviderRecords, type RecordCollector } from '../provider-records.ts';
import { type JsonObject, readId, readList, readNumber, readPart, readText, required } from '../read-json.ts';
import { parseMoment, readZoneOffset } from '../read-time.ts';
import { rejectField } from '../unreadable-fields.ts';
import { atLocal, type LocalMoment, readDurationSeconds, splitLocal } from './local-times.ts';
import { listOrOne } from './map-sleep.ts';
import { readSignal } from './read-signal.ts';
import { POLAR_SPORTS } from './sports.ts';

/** Polar's sample types: the heart rate, and further metrics by family of sport. */
const HEART_RATE = '0';
const PACE: Readonly<Record<string, Readonly<Record<string, readonly [metric: string, unit: string]>>>> = {
  running: { '1': ['running_speed', 'km/h'], '4': ['running_power', 'W'] },
  cycling: { '1': ['cycling_speed', 'km/h'], '2': ['cycling_cadence', 'rpm'], '4': ['cycling_power', 'W'] },
};

/** A list, or one exercise requested by its id. Training load, running index and fuel shares are Polar's own and not mapped. */
export function mapExercises(body: unknown, { zone, keepsRoutes = false }: MapContext): ProviderRecords {
  const records = collectRecords();
  records.each(listOrOne(body, 'exercises'), (item) => {
    const series = readList(item, 'samples').flatMap((sample) => readSamples(sample) ?? []);
    const workout = mapWorkout(item, series, zone);
    const route = keepsRoutes ? readRoute(item, workout) : null;
    records.workout(route === null ? workout : { ...workout, route });
    addPace(records, workout, series);
  });
  return records.records();
}

/** `time`: ISO 8601, since the start. `fix` 0: no position. */
function readRoute(item: JsonObject, { start }: Workout): readonly RoutePoint[] | null {
  const points = readList(item, 'route').flatMap((point): RoutePoint[] => {
    const seconds = readDurationSeconds(point, 'time');
    const [latitude, longitude] = [readNumber(point, 'latitude'), readNumber(point, 'longitude')]; // degrees
    if (seconds === null || latitude === null || longitude === null || readNumber(point, 'fix') === 0) return [];
    return [{ time: (start + Math.round(seconds * 1_000)) as EpochMs, latitude, longitude, elevationM: null }];
  });
  return points.length === 0 ? null : points;
}

function mapWorkout(item: JsonObject, series: readonly Series[], zone: string): Workout {
  const { start, offsetMinutes } = readStart(item, zone);
  const seconds = required(readDurationSeconds(item, 'duration'), 'duration'); // ISO 8601
  const heartRate = readPart(item, 'heart_rate') ?? {};
  const end = start + Math.round(seconds * 1_000);
  const sport = readSport(item);
  return makeWorkout({
    key: required(readId(item, 'id'), 'id'),
    sportType: mapSport(POLAR_SPORTS, sport),
    name: nameWorkout(POLAR_SPORTS, sport, null),
    start: start as EpochMs,
    end: end as EpochMs,
    offsetMinutes,
    durationMinutes: seconds / 60,
    distanceKm: scale(readNumber(item, 'distance'), 1_000), // m
    activeCalories: readNumber(item, 'calories'), // kcal of the session; Polar reports no other energy
    avgHeartRate: readSignal(heartRate, 'average'), // bpm
    maxHeartRate: readSignal(heartRate, 'maximum'), // bpm
    sourceZones: readZones(item),
    heartRateSamples: readTrace(series, start, end),
    method: 'active',
  });
}

/** The detailed sport if we know it: `sport` is coarser and almost always known. */
function readSport(item: JsonObject): string | null {
  const sport = readText(item, 'sport');
  const detailed = readText(item, 'detailed_sport_info') || sport;
  return !knowsSport(POLAR_SPORTS, detailed) && knowsSport(POLAR_SPORTS, sport) ? sport : detailed;
}

/** start_time: local time; start_time_utc_offset: its offset in minutes. Without an offset we use the user's zone. */
function readStart(item: JsonObject, zone: string): LocalMoment {
  const text = required(readText(item, 'start_time'), 'start_time');
  const local = splitLocal(text);
  if (local === null) {
    const { ms, offsetMinutes } = parseMoment(text, 'start_time');
    return { start: ms, offsetMinutes };
  }
  const offsetMinutes = readZoneOffset(item, 'start_time_utc_offset');
  if (offsetMinutes === null) return atLocal(zone, local.date, local.secondsOfDay);
  const { start } = atLocal('UTC', local.date, local.secondsOfDay);
  return { start: start - offsetMinutes * MINUTE_MS, offsetMinutes };
}

/** Five, by the limits of the user's profile. All are 0 if no heart rate was measured. */
function readZones(item: JsonObject): SourceZones | null {
  const zones = orderZones(readList(item, 'heart_rate_zones'));
  const minutes = zones.flatMap(
    (zone) => scale(readDurationSeconds(zone, 'in-zone') ?? readDurationSeconds(zone, 'in_zone'), 60) ?? [],
  );
  const isWhole = zones.length === ZONE_COUNT && minutes.length === ZONE_COUNT;
  return isWhole && minutes.some((one) => one > 0) ? { minutes, isApproximate: false } : null;
}

/** Null if their numbers are not consecutive: we cannot see which is which. */
function orderZones(zones: readonly JsonObject[]): readonly JsonObject[] {
  const ordered = zones
    .map((zone) => ({ zone, index: readNumber(zone, 'index') ?? Number.NaN }))
    .toSorted((a, b) => a.index - b.index);
  const isInOrder = ordered.every(({ index }, position) => index === (ordered[0]?.index ?? 0) + position);
  return isInOrder ? ordered.map(({ zone }) => zone) : [];
}

type Series = { readonly type: string; readonly everyMs: number; readonly values: readonly (number | null)[] };

/**
 * data: comma-separated values, "null" for a missing one; recording-rate: seconds between values, which their times depend on.
 */
function readSamples(sample: JsonObject): Series | null {
  const seconds = readNumber(sample, 'recording-rate') ?? readNumber(sample, 'recording_rate');
  if (seconds === null || seconds < 0) return rejectField('recording-rate', 'is not a rate');
  const values = (readText(sample, 'data') ?? '').split(',').map((text) => {
    const value = text.trim() === '' ? Number.NaN : Number(text);
    return Number.isFinite(value) ? value : null;
  });
  return {
    type: readId(sample, 'sample-type') ?? readId(sample, 'sample_type') ?? '',
    everyMs: seconds * 1_000,
    values,
  };
}

/** A heart rate of 0 was not measured. */
function readTrace(series: readonly Series[], start: number, end: number): HeartRateSample[] | null {
  const { everyMs = 0, values = [] } = series.find(({ type }) => type === HEART_RATE) ?? {};
  const trace = values.flatMap((bpm, position) => {
    const time = start + position * everyMs;
    return bpm === null || bpm === 0 || time > end ? [] : [{ time: time as EpochMs, bpm }];
  });
  return trace.length === 0 ? null : trace;
}

function addPace(records: RecordCollector, workout: Workout, series: readonly Series[]): void {
  const metrics = PACE[getSportOrOther(workout.sportType).family] ?? {};
  for (const { type, everyMs, values } of series) {
    const [metric, unit] = metrics[type] ?? [];
    if (metric === undefined || unit === undefined) continue;
    for (const [position, value] of values.entries()) {
      const at = { start: workout.start + position * everyMs, offsetMinutes: workout.offsetMinutes };
      records.sample(metric, at, value, unit);
    }
  }
}
