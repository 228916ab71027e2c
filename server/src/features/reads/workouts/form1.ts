// Workouts in Form 1: a `data` envelope, UTC timestamps, page numbers. Pure.
import type { UnitSystem } from '../../../domain/metrics/present-value.ts';
import { roundTo } from '../../../domain/round-to.ts';
import { formatInstant } from '../../../domain/time/calendar.ts';
import { averageHeartRate, type HeartRateZone, maxHeartRate, workoutMinutes } from '../../../domain/workouts/index.ts';
import { getSportOrOther } from '../../../domain/workouts/sports.ts';
import { dialect } from '../../../platform/http/route.ts';
import { createMeasure, presentSourceForm1, readForm1Range } from '../shared/index.ts';
import { workoutsForm1Query, workoutsForm1Reply } from './schemas.ts';
import type { ListedWorkout, WorkoutQuery, WorkoutReadModel } from './workout-read-model.ts';

const MAX_DAYS = 366; // specification, Limits
const METERS_PER_KM = 1_000;
/** Minutes in a heart-rate zone, in steps of six seconds: fine enough for five zones to add up to the workout. */
export const ZONE_DECIMALS = 1;

export const list = dialect({
  params: ['user_id'],
  query: workoutsForm1Query,
  replies: { 200: workoutsForm1Reply },
  parse: ({ params, query }): WorkoutQuery => ({
    userId: params.user_id,
    page: {
      by: 'page',
      range: readForm1Range(query, MAX_DAYS),
      page: query.page,
      perPage: query.per_page,
    },
    unitSystem: query.unit_system,
    includeSources: query.include_sources,
  }),
  present: ({ workouts, meta, unitSystem, includeSources }: WorkoutReadModel) => ({
    status: 200,
    body: {
      data: workouts.map((workout) => ({
        ...presentListItem(workout, unitSystem),
        ...(includeSources
          ? { source: presentSourceForm1(workout.source), heart_rate_zones_from: workout.zoneBasis }
          : {}),
      })),
      meta: { page: meta?.page, per_page: meta?.perPage, total: meta?.total },
    },
  }),
});

type Measures = ReturnType<typeof createMeasures>;
const PRESENTERS: Readonly<Record<UnitSystem, Measures>> = {
  metric: createMeasures('metric'),
  imperial: createMeasures('imperial'),
};

function createMeasures(unitSystem: UnitSystem) {
  return {
    minutes: createMeasure('exercise', unitSystem),
    distanceKm: createMeasure('distance', unitSystem),
    swimDistanceM: createMeasure('swimming', unitSystem),
    calories: createMeasure('workout_calories', unitSystem),
    heartRate: createMeasure('heart_rate', unitSystem),
    elevation: createMeasure('elevation_gain', unitSystem),
  };
}

export function presentListItem({ id, session, histogram, zones }: ListedWorkout, unitSystem: UnitSystem) {
  const measures = PRESENTERS[unitSystem];
  return {
    id,
    sport_type: getSportOrOther(session.sportType).type,
    start: formatInstant(new Date(session.start)),
    end: formatInstant(new Date(session.end)),
    duration: measures.minutes(workoutMinutes(session)),
    distance: presentDistance(session.sportType, session.distanceKm, measures),
    active_calories: measures.calories(session.activeCalories),
    heart_rate_avg: measures.heartRate(averageHeartRate(session, histogram)),
    heart_rate_max: measures.heartRate(maxHeartRate(session, histogram)),
    heart_rate_zones: presentZones(zones),
    elevation_gain: measures.elevation(session.elevationGainM),
  };
}

/** Swimming distances are in meters (specification, units). */
function presentDistance(sportType: string, distanceKm: number | null, measures: Measures): number | null {
  if (distanceKm === null || getSportOrOther(sportType).family !== 'swimming') return measures.distanceKm(distanceKm);
  return measures.swimDistanceM(distanceKm * METERS_PER_KM);
}

export function presentZones(zones: readonly HeartRateZone[] | null) {
  if (zones === null) return null;
  return Object.fromEntries(zones.map(({ zone, minutes }) => [`zone_${zone}`, roundTo(minutes, ZONE_DECIMALS)]));
}
