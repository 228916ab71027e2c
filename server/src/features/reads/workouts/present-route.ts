// Writes the route and the laps of a workout, the same in both forms. Pure.
import type { EpochMs, RoutePoint, WorkoutLap } from '../../../domain/records/records.ts';
import { formatInstant } from '../../../domain/time/calendar.ts';
import { createMeasure } from '../shared/index.ts';
import type { RouteParts, WorkoutDetail } from './workout-read-model.ts';

const presentDistance = createMeasure('distance');
const presentCalories = createMeasure('workout_calories');
const presentBpm = createMeasure('heart_rate');
const presentElevation = createMeasure('elevation_gain');

export function parseInclude(include: string | undefined): RouteParts {
  const parts = include?.split(',') ?? [];
  return { hasPoints: parts.includes('route'), hasLaps: parts.includes('laps') };
}

export function presentRoute({ included, route, laps }: WorkoutDetail) {
  return {
    ...(included.hasPoints && {
      route: route && {
        source: route.source.provider,
        device_id: route.source.id,
        points: route.recorded.map(presentPoint),
      },
    }),
    ...(included.hasLaps && {
      laps: laps && { source: laps.source.provider, device_id: laps.source.id, items: laps.recorded.map(presentLap) },
    }),
  };
}

function presentPoint({ time, latitude, longitude, elevationM }: RoutePoint) {
  return { timestamp: timeOf(time), latitude, longitude, elevation_m: elevationM };
}

function presentLap(lap: WorkoutLap) {
  return {
    start: timeOf(lap.start),
    end: timeOf(lap.end),
    distance_km: presentDistance(lap.distanceKm),
    active_calories: presentCalories(lap.activeCalories),
    avg_heart_rate: presentBpm(lap.avgHeartRate),
    max_heart_rate: presentBpm(lap.maxHeartRate),
    elevation_gain_m: presentElevation(lap.elevationGainM),
  };
}

function timeOf(time: EpochMs): string {
  return formatInstant(new Date(time));
}
