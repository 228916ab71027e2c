// Workouts. https://developer.withings.com/api-reference/#operation/measurev2-getworkouts: seconds, meters and kcal.
import type { SourceZones, Workout } from '../../domain/records/records.ts';
import type { MapContext } from '../contract.ts';
import { makeWorkout, scale } from '../make-sessions.ts';
import { collectRecords, type ProviderRecords } from '../provider-records.ts';
import { type JsonObject, readId, readNumber, readPart, readValues, required } from '../read-json.ts';
import { offsetAt, readEpochSeconds, readZone } from '../read-time.ts';
import { readBody } from './answer.ts';
import { NO_ACTIVITY, nameOther, toSportType } from './sports.ts';

export const WORKOUT_FIELDS: readonly string[] = [
  'calories',
  'manual_calories',
  'effduration',
  'distance',
  'manual_distance',
  'steps',
  'strokes',
  'pool_length',
  'hr_average',
  'hr_max',
  'hr_zone_1',
  'hr_zone_2',
  'hr_zone_3',
];

const MANUAL = [2, 4]; // `attrib`

export function mapWorkouts(answer: unknown, context: MapContext): ProviderRecords {
  const into = collectRecords();
  into.each(readValues(readBody(answer), 'series'), (row) => {
    if (readNumber(row, 'category') !== NO_ACTIVITY) into.workout(toWorkout(row, context.zone));
  });
  return into.records();
}

/** `elevation` counts floors, which are not meters. */
function toWorkout(row: JsonObject, zone: string): Workout {
  const start = required(readEpochSeconds(row, 'startdate'), 'startdate');
  const data = readPart(row, 'data') ?? {};
  const measured = (name: string) => readNumber(data, name);
  const positive = (name: string) => measured(name) || null; // 0 if not measured or entered
  const counted = (name: string) => positive(name) ?? positive(`manual_${name}`) ?? measured(name);
  const isManual = MANUAL.includes(readNumber(row, 'attrib') ?? -1);
  return makeWorkout({
    key: required(readId(row, 'id'), 'id'),
    sportType: toSportType(readNumber(row, 'category')),
    name: nameOther(readNumber(row, 'category')),
    start,
    end: required(readEpochSeconds(row, 'enddate'), 'enddate'),
    offsetMinutes: offsetAt(readZone(row, 'timezone', zone), start),
    durationMinutes: scale(measured('effduration'), 60), // s, without pauses
    distanceKm: scale(counted('distance'), 1_000), // m
    activeCalories: counted('calories'), // kcal
    steps: measured('steps'),
    swimmingStrokeCount: measured('strokes'),
    swimmingLapLengthM: measured('pool_length'), // m
    avgHeartRate: positive('hr_average'), // bpm
    maxHeartRate: positive('hr_max'), // bpm
    sourceZones: toZones(['hr_zone_1', 'hr_zone_2', 'hr_zone_3'].map(measured)),
    method: isManual ? 'manual' : 'automatic',
  });
}

/** Seconds in the moderate, intense and maximal zone; below them is `hr_zone_0`. All 0: no heart rate was measured. */
function toZones(seconds: readonly (number | null)[]): SourceZones | null {
  const [moderate = null, intense = null, maximal = null] = seconds.map((value) => scale(value, 60));
  if (moderate === null || intense === null || maximal === null || moderate + intense + maximal === 0) return null;
  return { minutes: [0, moderate, intense, 0, maximal], isApproximate: true };
}
