// Reading activities: the list, one with its details, and its streams.
import type { RawReply } from '../../platform/http/raw-route.ts';
import type { PersonCall, SimulatedRoute } from '../dialect.ts';
import { replyJson } from '../reply-json.ts';
import { type Activity, describeActivity, detailActivity, listActivities } from './activities.ts';
import { describeAthlete } from './athlete.ts';
import { badRequest, refuseStrava } from './refuse.ts';
import { writeStreams } from './streams.ts';

const READ_ALL = 'activity:read_all';
const SCOPES = ['activity:read', READ_ALL];
const MAX_PER_PAGE = 200;
const DEFAULT_PER_PAGE = 30;

/** Either scope opens them. */
function activityRoute(path: string, answer: (call: PersonCall) => RawReply): SimulatedRoute {
  const isOpen = ({ scopes }: PersonCall) => scopes.some((scope) => SCOPES.includes(scope));
  return {
    method: 'GET',
    path: `/api/v3${path}`,
    access: 'person',
    scope: null,
    answer: (call) => (isOpen(call) ? answer(call) : refuseStrava('forbidden')),
  };
}

export const activityRoutes: readonly SimulatedRoute[] = [
  activityRoute('/athlete/activities', answerList),
  activityRoute('/activities/{id}', (call) => onOne(call, (one) => replyJson(200, detailActivity(call.view, one)))),
  activityRoute('/activities/{id}/streams', (call) => onOne(call, (one) => answerStreams(call, one))),
  {
    method: 'GET',
    path: '/api/v3/athlete',
    access: 'person',
    scope: null,
    answer: ({ view }) => replyJson(200, describeAthlete(view.account)),
  },
  {
    method: 'POST',
    path: '/oauth/deauthorize',
    access: 'person',
    scope: null,
    answer({ form, revoke }) {
      const token = form.get('access_token');
      if (token === null) return badRequest('AccessToken', 'access_token', 'missing');
      revoke();
      return replyJson(200, { access_token: token });
    },
  },
];

/** The oldest first with `after`, the newest first without. Both bounds are exclusive. */
function answerList(call: PersonCall): RawReply {
  const read = (name: string, fallback: number) => Number(call.query.get(name) ?? fallback);
  const [after, before] = [read('after', Number.NEGATIVE_INFINITY), read('before', Number.POSITIVE_INFINITY)];
  const [page, perPage] = [read('page', 1), read('per_page', DEFAULT_PER_PAGE)];
  if (!(page >= 1) || !(perPage >= 1) || perPage > MAX_PER_PAGE) return badRequest('Application', 'per page');
  const found = listVisible(call).filter(({ startMs }) => startMs > after * 1_000 && startMs < before * 1_000);
  const ordered = found.toSorted((one, other) => one.startMs - other.startMs);
  const listed = call.query.has('after') ? ordered : ordered.toReversed();
  const entries = listed.slice((page - 1) * perPage, page * perPage);
  return replyJson(
    200,
    entries.map((activity) => describeActivity(call.view, activity)),
  );
}

/** Missing until the activity is processed, and if it was entered by hand. */
function answerStreams({ view, query }: PersonCall, { workout, processedMs }: Activity): RawReply {
  const keys = query.get('keys')?.split(',') ?? [];
  if (keys.length === 0 || query.get('key_by_type') !== 'true') return badRequest('Stream', 'keys', 'missing');
  if (processedMs === null || view.nowMs < processedMs) return refuseStrava('not_found');
  return replyJson(200, writeStreams(view, workout, keys));
}

function onOne(call: PersonCall, answer: (activity: Activity) => RawReply): RawReply {
  const found = listVisible(call).find(({ id }) => id === call.params.id);
  return found === undefined ? refuseStrava('not_found') : answer(found);
}

function listVisible({ view, scopes }: PersonCall): Activity[] {
  const all = view.days(view.firstDate, view.today).flatMap((day) => listActivities(view, day));
  return all.filter(({ isPrivate }) => !isPrivate || scopes.includes(READ_ALL));
}
