// An activity as a workout, from its details and, if there are any, its streams.
// https://developers.strava.com/docs/reference/#api-models-DetailedActivity: meters, seconds, m/s, kcal, watts.
import type { EpochMs, HeartRateSample, Workout, WorkoutLap } from '../../domain/records/records.ts';
import { getSportOrOther } from '../../domain/workouts/sports.ts';
import type { ListedRecord, MapContext } from '../contract.ts';
import { makeWorkout, scale } from '../make-sessions.ts';
import { knowsSport, mapSport, nameWorkout } from '../map-sport.ts';
import { collectRecords, type ProviderRecords, type RecordCollector } from '../provider-records.ts';
import { isObject, type JsonObject, readFlag, readId, readList, readNumber, readText, required } from '../read-json.ts';
import { readLastingMs, readMoment } from '../read-time.ts';
import { isStartHidden, readOffsetOf, readTimes } from './activity-times.ts';
import { readRecordedBy } from './recorded-by.ts';
import { STRAVA_SPORTS, VIRTUAL_RIDE } from './sports.ts';
import { NO_STREAMS, readRoute, readStreams, type Streams } from './streams.ts';

/** Requested by its id. A list only says which activities there are: calories, device and laps are in the details. */
export function mapActivity(body: unknown, context: MapContext): ProviderRecords {
  const records = collectRecords();
  if (!Array.isArray(body)) records.each([body], (item) => records.workout(toWorkout(item, NO_STREAMS, context)));
  return records.records();
}

/** An unreadable entry is skipped: the others are fetched. A list lacks calories and laps, and the zone is of no interest. */
export function listRecords(body: unknown): ListedRecord[] {
  const records = collectRecords();
  if (Array.isArray(body))
    records.each(body, (item) => records.workout(toWorkout(item, NO_STREAMS, { zone: 'UTC', window: null })));
  return records.records().workouts.map((workout) => {
    const { key: id, start, end } = workout;
    return { id, start, end, workout };
  });
}

/** The same workout with its series; without streams (404) nothing is added. */
export function mapStreams(body: unknown, context: MapContext): ProviderRecords {
  const records = collectRecords();
  if (body === null) return records.records();
  records.each([context.calledBy], (item) => {
    // Without the time of day, the times of the series are unknown.
    const streams = isStartHidden(item) ? NO_STREAMS : readStreams(body);
    const workout = toWorkout(item, streams, context);
    records.workout(workout);
    addPace(records, item, workout, streams);
  });
  return records.records();
}

function toWorkout(item: JsonObject, streams: Streams, { zone, keepsRoutes }: MapContext): Workout {
  const { start, end } = readTimes(item);
  const manual = readFlag(item, 'manual');
  const [isManual, isRecorded] = [manual === true, manual === false];
  const measured = (name: string) => readNumber(item, name);
  const positive = (name: string) => measured(name) || null; // 0 if not measured or entered
  const sport = readSport(item);
  return makeWorkout({
    key: required(readId(item, 'id'), 'id'), // int64
    sportType: mapSport(STRAVA_SPORTS, sport),
    name: nameWorkout(STRAVA_SPORTS, sport, readText(item, 'name') || null),
    start,
    end,
    offsetMinutes: readOffsetOf(item, start, zone),
    durationMinutes: scale(positive('moving_time'), 60), // s, without pauses
    distanceKm: scale(positive('distance'), 1_000), // m
    activeCalories: positive('calories'), // kcal; `kilojoules` is the work at the pedals
    elevationGainM: isRecorded ? measured('total_elevation_gain') : positive('total_elevation_gain'), // m
    avgHeartRate: positive('average_heartrate'), // bpm
    maxHeartRate: positive('max_heartrate'), // bpm
    heartRateSamples: readTrace(streams, start, end),
    ...(keepsRoutes === true && { route: readRoute(streams, start, end), laps: readLaps(item) }),
    recordedBy: isManual ? null : readRecordedBy(readText(item, 'external_id'), readText(item, 'device_name')),
    method: isManual ? 'manual' : 'active',
  });
}

/** `sport_type` distinguishes more than `type`, its predecessor, which knows older words. */
function readSport(item: JsonObject): string | null {
  const type = readText(item, 'type');
  const sport = readText(item, 'sport_type') || type;
  return !knowsSport(STRAVA_SPORTS, sport) && knowsSport(STRAVA_SPORTS, type) ? type : sport;
}

/** A heart rate of 0 was not measured. */
function readTrace({ times, series }: Streams, start: number, end: number): HeartRateSample[] | null {
  const trace = (series.get('heartrate') ?? []).flatMap((bpm, index) => {
    const time = start + (times[index] ?? Number.NaN);
    return bpm === null || bpm === 0 || !(time <= end) ? [] : [{ time: time as EpochMs, bpm }];
  });
  return trace.length === 0 ? null : trace;
}

/** Strava's stream, our metric, its unit, by the family of the sport. Cadence of a run counts the steps of one leg. */
const PACE: Readonly<Record<string, readonly (readonly [stream: string, metric: string, unit: string])[]>> = {
  running: [
    ['velocity_smooth', 'running_speed', 'm/s'],
    ['watts', 'running_power', 'W'],
  ],
  cycling: [
    ['velocity_smooth', 'cycling_speed', 'm/s'],
    ['watts', 'cycling_power', 'W'],
    ['cadence', 'cycling_cadence', 'rpm'],
  ],
};

function addPace(records: RecordCollector, item: JsonObject, workout: Workout, { times, series }: Streams): void {
  const isMeasured = (stream: string) => {
    if (stream === 'watts') return readFlag(item, 'device_watts') === true; // otherwise Strava's estimate
    return stream !== 'velocity_smooth' || readSport(item) !== VIRTUAL_RIDE;
  };
  for (const [stream, metric, unit] of PACE[getSportOrOther(workout.sportType).family] ?? []) {
    if (!isMeasured(stream)) continue;
    const add = records.moments(metric, unit);
    for (const [index, value] of (series.get(stream) ?? []).entries()) {
      const time = workout.start + (times[index] ?? Number.NaN);
      if (time <= workout.end) add(time, workout.offsetMinutes, value);
    }
  }
}

function readLaps(item: JsonObject): WorkoutLap[] | null {
  const laps = readList(item, 'laps').flatMap((lap): WorkoutLap[] => {
    const start = readMoment(lap, 'start_date')?.ms;
    const elapsedMs = readLastingMs(lap, 'elapsed_time', 1_000); // s
    if (start === undefined || elapsedMs === null) return [];
    return [
      {
        start,
        end: (start + elapsedMs) as EpochMs,
        distanceKm: scale(readNumber(lap, 'distance'), 1_000), // m
        activeCalories: null,
        avgHeartRate: readNumber(lap, 'average_heartrate') || null, // bpm
        maxHeartRate: readNumber(lap, 'max_heartrate') || null, // bpm
        elevationGainM: readNumber(lap, 'total_elevation_gain'), // m
      },
    ];
  });
  return laps.length === 0 || isStartHidden(item) ? null : laps;
}

/** Entered by hand: such an activity has no streams, and a request for them would be wasted. */
export function hasStreams(body: unknown): body is JsonObject {
  return isObject(body) && body.manual !== true;
}
