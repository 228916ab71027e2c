// Workouts. https://developer.withings.com/api-reference/#operation/measurev2-getworkouts: seconds, meters and kcal.
import type { Workout } from '../../domain/records.ts';
import type { MapContext } from '../contract.ts';
import { makeWorkout, scale } from '../make-sessions.ts';
import { collectRecords, type ProviderRecords } from '../provider-records.ts';
import { type JsonObject, readId, readNumber, readPart, readValues, required } from '../read-json.ts';
import { offsetAt, readEpochSeconds, readZone } from '../read-time.ts';
import { readBody } from './answer.ts';
import { NO_ACTIVITY, toSportType } from './sports.ts';

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
];

const MANUAL = [2, 4]; // `attrib`

export function mapWorkouts(answer: unknown, context: MapContext): ProviderRecords {
  const into = collectRecords();
  into.each(readValues(readBody(answer), 'series'), (row) => {
    if (readNumber(row, 'category') !== NO_ACTIVITY) into.workout(toWorkout(row, context.zone));
  });
  return into.records();
}

/** `elevation` counts floors here, and floors are no meters. */
function toWorkout(row: JsonObject, zone: string): Workout {
  const start = required(readEpochSeconds(row, 'startdate'), 'startdate');
  const data = readPart(row, 'data') ?? {};
  const measured = (name: string) => readNumber(data, name);
  const entered = (name: string) => measured(name) || null; // 0 where nobody entered anything
  const isManual = MANUAL.includes(readNumber(row, 'attrib') ?? -1);
  return makeWorkout({
    key: required(readId(row, 'id'), 'id'),
    sportType: toSportType(readNumber(row, 'category')),
    start,
    end: required(readEpochSeconds(row, 'enddate'), 'enddate'),
    offsetMinutes: offsetAt(readZone(row, 'timezone', zone), start),
    durationMinutes: scale(measured('effduration'), 60), // s, without pauses
    distanceKm: scale(measured('distance') ?? entered('manual_distance'), 1_000), // m
    activeCalories: measured('calories') ?? entered('manual_calories'), // kcal
    steps: measured('steps'),
    swimmingStrokeCount: measured('strokes'),
    swimmingLapLengthM: measured('pool_length'), // m
    avgHeartRate: measured('hr_average'), // bpm
    maxHeartRate: measured('hr_max'), // bpm
    method: isManual ? 'manual' : 'automatic',
  });
}
