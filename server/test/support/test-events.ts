// Writes events of a user as the pipeline does, and reads them from the outbox and the feed.
import type { Tenant, UserId } from '../../src/domain/tenancy.ts';
import { type NewEvent, recordEvent } from '../../src/features/notify/events/index.ts';
import { lockUser } from '../../src/features/tenancy/user-core/index.ts';
import type { Database, Queryable } from '../../src/platform/db/database.ts';

/** In its own transaction; `before` runs inside it, before the commit. */
export async function writeEvent(
  db: Database,
  tenant: Tenant,
  userId: string,
  event: Partial<NewEvent> = {},
  before: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  await db.transaction(async (tx) => {
    const locked = await lockUser(tx, tenant, userId as UserId);
    if (!locked) throw new Error(`user ${userId} not found`);
    await recordEvent(tx, locked.handle, { type: 'data.updated', deviceId: null, ...event }, new Date());
    await before();
  });
}

type StoredEvent = {
  readonly type: string;
  readonly metrics: string[];
  readonly from_date: string | null;
  readonly to_date: string | null;
};

/** Events of one user, published or not, in order. */
export function readStoredEvents(db: Queryable, userId: string): Promise<StoredEvent[]> {
  return db.query<StoredEvent>(
    `select type, metrics, from_date, to_date from (
       select 0 as is_pending, position as event_order, type, array(select jsonb_array_elements_text(body::jsonb -> 'metrics')) as metrics,
              body::jsonb ->> 'from_date' as from_date, body::jsonb ->> 'to_date' as to_date
         from feed_events where user_id = $1
       union all
       select 1, seq, type, metrics, from_date::text, to_date::text from event_outbox where user_id = $1) e
     order by is_pending, event_order`,
    [userId],
  );
}
