// User id, permissions, and deregistration.
import type { SimulatedRoute } from '../dialect.ts';
import { replyJson } from '../reply-json.ts';
import { forgetBackfills } from './backfill-routes.ts';
import { REST } from './pull.ts';
import { userIdOf } from './summary.ts';
import { writeDeregistration } from './webhooks.ts';

export const userRoutes: readonly SimulatedRoute[] = [
  {
    method: 'GET',
    path: `${REST}/user/id`,
    access: 'person',
    scope: null,
    answer: ({ view }) => replyJson(200, { userId: userIdOf(view) }),
  },
  {
    method: 'GET',
    path: `${REST}/user/permissions`,
    access: 'person',
    scope: null,
    answer: ({ scopes }) => replyJson(200, scopes),
  },
  {
    method: 'DELETE',
    path: `${REST}/user/registration`,
    access: 'person',
    scope: null,
    answer({ view, context, revoke }) {
      revoke();
      forgetBackfills(context, view.account.seed);
      context.queue(writeDeregistration(view, context));
      return { status: 204 };
    },
  },
];
