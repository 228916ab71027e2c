// The search of the dashboard.
import { type Route, route } from '../../../platform/http/route.ts';
import { oneOfWords, requestObject } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { FOUND_KINDS, type Found, search } from './search.ts';

const MAX_TEXT = 200;

export const searchRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/dashboard/api/:environment/search',
    operationId: 'search',
    tag: 'Search',
    summary: 'Find users, webhooks, events, deliveries and requests',
    description:
      'Users by the beginning of their reference, id, mail address or a word of their metadata; webhooks by URL or id; everything else by its exact id.',
    access: { to: 'member', role: 'viewer' },
    healthDataOf: 'nobody',
    cost: 'large_read',
    query: requestObject({ q: Type.String({ maxLength: MAX_TEXT }) }),
    replies: {
      200: Type.Array(
        Type.Object({
          kind: oneOfWords(FOUND_KINDS),
          id: Type.String(),
          title: Type.String(),
          subtitle: Type.String(),
          path: Type.String({ description: 'of the page, below the environment' }),
        }),
      ),
    },
    parse: ({ query }) => query.q.trim(),
    present: (found: readonly Found[]) => ({ status: 200, body: found }),
    handle: search,
  }),
];
