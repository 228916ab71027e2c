// The user, the list of workouts by page, one workout, and the end of the permissions.
import type { PersonCall, SimulatedRoute } from '../dialect.ts';
import { replyJson } from '../reply-json.ts';
import { refuseWahoo } from './refuse.ts';
import { listWorkouts, userIdOf, type WahooWorkout } from './workouts.ts';

const MAX_PER_PAGE = 100;

export const workoutRoutes: readonly SimulatedRoute[] = [
  {
    method: 'GET',
    path: '/v1/user',
    access: 'person',
    scope: 'user_read',
    answer: ({ view }) => replyJson(200, { id: userIdOf(view), email: 'made@example.com', first: 'Made', last: 'Up' }),
  },
  {
    method: 'GET',
    path: '/v1/workouts',
    access: 'person',
    scope: 'workouts_read',
    answer(call) {
      const page = readCount(call, 'page', 1);
      const perPage = Math.min(MAX_PER_PAGE, readCount(call, 'per_page', 30));
      const all = listAll(call);
      const shown = all.slice((page - 1) * perPage, page * perPage).map(({ body }) => body);
      return replyJson(200, { workouts: shown, total: all.length, page, per_page: perPage });
    },
  },
  {
    method: 'GET',
    path: '/v1/workouts/{id}',
    access: 'person',
    scope: 'workouts_read',
    answer(call) {
      const found = listAll(call).find(({ id }) => id === call.params.id);
      return found === undefined ? refuseWahoo('not_found') : replyJson(200, found.body);
    },
  },
  {
    method: 'DELETE',
    path: '/v1/permissions',
    access: 'person',
    scope: null,
    answer({ revoke }) {
      revoke();
      return replyJson(200, { success: 'Application has been revoked' });
    },
  },
];

function listAll({ view }: PersonCall): WahooWorkout[] {
  return view
    .days(view.firstDate, view.today)
    .flatMap((day) => listWorkouts(view, day))
    .sort((one, other) => other.startMs - one.startMs);
}

function readCount({ query }: PersonCall, name: string, otherwise: number): number {
  const count = Number(query.get(name) ?? otherwise);
  return Number.isInteger(count) && count > 0 ? count : otherwise;
}
