// The daily metrics that the workouts of one date feed (gap G-93: the family decides). A workout counts entirely toward
// its date. Unreported values are absent.
import type { MetricId } from '../metrics/metric.ts';
import type { Workout } from '../records/records.ts';
import type { SessionCandidate } from '../sessions/sessions.ts';
import type { DeviceId } from '../tenancy.ts';
import type { HeartRateZone } from './heart-rate-zones.ts';
import { getSportOrOther, type SportFamily } from './sports.ts';
import { workoutMinutes } from './workout-measures.ts';

type WorkoutDayValue = {
  readonly value: number;
  readonly devices: readonly DeviceId[];
  /** The part of the value from each device. */
  readonly amounts: ReadonlyMap<DeviceId, number>;
};

type Fed = { readonly distance?: string; readonly duration?: string };

/** The catalog has no distance for hikes and no duration for wheelchair, rowing and snow sports. */
const FED_BY_FAMILY: Partial<Record<SportFamily, Fed>> = {
  running: { distance: 'running', duration: 'running_duration' },
  walking: { distance: 'walking', duration: 'walking_duration' },
  hiking: { duration: 'hiking_duration' },
  wheelchair: { distance: 'wheelchair_distance' },
  cycling: { distance: 'cycling', duration: 'cycling_duration' },
  swimming: { distance: 'swimming', duration: 'swimming_duration' },
  rowing: { distance: 'rowing' },
  strength: { duration: 'strength_training_duration' },
  mind_body: { duration: 'mind_body_duration' },
};

/** Snow sports have two distances, downhill and cross-country; the rest of the family has neither. */
const FED_BY_SPORT: Readonly<Record<string, Fed>> = {
  cross_country_skiing: { distance: 'cross_country_skiing' },
  alpine_skiing: { distance: 'downhill_snow_sports' },
  snowboarding: { distance: 'downhill_snow_sports' },
};

const METRES_PER_KM = 1_000; // swimming is reported in metres (specification, units)

/**
 * Pass the canonical workouts of a date for the canonical value, or one device's workouts for that device's candidate.
 */
export function summarizeWorkoutDay(
  workoutsOfDate: readonly (SessionCandidate<Workout> & { readonly zones: readonly HeartRateZone[] | null })[],
): ReadonlyMap<MetricId, WorkoutDayValue> {
  const values = new Map<MetricId, { value: number; devices: DeviceId[]; amounts: Map<DeviceId, number> }>();
  for (const { device, session, zones } of workoutsOfDate.toSorted((a, b) => a.session.start - b.session.start)) {
    for (const [id, value] of listFedMetrics(session, zones)) {
      const before = values.get(id as MetricId) ?? { value: 0, devices: [], amounts: new Map() };
      const amounts = before.amounts.set(device.id, (before.amounts.get(device.id) ?? 0) + value);
      values.set(id as MetricId, { value: before.value + value, devices: [...amounts.keys()], amounts });
    }
  }
  return values;
}

/** The values that one workout adds to its day. */
export function listFedMetrics(workout: Workout, zones: readonly HeartRateZone[] | null): [string, number][] {
  const sport = getSportOrOther(workout.sportType);
  const fed = FED_BY_SPORT[sport.type] ?? FED_BY_FAMILY[sport.family] ?? {};
  const minutes = workoutMinutes(workout);
  const isSwimming = sport.family === 'swimming';
  const distance = isSwimming && workout.distanceKm !== null ? workout.distanceKm * METRES_PER_KM : workout.distanceKm;
  const all: [string | undefined, number | null][] = [
    ['workout_count', 1],
    ['exercise', minutes],
    [fed.duration, minutes],
    [fed.distance, distance],
    ['swimming_strokes', isSwimming ? workout.swimmingStrokeCount : null],
    ['workout_calories', workout.activeCalories],
    ...(zones ?? []).map(({ zone, minutes }): [string, number] => [`heart_rate_zone_${zone}_time`, minutes]),
  ];
  return all.filter((entry): entry is [string, number] => entry[0] !== undefined && entry[1] !== null);
}
