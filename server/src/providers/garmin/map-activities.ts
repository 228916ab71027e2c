// Activities. A recorded activity arrives twice, as a summary and with its details, in either order. The details contain the
// whole summary, so we use those, and summaries only for activities that never have details.
// https://developer.garmin.com/gc-developer-program/activity-api/
import type { EpochMs, HeartRateSample, RoutePoint, Workout, WorkoutLap } from '../../domain/records/records.ts';
import { DAY_SECONDS } from '../../domain/time/durations.ts';
import { getSportOrOther } from '../../domain/workouts/sports.ts';
import type { MapContext } from '../contract.ts';
import { makeWorkout, scale } from '../make-sessions.ts';
import { mapSport, nameWorkout } from '../map-sport.ts';
import { collectRecords, type ProviderRecords, type RecordCollector } from '../provider-records.ts';
import {
  isObject,
  type JsonObject,
  readFlag,
  readId,
  readList,
  readNumber,
  readPart,
  readText,
  required,
} from '../read-json.ts';
import { readEpochSeconds, readLastingMs } from '../read-time.ts';
import { GARMIN_SPORTS } from './sports.ts';
import { listSummaries, readSummaryTime } from './summaries.ts';

/** Garmin creates details for activities of up to a day. */
const LONGEST_WITH_DETAILS_SECONDS = DAY_SECONDS;

/** Entered by hand, or too long for details. */
export function mapActivities(name: string): (body: unknown) => ProviderRecords {
  return (body) => {
    const records = collectRecords();
    records.each(listSummaries(body, name), (item) => {
      const hasDetails =
        !readFlag(item, 'manual') && (readNumber(item, 'durationInSeconds') ?? 0) <= LONGEST_WITH_DETAILS_SECONDS;
      if (!hasDetails && !isParent(item)) records.workout(mapWorkout(item, item, []));
    });
    return records.records();
  };
}

export function mapActivityDetails(body: unknown, { keepsRoutes = false }: MapContext): ProviderRecords {
  const records = collectRecords();
  records.each(listSummaries(body, 'activityDetails'), (item) => {
    const summary = { ...item, ...readPart(item, 'summary') };
    if (isParent(summary)) return;
    const samples = readList(item, 'samples');
    const workout = mapWorkout(item, summary, samples);
    records.workout(keepsRoutes ? { ...workout, ...readRoute(item, workout, samples) } : workout);
    addPace(records, workout, samples);
  });
  return records.records();
}

/** Only the legs of a multisport activity count; they name it in parentSummaryId. */
function isParent(item: JsonObject): boolean {
  return readFlag(item, 'isParent') === true;
}

function mapWorkout(item: JsonObject, summary: JsonObject, samples: readonly JsonObject[]): Workout {
  const { start, offsetMinutes } = readSummaryTime(summary);
  const seconds = required(readNumber(summary, 'durationInSeconds'), 'durationInSeconds'); // without pauses
  const elapsedMs = samples.reduce(
    (max, sample) => Math.max(max, readLastingMs(sample, 'clockDurationInSeconds', 1_000) ?? 0),
    seconds * 1_000,
  );
  const activityType = readText(summary, 'activityType');
  const sportType = mapSport(GARMIN_SPORTS, activityType);
  return makeWorkout({
    key: required(readId(item, 'activityId') ?? readId(item, 'summaryId'), 'activityId'),
    sportType,
    name: nameWorkout(GARMIN_SPORTS, activityType, readText(summary, 'activityName')),
    start: start as EpochMs,
    end: (start + Math.round(elapsedMs)) as EpochMs,
    offsetMinutes,
    durationMinutes: seconds / 60,
    distanceKm: scale(readNumber(summary, 'distanceInMeters'), 1_000), // m
    activeCalories: readNumber(summary, 'activeKilocalories'), // kcal
    // In a wheelchair, steps of the watch are really pushes, and the daily total already has those.
    steps: getSportOrOther(sportType).family === 'wheelchair' ? null : readNumber(summary, 'steps'),
    elevationGainM: readNumber(summary, 'totalElevationGainInMeters'), // m
    avgHeartRate: readNumber(summary, 'averageHeartRateInBeatsPerMinute'), // bpm
    maxHeartRate: readNumber(summary, 'maxHeartRateInBeatsPerMinute'), // bpm
    heartRateSamples: readTrace(samples),
    method: readFlag(summary, 'manual') ? 'manual' : 'active',
  });
}

