// Who it is, what they share, and the end of the connection.
import type { Route } from '../dialect.ts';
import { replyJson } from '../reply-json.ts';
import { forgetBackfills } from './backfill-routes.ts';
import { writeDeregistration } from './notices.ts';
import { REST } from './pull.ts';
import { userIdOf } from './summary.ts';

export const userRoutes: readonly Route[] = [
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
    answer({ view, desk, revoke }) {
      revoke();
      forgetBackfills(desk, view.account.seed);
      desk.queue(writeDeregistration(view, desk));
      return { status: 204 };
    },
  },
];
