// The detail of a workout: the fields of the specification in both forms, and in Form 1 also those of its list. Pure.

import { roundTo } from '../../../domain/round-to.ts';
import type { Zone } from '../../../domain/time/day.ts';
import {
  averageHeartRate,
  averagePaceSecondsPerKm,
  averageSpeedKmh,
  bucketHeartRate,
  type HeartRateZone,
  maxHeartRate,
  workoutMinutes,
  workoutName,
} from '../../../domain/workouts/index.ts';
import { dialect } from '../../../platform/http/route.ts';
import { requestObject } from '../../../platform/http/schema.ts';
import type { StoredWorkout } from '../../store/session-store/index.ts';
import {
  createMeasure,
  formatClock,
  includeSourcesQuery,
  presentSourceDetail,
  unitSystemQuery,
} from '../shared/index.ts';
import { presentListItem as presentForm1Item, presentZones, ZONE_DECIMALS } from './form1.ts';
import { presentBpm, presentListItem, presentMinutes } from './form2.ts';
import { parseInclude, presentRoute } from './present-route.ts';
import { includeRouteQuery } from './route-schemas.ts';
import { workoutForm1Reply, workoutForm2Reply } from './schemas.ts';
import type { WorkoutDetail, WorkoutDetailQuery, WorkoutDuplicate } from './workout-read-model.ts';

const presentElevation = createMeasure('elevation_gain');
const presentSteps = createMeasure('steps');
const presentSpeed = createMeasure('walking_speed');
const presentMets = createMeasure('average_met');
const presentTemperature = createMeasure('sleep_body_temperature');
const presentStrokes = createMeasure('swimming_strokes');

/** `include_sources` is accepted but ignored: the response always has sources. */
const detailQuery = requestObject({ ...unitSystemQuery, ...includeSourcesQuery, ...includeRouteQuery });

export const detailForm1 = dialect({
  params: ['user_id', 'workout_id'],
  query: detailQuery,
  replies: { 200: workoutForm1Reply },
  parse: ({ params, query }): WorkoutDetailQuery => ({
    userId: params.user_id,
    workoutId: params.workout_id,
    unitSystem: query.unit_system,
    included: parseInclude(query.include),
  }),
  present: (found: WorkoutDetail) => ({
    status: 200,
    body: { ...presentDetail(found), ...presentForm1Item(found.workout, found.unitSystem) },
  }),
});

/** `unit_system` is accepted but ignored: the names of the fields have metric units. */
export const detailForm2 = dialect({
  params: ['user_id', 'workout_id'],
  query: detailQuery,
  replies: { 200: workoutForm2Reply },
  parse: ({ params, query }): WorkoutDetailQuery => ({
    userId: params.user_id,
    workoutId: params.workout_id,
    unitSystem: 'metric',
    included: parseInclude(query.include),
  }),
  present: (found: WorkoutDetail) => ({ status: 200, body: presentDetail(found) }),
});

function presentDetail(found: WorkoutDetail) {
  const { workout, zone, duplicates } = found;
  return {
    ...presentListItem(workout, zone),
    name: workoutName(workout.session),
    metrics: presentMetrics(workout),
    heart_rate: presentHeartRate(found),
    heart_rate_zones: presentZones(workout.zones),
    heart_rate_zones_from: workout.zoneBasis,
    source_detail: presentSourceDetail(workout.source),
    copy_of: workout.duplicateOf,
    copies: duplicates.map((duplicate) => presentDuplicate(duplicate, zone)),
    ...presentRoute(found),
  };
}

function presentMetrics({ session }: StoredWorkout) {
  return {
    elevation_meters: presentElevation(session.elevationGainM),
    steps: presentSteps(session.steps),
    avg_speed_kmh: presentSpeed(averageSpeedKmh(session)),
    avg_pace_seconds_per_km: roundOrNull(averagePaceSecondsPerKm(session), 0),
    avg_mets: presentMets(session.avgMets),
    weather_temperature_c: presentTemperature(session.weatherTemperatureC),
    weather_humidity_pct: roundOrNull(session.weatherHumidityPct, 0),
    swimming_stroke_count: presentStrokes(session.swimmingStrokeCount),
    swimming_lap_length_m: roundOrNull(session.swimmingLapLengthM, 2),
  };
}

function presentHeartRate({ workout, zone, trace }: WorkoutDetail) {
  const { session, histogram, zones } = workout;
  const samples = bucketHeartRate({ ...session, heartRateSamples: trace });
  if (samples === null || zones === null) return null;
  return {
    avg_bpm: presentBpm(averageHeartRate(session, histogram)),
    max_bpm: presentBpm(maxHeartRate(session, histogram)),
    zones: zones.map(presentZone),
    samples: samples.map(({ time, bpm }) => ({ timestamp: formatClock(time, zone), bpm: presentBpm(bpm) })),
  };
}

function presentZone({ zone, minBpm, maxBpm, minutes }: HeartRateZone) {
  return {
    zone,
    min_bpm: presentBpm(minBpm),
    max_bpm: presentBpm(maxBpm),
    minutes: roundTo(minutes, ZONE_DECIMALS),
  };
}

function presentDuplicate({ id, source, session, reExportOf }: WorkoutDuplicate, zone: Zone) {
  return {
    id,
    source: source.provider,
    device_id: source.id,
    start_time: formatClock(session.start, zone),
    duration_minutes: presentMinutes(workoutMinutes(session)),
    re_export_of: reExportOf,
  };
}

function roundOrNull(value: number | null, decimals: number): number | null {
  return value === null ? null : roundTo(value, decimals);
}
