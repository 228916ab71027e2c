// Workouts in Form 2: the user's local time, pages by cursor. Pure.

import type { Zone } from '../../../domain/time/day.ts';
import { averageHeartRate, maxHeartRate, workoutMinutes } from '../../../domain/workouts/index.ts';
import { getSportOrOther } from '../../../domain/workouts/sports.ts';
import { dialect } from '../../../platform/http/route.ts';
import { createMeasure, formatClock, parseForm2Page, presentSourceDetail } from '../shared/index.ts';
import { workoutsForm2Query, workoutsForm2Reply } from './schemas.ts';
import type { ListedWorkout, WorkoutQuery, WorkoutReadModel } from './workout-read-model.ts';

export const list = dialect({
  params: ['user_id'],
  query: workoutsForm2Query,
  replies: { 200: workoutsForm2Reply },
  parse: ({ params, query }): WorkoutQuery => ({
    userId: params.user_id,
    page: parseForm2Page(query),
    unitSystem: 'metric',
    includeSources: query.include_sources,
  }),
  present: ({ range, zone, workouts, nextCursor, includeSources }: WorkoutReadModel) => ({
    status: 200,
    body: {
      from_date: range.from,
      to_date: range.to,
      data: workouts.map((workout) => ({
        ...presentListItem(workout, zone),
        ...(includeSources ? { source_detail: presentSourceDetail(workout.source) } : {}),
      })),
      next_cursor: nextCursor,
    },
  }),
});

export const presentMinutes = createMeasure('exercise');
export const presentBpm = createMeasure('heart_rate');
const presentDistance = createMeasure('distance');
const presentCalories = createMeasure('workout_calories');

export function presentListItem({ id, session, source, histogram, strain }: ListedWorkout, zone: Zone) {
  return {
    id,
    type: getSportOrOther(session.sportType).type,
    start_time: formatClock(session.start, zone),
    duration_minutes: presentMinutes(workoutMinutes(session)),
    calories: presentCalories(session.activeCalories),
    distance_km: presentDistance(session.distanceKm),
    source: source.provider,
    avg_heart_rate: presentBpm(averageHeartRate(session, histogram)),
    max_heart_rate: presentBpm(maxHeartRate(session, histogram)),
    strain,
  };
}
