// GET /v1/events: a page of the feed and the next cursor.
import { parseUserId, type Tenant } from '../../../domain/tenancy.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Services } from '../../../platform/services.ts';
import type { EventType } from './event.ts';
import { EVENT_SEPARATOR, type FeedPage, readFeed, readFeedHead } from './store.ts';

export type FeedInput = {
  readonly cursor: string | null;
  readonly limit: number;
  readonly userId: string | null;
  readonly type: EventType | null;
};
export type FeedReadModel = Pick<FeedPage, 'text' | 'hasMore'> & { readonly cursor: string };

/** The bodies of a page, as webhooks send them. */
export function listBodies({ text }: Pick<FeedReadModel, 'text'>): string[] {
  return text === '' ? [] : text.split(EVENT_SEPARATOR);
}

export async function readEvents(
  { services, caller: { tenant } }: { services: Pick<Services, 'cursors' | 'db'>; caller: { tenant: Tenant } },
  input: FeedInput,
): Promise<FeedReadModel> {
  const scope = scopeOf(tenant);
  const after = input.cursor === null ? null : Number(services.cursors.decode(scope, input.cursor)[0]);
  const page = await readPage(services, tenant, { ...input, after: after ?? 0 });
  if (after !== null && after < page.removedThrough) {
    const oldest = services.cursors.encode(scope, [page.removedThrough]);
    throw new AppError('cursor_expired', { details: { oldest_cursor: oldest } });
  }
  // On the last page the cursor also skips events that the filters excluded.
  const position = page.hasMore ? page.last : page.head;
  return { text: page.text, hasMore: page.hasMore, cursor: services.cursors.encode(scope, [position]) };
}

/** The cursor at the end of the feed, for callers that only want new events. */
export async function readEnd({ db, cursors }: Pick<Services, 'cursors' | 'db'>, tenant: Tenant): Promise<string> {
  const { head } = await readFeedHead(db, tenant);
  return cursors.encode(scopeOf(tenant), [head]);
}

/** Without the filters, because they may change between calls. */
function scopeOf(tenant: Tenant): string {
  return `events/${tenant.accountId}/${tenant.environment}`;
}

/** The result for a user id that is not a UUID. */
const NO_EVENTS = { text: '', last: null, hasMore: false };

async function readPage(
  { db }: Pick<Services, 'db'>,
  tenant: Tenant,
  { after, ...input }: FeedInput & { readonly after: number },
): Promise<FeedPage> {
  const userId = input.userId === null ? null : parseUserId(input.userId);
  if (input.userId !== null && userId === null) return { ...(await readFeedHead(db, tenant)), ...NO_EVENTS };
  return readFeed(db, tenant, { after, limit: input.limit, userId, type: input.type });
}
