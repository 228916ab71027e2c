// Checks a workout as a device reports it.
import { getMetricOrThrow, type MetricId } from '../metrics/index.ts';
import { MAX_WORKOUT_MS } from '../metrics/record-limits.ts';
import { DAY_MS, SECOND_MS } from '../time/durations.ts';
import { isWithin, type Limit, limitOfMinutes } from './check-numbers.ts';
import { isInside } from './check-times.ts';
import { type HeartRateSample, type SourceZones, type Workout, ZONE_COUNT } from './records.ts';

type WorkoutNumber =
  | 'durationMinutes'
  | 'distanceKm'
  | 'activeCalories'
  | 'steps'
  | 'elevationGainM'
  | 'avgMets'
  | 'weatherTemperatureC'
  | 'weatherHumidityPct'
  | 'swimmingStrokeCount'
  | 'swimmingLapLengthM'
  | 'avgHeartRate'
  | 'maxHeartRate';
type Times = Pick<Workout, 'start' | 'end'>;

/** One per second for the longest workout. */
export const MAX_HEART_RATES = MAX_WORKOUT_MS / SECOND_MS;

export const HEART_RATE_LIMIT: Limit = { ...limitsOf('heart_rate'), unit: 'bpm' };

const FIXED = {
  avgMets: { min: 0, max: limitsOf('average_met').max, unit: 'MET' },
  weatherTemperatureC: { min: -90, max: 60, unit: '°C' }, // the lowest and highest temperatures measured on earth
  weatherHumidityPct: { min: 0, max: 100, unit: '%' },
  swimmingLapLengthM: { min: 0, max: 1_000, unit: 'm' }, // pools have up to 100 m, laps in open water more
  avgHeartRate: HEART_RATE_LIMIT,
  maxHeartRate: HEART_RATE_LIMIT,
} as const satisfies { readonly [Field in WorkoutNumber]?: Limit };

/** The daily limit of a metric bounds a total. Distance uses cycling, the longest distance by muscle power. */
const TOTALS = {
  distanceKm: totalOf('cycling', 'km'),
  activeCalories: totalOf('active_calories', 'kcal'),
  steps: totalOf('steps', 'steps'),
  elevationGainM: totalOf('elevation_gain', 'm'),
  swimmingStrokeCount: totalOf('swimming_strokes', 'strokes'),
};

/** A total is impossible if it exceeds the daily limit times the days that the workout lasted. */
export function limitsOfWorkout(workout: Times): Readonly<Record<WorkoutNumber, Limit>> {
  const days = Math.ceil((workout.end - workout.start) / DAY_MS);
  const overDays = ({ min, max, unit }: Limit): Limit => ({ min, max: max * days, unit });
  return {
    durationMinutes: limitOfMinutes(workout),
    distanceKm: overDays(TOTALS.distanceKm),
    activeCalories: overDays(TOTALS.activeCalories),
    steps: overDays(TOTALS.steps),
    elevationGainM: overDays(TOTALS.elevationGainM),
    swimmingStrokeCount: overDays(TOTALS.swimmingStrokeCount),
    ...FIXED,
  };
}

export function findHeartRateProblem(
  workout: Times,
  { time, bpm }: HeartRateSample,
): 'out_of_range' | 'outside_workout' | null {
  if (!isWithin(bpm, HEART_RATE_LIMIT)) return 'out_of_range';
  return isInside(workout, time, time) ? null : 'outside_workout';
}

/** Ascending, one per moment: the last one reported wins. */
export function orderHeartRates(samples: readonly HeartRateSample[]): readonly HeartRateSample[] {
  const isAscending = samples.every(({ time }, index) => index === 0 || time > (samples[index - 1]?.time ?? 0));
  if (isAscending) return samples;
  const sorted = samples.toSorted((one, other) => one.time - other.time); // stable: equal times keep their order
  return sorted.filter(({ time }, index) => sorted[index + 1]?.time !== time);
}

export function areZonesPossible({ minutes }: SourceZones, workout: Times): boolean {
  const total = minutes.reduce((sum, one) => sum + one, 0);
  return minutes.length === ZONE_COUNT && minutes.every((one) => one >= 0) && isWithin(total, limitOfMinutes(workout));
}

function limitsOf(id: string) {
  return getMetricOrThrow(id as MetricId).limits;
}

function totalOf(id: string, unit: string): Limit {
  return { min: 0, max: limitsOf(id).max, unit };
}
