// Training sessions uploaded in the last 30 days.
import { DAY_MS } from '../../domain/time/durations.ts';
import type { PersonCall, SimulatedRoute } from '../dialect.ts';
import { replyJson } from '../reply-json.ts';
import { type Exercise, listExercises } from './exercises.ts';
import { refusePolar } from './refuse.ts';
import { dataRoute } from './registration.ts';

const PATH = '/v3/exercises';
const LISTED_MS = 30 * DAY_MS;

export const exerciseRoutes: readonly SimulatedRoute[] = [
  dataRoute({
    path: PATH,
    answer: (call) =>
      replyJson(
        200,
        list(call).map(({ body }) => body),
      ),
  }),
  dataRoute({
    path: `${PATH}/{id}`,
    answer(call) {
      const found = list(call).find(({ id }) => id === call.params.id);
      return found === undefined ? refusePolar('not_found') : replyJson(200, found.body);
    },
  }),
];

function list({ view, query, context }: PersonCall): Exercise[] {
  const parts = { samples: query.get('samples') === 'true', zones: query.get('zones') === 'true' };
  return view
    .days(view.firstDate, view.today)
    .flatMap((day) => listExercises(view, day, context, parts))
    .filter(({ uploadedMs }) => uploadedMs <= view.nowMs && uploadedMs > view.nowMs - LISTED_MS);
}
