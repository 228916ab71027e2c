// The user's id, the metrics of one day, and revocation.
import { parseLocalDate } from '../../domain/time/calendar.ts';
import type { RawReply } from '../../platform/http/raw-route.ts';
import type { PersonCall, SimulatedRoute } from '../dialect.ts';
import { nameInteger } from '../names.ts';
import { replyJson } from '../reply-json.ts';
import { listMetrics } from './metrics.ts';
import { refuseUltrahuman, replyError } from './refuse.ts';

const BASE = '/api/partners';

export const userDataRoutes: readonly SimulatedRoute[] = [
  {
    method: 'GET',
    path: `${BASE}/v1/user_data/user_info`,
    access: 'person',
    scope: 'profile',
    answer: ({ view: { account } }) =>
      replyJson(200, {
        user_id: String(nameInteger(31, 'ultrahuman', account.seed, 'user')),
        username: 'made-up',
        email: 'made.up@example.com',
      }),
  },
  { method: 'GET', path: `${BASE}/v1/user_data/metrics`, access: 'person', scope: null, answer: answerMetrics },
  {
    method: 'POST',
    path: `${BASE}/oauth/revoke`,
    access: 'person',
    scope: null,
    answer({ form, context, revoke }) {
      const { clientId, clientSecret } = context.client;
      if (form.get('client_id') !== clientId || form.get('client_secret') !== clientSecret)
        return refuseUltrahuman('forbidden');
      if (form.get('token') !== null) revoke();
      return replyJson(200, {});
    },
  },
];

/** One day per request; 404 for a day without data or in the future. */
function answerMetrics({ view, query, scopes }: PersonCall): RawReply {
  const date = parseLocalDate(query.get('date') ?? '');
  if (date === null) return replyError(400, 'Invalid date');
  const day = view.day(date);
  if (day === null) return refuseUltrahuman('not_found');
  return replyJson(200, { data: { metric_data: listMetrics(view, day, scopes) }, error: null, status: 200 });
}
