// The endpoint of the event feed.
import { preparedJson } from '../../../platform/http/prepared-json.ts';
import { type Route, route } from '../../../platform/http/route.ts';
import { type FeedInput, type FeedReadModel, readEvents } from './read-feed.ts';
import { feedQuery, feedReply } from './schemas.ts';

export const eventRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/v1/events',
    operationId: 'listEvents',
    tag: 'Events',
    summary: 'Read events in order',
    description:
      'Store the cursor and send it with the next call. Events never appear before a cursor you have already received. Events are kept for 90 days; an older cursor returns 410 cursor_expired with details.oldest_cursor. When a user is deleted, its events are removed from the feed except user.deleted.',
    access: { to: 'api_key', billing: 'checked' },
    healthDataOf: 'nobody',
    query: feedQuery,
    replies: { 200: feedReply },
    parse: ({ query }): FeedInput => ({
      cursor: query.cursor ?? null,
      limit: query.limit,
      userId: query.user_id ?? null,
      type: query.event_type ?? null,
    }),
    present: (readModel: FeedReadModel) => ({ status: 200, body: preparedJson(presentFeed(readModel)) }),
    errors: ['invalid_cursor', 'cursor_expired'],
    cost: 'large_read',
    handle: readEvents,
  }),
];

/** The events are stored as text, the same bytes that webhooks send. */
function presentFeed({ text, cursor, hasMore }: FeedReadModel): string {
  return `{"events":[${text}],"cursor":${JSON.stringify(cursor)},"has_more":${hasMore}}`;
}
