// Workouts of a user: a list and a detail in each form.
import { type Route, twoFormRoute } from '../../../platform/http/route.ts';
import * as form1 from './form1.ts';
import * as form2 from './form2.ts';
import { detailForm1, detailForm2 } from './present-workout.ts';
import { readWorkout } from './read-workout.ts';
import { readWorkouts } from './read-workouts.ts';

const tag = 'Data reads';

export const workoutRoutes: readonly Route[] = [
  twoFormRoute({
    method: 'GET',
    path: '/v1/users/:user_id/workouts',
    operationId: 'listWorkouts',
    tag,
    summary: 'List workouts, newest first',
    description:
      'A workout counts toward the local day on which it starts. If several devices recorded the same workout, the list has it once.',
    access: { to: 'api_key_or_own_user', billing: 'checked', userParameter: 'user_id' },
    healthDataOf: 'path_user',
    dialects: { 1: form1.list, 2: form2.list, bare: 2 },
    isConditional: true,
    cost: 'large_read',
    errors: ['not_found', 'range_too_long', 'invalid_range', 'invalid_cursor'],
    handle: readWorkouts,
  }),
  twoFormRoute({
    method: 'GET',
    path: '/v1/users/:user_id/workouts/:workout_id',
    operationId: 'getWorkout',
    tag,
    summary: 'Read a workout with its heart rate and its duplicates from other devices',
    description:
      'Form 1 returns the fields of Form 2 and those of its own list, under the same names and in the requested units. `heart_rate` has averages, zones and a trace in steps of 15 to 60 seconds; `copies` lists the records of the same workout from other devices. With the id of a copy you get the values of that copy; `copy_of` names the canonical workout. `include=route,laps` adds positions and laps, which only accounts with the setting `keep_routes` store; lists never contain them. A workout of another user returns 404 `workout_not_found`.',
    access: { to: 'api_key_or_own_user', billing: 'checked', userParameter: 'user_id' },
    healthDataOf: 'path_user',
    dialects: { 1: detailForm1, 2: detailForm2 },
    isConditional: true,
    cost: (_, { included }) => (included.hasPoints ? 'large_read' : 'cheap'),
    errors: ['not_found', 'workout_not_found'],
    handle: readWorkout,
  }),
];