function readTrace(samples: readonly JsonObject[]): HeartRateSample[] | null {
  const trace = samples.flatMap((sample) => {
    const bpm = readNumber(sample, 'heartRate'); // bpm
    const time = readEpochSeconds(sample, 'startTimeInSeconds');
    return bpm === null || time === null ? [] : [{ time, bpm }];
  });
  return trace.length === 0 ? null : trace;
}

function readRoute(
  item: JsonObject,
  workout: Workout,
  samples: readonly JsonObject[],
): Pick<Workout, 'route' | 'laps'> {
  const points = samples.flatMap((sample): RoutePoint[] => {
    const time = readEpochSeconds(sample, 'startTimeInSeconds');
    const [latitude, longitude] = [readNumber(sample, 'latitudeInDegree'), readNumber(sample, 'longitudeInDegree')];
    if (time === null || latitude === null || longitude === null) return [];
    return [{ time, latitude, longitude, elevationM: readNumber(sample, 'elevationInMeters') }]; // degrees, m
  });
  return { route: points.length === 0 ? null : points, laps: readLaps(item, workout) };
}

/** A lap has only its start: it lasts until the next one, or until the workout ends. */
function readLaps(item: JsonObject, { start, end }: Workout): readonly WorkoutLap[] | null {
  const starts = readList(item, 'laps').flatMap((lap) => readEpochSeconds(lap, 'startTimeInSeconds') ?? []);
  const within = starts.filter((time) => time >= start && time < end);
  const sorted = [...new Set(within)].sort((one, other) => one - other);
  const unknown = {
    distanceKm: null,
    activeCalories: null,
    avgHeartRate: null,
    maxHeartRate: null,
    elevationGainM: null,
  };
  const laps = sorted.map((time, index) => ({ start: time, end: sorted[index + 1] ?? end, ...unknown }));
  return laps.length === 0 ? null : laps;
}

const POSITIONS: ReadonlySet<string> = new Set([
  'latitudeInDegree',
  'longitudeInDegree',
  'startingLatitudeInDegree',
  'startingLongitudeInDegree',
]);

/** Garmin sends positions whether we want them or not. */
export function withoutPositions(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(withoutPositions);
  if (!isObject(body)) return body;
  const kept = Object.entries(body).filter(([name]) => !POSITIONS.has(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutPositions(value)]));
}

/** Garmin's field, our metric, its unit, by the family of the sport. */
const PACE: Readonly<Record<string, readonly (readonly [field: string, metric: string, unit: string])[]>> = {
  running: [
    ['speedMetersPerSecond', 'running_speed', 'm/s'],
    ['powerInWatts', 'running_power', 'W'],
  ],
  cycling: [
    ['speedMetersPerSecond', 'cycling_speed', 'm/s'],
    ['powerInWatts', 'cycling_power', 'W'],
    ['bikeCadenceInRPM', 'cycling_cadence', 'rpm'],
  ],
};

function addPace(
  records: RecordCollector,
  { sportType, offsetMinutes }: Workout,
  samples: readonly JsonObject[],
): void {
  for (const [field, metric, unit] of PACE[getSportOrOther(sportType).family] ?? []) {
    for (const sample of samples) {
      const start = readEpochSeconds(sample, 'startTimeInSeconds');
      if (start !== null) records.sample(metric, { start, offsetMinutes }, readNumber(sample, field), unit);
    }
  }
}
