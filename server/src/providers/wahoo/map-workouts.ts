// Workouts. Without a summary a workout is planned or not uploaded yet, and not mapped. The recording has heart rates, laps and the route, and
// names the sport more reliably than the type of the workout; a workout of a page that has one is fetched on its own.
// https://cloud-api.wahooligan.com/#workout-summary
import type { EpochMs, Workout } from '../../domain/records/records.ts';
import type { ListedRecord, MapContext } from '../contract.ts';
import { makeWorkout, scale } from '../make-sessions.ts';
import { mapSport, sportTable } from '../map-sport.ts';
import { collectRecords, type ProviderRecords } from '../provider-records.ts';
import { type JsonObject, readFlag, readId, readPart, readText, required } from '../read-json.ts';
import { type Recording, readOptionalRecording } from '../read-recording.ts';
import { offsetAt, readMoment, readZone } from '../read-time.ts';
import { readDecimal } from './read-decimal.ts';
import { isOfOtherApp, isPage, listWorkouts, requestFile } from './workout-items.ts';

/** By `workout_type_id`. 5 and 42 are said to be treadmill and strength, which no public source confirms: they become `other`. */
const TYPES = sportTable({
  cycling: '0 15',
  running: '1',
  walking: '6',
  hiking: '9',
  indoor_cycling: '12',
  mountain_biking: '13',
  pool_swimming: '25',
  open_water_swimming: '26',
});
const FIT_SPORTS = sportTable({ strength_training: 'strength_training training', pool_swimming: 'lap_swimming' });

export function mapWorkouts(body: unknown, { zone }: MapContext): ProviderRecords {
  return mapItems(listWorkouts(body), zone);
}

/** Workouts of a page that have a recording. */
export function listRecords(body: unknown): ListedRecord[] {
  if (!isPage(body)) return [];
  const recorded = listWorkouts(body).filter((item) => requestFile(item) !== null);
  const { workouts } = mapItems(recorded, 'UTC'); // the zone only decides the offset
  return workouts.map((workout) => ({ id: workout.key, start: workout.start, end: workout.end, workout }));
}

function mapItems(items: readonly unknown[], zone: string): ProviderRecords {
  const records = collectRecords();
  records.each(items, (item) => {
    const workout = mapWorkout(item, zone, null);
    if (workout !== null) records.workout(workout);
  });
  return records.records();
}

export function mapWorkoutFile(body: unknown, { zone, calledBy }: MapContext): ProviderRecords {
  const records = collectRecords();
  records.each([calledBy], (item) => {
    const workout = mapWorkout(item, zone, readOptionalRecording(body));
    if (workout !== null) records.workout(workout);
  });
  return records.records();
}

function mapWorkout(item: JsonObject, userZone: string, recording: Recording | null): Workout | null {
  const summary = readPart(item, 'workout_summary');
  if (summary === null) return null;
  const { ms: start } = required(readMoment(item, 'starts'), 'starts'); // UTC
  const active = readDecimal(summary, 'duration_active_accum'); // s
  const seconds = required(readDecimal(summary, 'duration_total_accum'), 'duration_total_accum'); // s, with pauses; `minutes` is rounded
  const type = readId(item, 'workout_type_id');
  const sport = recording?.sport ?? null;
  const found = mapSport(TYPES, type);
  return makeWorkout({
    key: required(readId(item, 'id'), 'id'),
    sportType: found === 'other' && sport !== null ? mapSport(FIT_SPORTS, sport) : found,
    name: readText(item, 'name'),
    start,
    end: (start + Math.round(seconds * 1_000)) as EpochMs,
    offsetMinutes: offsetAt(readZone(summary, 'time_zone', userZone), start),
    durationMinutes: scale(active, 60),
    distanceKm: scale(readDecimal(summary, 'distance_accum'), 1_000), // m
    activeCalories: readDecimal(summary, 'calories_accum'), // kcal
    elevationGainM: readDecimal(summary, 'ascent_accum'), // m
    avgHeartRate: readDecimal(summary, 'heart_rate_avg'), // bpm
    heartRateSamples: recording?.heartRateSamples ?? null,
    ...(recording !== null && { route: recording.route ?? null, laps: recording.laps ?? null }),
    ...(isOfOtherApp(summary) && { recordedBy: { vendor: null, id: null } }),
    method: readFlag(summary, 'manual') ? 'manual' : 'active',
  });
}
