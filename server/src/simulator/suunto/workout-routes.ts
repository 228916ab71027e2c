// Lists of workouts, by start or by the time of their last change; and their recordings, which take a while to appear.
import { MINUTE_MS } from '../../domain/time/durations.ts';
import type { RawReply } from '../../platform/http/raw-route.ts';
import type { PersonCall, SimulatedRoute } from '../dialect.ts';
import { replyJson } from '../reply-json.ts';
import { apiRoute, badRequest } from './refuse.ts';
import { listWorkouts, modifiedAt, writeRecording } from './workouts.ts';

const MAX_LIMIT = 100;
const RECORDING_AFTER_MS = 2 * MINUTE_MS;

export const workoutRoutes: readonly SimulatedRoute[] = [
  apiRoute('/v3/workouts', answerList),
  apiRoute('/v3/workouts/', answerList),
  apiRoute('/v3/workouts/{key}', (call) => {
    const found = findWorkout(call);
    return found === undefined ? { status: 404 } : replyJson(200, { error: null, payload: found.body });
  }),
  apiRoute('/v3/workouts/{key}/fit', (call) => {
    const found = findWorkout(call);
    if (found === undefined || call.view.nowMs < found.endMs + RECORDING_AFTER_MS) return { status: 404 };
    return { status: 200, headers: { 'content-type': 'application/octet-stream' }, body: writeRecording(found) };
  }),
];

function findWorkout({ view, params }: PersonCall) {
  return view
    .days(view.firstDate, view.today)
    .flatMap((day) => listWorkouts(view, day))
    .find(({ key }) => key === params.key);
}

function answerList({ view, query, context }: PersonCall): RawReply {
  const since = readNumber(query.get('since'), 0);
  const until = readNumber(query.get('until'), view.nowMs);
  const limit = readNumber(query.get('limit'), MAX_LIMIT);
  const offset = readNumber(query.get('offset'), 0);
  if (since === null || until === null || offset === null) return badRequest('since, until and offset are numbers');
  if (limit === null || limit < 1 || limit > MAX_LIMIT) return badRequest(`limit: 1 to ${MAX_LIMIT}`);
  const isByModification = query.get('filter-by-modification-time') !== 'false';
  const found = view
    .days(view.firstDate, view.today)
    .flatMap((day) => listWorkouts(view, day))
    .filter((workout) => {
      const modifiedMs = modifiedAt(view, workout, context);
      const ms = isByModification ? modifiedMs : workout.startMs;
      return ms >= since && ms <= until;
    })
    .toSorted((a, b) => b.startMs - a.startMs);
  const payload = found.slice(offset, offset + limit).map(({ body }) => body);
  return replyJson(200, {
    error: null,
    payload,
    metadata: { workoutcount: String(payload.length), until: String(until) },
  });
}

function readNumber(text: string | null, otherwise: number): number | null {
  const number = text === null ? otherwise : Number(text);
  return Number.isSafeInteger(number) && number >= 0 ? number : null;
}
