// Exercises. https://developers.google.com/health/reference/rest/v4/users.dataTypes.dataPoints#exercise

import type { EpochMs, RecordedBy, SourceZones, Workout } from '../../domain/records/records.ts';
import { formatInstant } from '../../domain/time/calendar.ts';
import { nameVendor } from '../../domain/vendors.ts';
import { makeWorkout, scale } from '../make-sessions.ts';
import { mapSport, nameWorkout } from '../map-sport.ts';
import { collectRecords, type ProviderRecords } from '../provider-records.ts';
import { type JsonObject, readPart, readText } from '../read-json.ts';
import { eachPoint, readAmount, readInterval, readMethod, readPointId, readSeconds } from './data-points.ts';
import { GOOGLE_SPORTS } from './sports.ts';

export function mapExercise(body: unknown): ProviderRecords {
  const records = collectRecords();
  eachPoint(records, body, { list: 'dataPoints', member: 'exercise' }, (data, point) => {
    records.workout(mapWorkout(point, data));
  });
  return records.records();
}

function mapWorkout(point: JsonObject, data: JsonObject): Workout {
  const { start, end, offsetMinutes } = readInterval(data);
  const summary = readPart(data, 'metricsSummary') ?? {};
  const exerciseType = readText(data, 'exerciseType');
  return makeWorkout({
    key: readPointId(point) ?? formatInstant(new Date(start)),
    sportType: mapSport(GOOGLE_SPORTS, exerciseType),
    name: nameWorkout(GOOGLE_SPORTS, exerciseType, readText(data, 'displayName')),
    start: start as EpochMs,
    end: end as EpochMs,
    offsetMinutes,
    durationMinutes: scale(readSeconds(data, 'activeDuration'), 60), // "1863s", without pauses
    distanceKm: scale(readAmount(summary, 'distanceMillimeters'), 1_000_000), // mm
    activeCalories: readAmount(summary, 'caloriesKcal'), // kcal of the exercise; Google reports no other energy
    steps: readAmount(summary, 'steps'),
    elevationGainM: scale(readAmount(summary, 'elevationGainMillimeters'), 1_000), // mm
    swimmingLapLengthM: scale(readAmount(readPart(data, 'exerciseMetadata') ?? {}, 'poolLengthMillimeters'), 1_000), // mm
    avgHeartRate: readAmount(summary, 'averageHeartRateBeatsPerMinute'), // bpm
    sourceZones: readZones(readPart(summary, 'heartRateZoneDurations')),
    method: readMethod(point),
    recordedBy: readRecordedBy(point),
  });
}

/** Where a record comes from that no Fitbit or Pixel device made, by `dataSource.platform`. Null: not one vendor. */
const VENDOR_OF_PLATFORM = new Map<string, string | null>([
  ['HEALTH_CONNECT', 'health_connect'],
  ['HEALTH_KIT', 'apple_health'],
  ['FIT', null],
  ['GOOGLE_WEB_API', null],
  ['GOOGLE_PARTNER_INTEGRATION', null],
]);

/** Listed points have a `dataSource`; reconciled ones are documented without it. */
function readRecordedBy(point: JsonObject): RecordedBy | null {
  const source = readPart(point, 'dataSource') ?? {};
  const platform = VENDOR_OF_PLATFORM.get(readText(source, 'platform') ?? '');
  if (platform === undefined) return null;
  const [application, device] = [readPart(source, 'application') ?? {}, readPart(source, 'device') ?? {}];
  const vendor = nameVendor([readText(application, 'packageName'), readText(device, 'manufacturer')]);
  return vendor === 'google_health' ? null : { vendor: vendor ?? platform, id: null };
}

/** Above `lightTime`, which is below our first zone. */
const ZONES = ['moderateTime', 'vigorousTime', 'peakTime'];

/** Google omits zeros. An unreadable zone invalidates the others. */
function readZones(durations: JsonObject | null): SourceZones | null {
  if (durations === null) return null;
  const minutes = ZONES.map((name) => (name in durations ? scale(readSeconds(durations, name), 60) : 0));
  const [moderate = null, vigorous = null, peak = null] = minutes;
  if (moderate === null || vigorous === null || peak === null) return null;
  return { minutes: [0, moderate, vigorous, 0, peak], isApproximate: true };
}
