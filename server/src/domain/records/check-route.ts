// Checks the route and the laps of a workout as a device reports them.
import { isWithin, type Limit } from './check-numbers.ts';
import { isInside } from './check-times.ts';
import { limitsOfWorkout } from './check-workout.ts';
import type { EpochMs, RoutePoint, Workout, WorkoutLap } from './records.ts';

type Times = Pick<Workout, 'start' | 'end'>;

/** Fourteen hours with one position per second. A longer route is thinned out evenly. */
export const MAX_ROUTE_POINTS = 50_000;
/** The most points of one list that are read before it is thinned out: a week with one position per second. */
export const MAX_REPORTED_POINTS = 604_800;
/** A pool swim of 25 km in lanes of 25 m. */
export const MAX_LAPS = 1_000;

export const LATITUDE_LIMIT: Limit = { min: -90, max: 90, unit: '°' };
export const LONGITUDE_LIMIT: Limit = { min: -180, max: 180, unit: '°' };
/** The Dead Sea and its mines, and the highest flights of gliders. */
export const ELEVATION_LIMIT: Limit = { min: -1_000, max: 25_000, unit: 'm' };

/** Steps of about a centimeter, below what any receiver measures. */
export const DEGREE_STEPS = 1e7;
export const ELEVATION_STEPS = 10;

/** A receiver without a fix reports 0, 0: a point in the sea off Africa where nobody trains. */
function hasFix({ latitude, longitude }: RoutePoint): boolean {
  return latitude !== 0 || longitude !== 0;
}

export function isPointPossible(workout: Times, point: RoutePoint): boolean {
  return (
    isWithin(point.latitude, LATITUDE_LIMIT) &&
    isWithin(point.longitude, LONGITUDE_LIMIT) &&
    hasFix(point) &&
    isInside(workout, point.time, point.time)
  );
}

/**
 * The possible points, ascending in time and one per moment, with an elevation only if it is possible, rounded to what is stored and
 * at most MAX_ROUTE_POINTS. Null: a route needs two points.
 */
export function tidyRoute(workout: Times, points: readonly RoutePoint[]): readonly RoutePoint[] | null {
  const possible = points.filter((point) => isPointPossible(workout, point));
  const sorted = possible.toSorted((one, other) => one.time - other.time);
  const single = sorted.filter(({ time }, index) => sorted[index + 1]?.time !== time);
  return single.length < 2 ? null : thinOut(single).map(roundPoint);
}

/** At most MAX_ROUTE_POINTS, among them the first and the last. */
export function thinOut<Point>(points: readonly Point[]): readonly Point[] {
  if (points.length <= MAX_ROUTE_POINTS) return points;
  const step = (points.length - 1) / (MAX_ROUTE_POINTS - 1);
  return Array.from({ length: MAX_ROUTE_POINTS }, (_, index) => points[Math.round(index * step)] as Point);
}

function roundPoint({ time, latitude, longitude, elevationM }: RoutePoint): RoutePoint {
  const isKnown = elevationM !== null && isWithin(elevationM, ELEVATION_LIMIT);
  return {
    time: Math.round(time) as EpochMs,
    latitude: Math.round(latitude * DEGREE_STEPS) / DEGREE_STEPS,
    longitude: Math.round(longitude * DEGREE_STEPS) / DEGREE_STEPS,
    elevationM: isKnown ? Math.round(elevationM * ELEVATION_STEPS) / ELEVATION_STEPS : null,
  };
}

const LAP_NUMBERS = ['distanceKm', 'activeCalories', 'avgHeartRate', 'maxHeartRate', 'elevationGainM'] as const;

export function isLapPossible(workout: Times, { start, end }: WorkoutLap): boolean {
  return end > start && isInside(workout, start, end);
}

/** The possible laps in the order of their start, without impossible numbers. Null: none. */
export function tidyLaps(workout: Times, laps: readonly WorkoutLap[]): readonly WorkoutLap[] | null {
  const limits = limitsOfWorkout(workout);
  const possible = laps.slice(0, MAX_LAPS).filter((lap) => isLapPossible(workout, lap));
  const tidied = possible.map((lap): WorkoutLap => {
    const wrong = LAP_NUMBERS.filter((field) => lap[field] !== null && !isWithin(lap[field], limits[field]));
    return wrong.length === 0 ? lap : { ...lap, ...Object.fromEntries(wrong.map((field) => [field, null])) };
  });
  return tidied.length === 0 ? null : tidied.sort((one, other) => one.start - other.start);
}
