// All SQL of the event outbox. An event is written in the transaction of the change it tells of: neither is without the other.
import { statement, type Transaction } from '../../platform/db/database.ts';
import { newId } from '../../platform/ids.ts';
import type { UserHandle } from '../subjects/index.ts';
import type { NewEvent } from './event.ts';

const INSERT_EVENT = statement(
  'insert_event',
  `insert into event_outbox (user_id, id, account_id, environment, type, device_id, metrics, from_date, to_date, has_deletions, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
);

export async function recordEvent(tx: Transaction, user: UserHandle, event: NewEvent, now: Date): Promise<void> {
  await tx.query(INSERT_EVENT, [
    user.userId,
    newId<string>(),
    user.tenant.accountId,
    user.tenant.environment,
    event.type,
    event.deviceId,
    event.metrics ?? [],
    event.days?.from ?? null,
    event.days?.to ?? null,
    event.hasDeletions ?? false,
    now,
  ]);
}

export async function removeEvents(tx: Transaction, user: UserHandle): Promise<void> {
  await tx.query('delete from event_outbox where user_id = $1', [user.userId]);
}
