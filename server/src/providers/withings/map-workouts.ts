// Workouts. https://developer.withings.com/api-reference/#operation/measurev2-getworkouts: seconds, meters and kcal.
import type { RecordedBy, SourceZones, Workout } from '../../domain/records/records.ts';
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

/** `brand` of what Withings imported. Workouts usually have no brand, but the model says the same. */
const IMPORTED = 18;
/** The published models of other vendors' trackers. Null: an Android phone, Google Fit or Huawei. */
const VENDOR_OF_MODEL = new Map<number, string | null>([
  [1_051, 'apple_health'],
  [1_052, 'apple_health'],
  [1_053, null],
  [1_054, null],
  [1_055, null],
  [1_056, 'samsung_health'],
  [1_057, 'apple_health'],
  [1_058, 'apple_health'],
  [1_059, 'apple_health'],
  [1_060, null],
  [1_062, null],
]);

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
    sourceZones: toZones(['hr_zone_1', 'hr_zone_2', 'hr_zone_3'].map(measured), positive('hr_average')),
    method: isManual ? 'manual' : 'automatic',
    recordedBy: readRecordedBy(row),
  });
}

/** Withings does not pass on the id of the workout. */
function readRecordedBy(row: JsonObject): RecordedBy | null {
  const vendor = VENDOR_OF_MODEL.get(readNumber(row, 'model') ?? 0);
  const isImported = vendor !== undefined || readNumber(row, 'brand') === IMPORTED;
  return isImported ? { vendor: vendor ?? null, id: null } : null;
}

/** Seconds in the moderate, intense and maximal zone. An easy workout stays below them; without a signal they are 0 too. */
function toZones(seconds: readonly (number | null)[], avgHeartRate: number | null): SourceZones | null {
  const [moderate = null, intense = null, maximal = null] = seconds.map((value) => scale(value, 60));
  if (moderate === null || intense === null || maximal === null) return null;
  if (avgHeartRate === null && moderate + intense + maximal === 0) return null;
  return { minutes: [0, moderate, intense, 0, maximal], isApproximate: true };
}
