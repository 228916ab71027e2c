// Finds deliveries with times of a clock that was ahead, and makes them due.
import { type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';
import { bringWebhooksForward, LOCK_WEBHOOKS } from './delivery-store.ts';

/** Waits for a time that only a clock that was ahead can have chosen. The retries of other deliveries are due in the future too. */
const IS_MISDATED = `d.status = 'pending' and d.due_at > $1 and (d.created_at > $1 or (d.attempts -> -1 ->> 'at')::timestamptz > $1)
  and (d.claimed_until is null or d.claimed_until > $1)`;
const LIST_MISDATED = statement(
  'list_misdated_deliveries',
  `select id from webhooks w where pending_from is not null
      and exists (select from webhook_deliveries d where d.webhook_id = w.id and ${IS_MISDATED})`,
);

type Times = {
  readonly now: Date;
  /** No right clock has this time. */
  readonly future: Date;
};
/** Short enough for one transaction. */
export const MISDATED_AT_ONCE = 5_000;

/** The webhooks with deliveries that were planned or attempted in the future. */
export async function listMisdated(db: Queryable, { future }: Times): Promise<string[]> {
  return (await db.query<{ id: string }>(LIST_MISDATED, [future])).map(({ id }) => id);
}

/** Makes at most `MISDATED_AT_ONCE` of them due now. Returns their number. */
export async function bringMisdatedForward(
  tx: Transaction,
  ids: readonly string[],
  { now, future }: Times,
): Promise<number> {
  await tx.query(LOCK_WEBHOOKS, [ids]);
  const rows = await tx.query(
    `with misdated as materialized (
       select d.webhook_id, d.id from webhook_deliveries d where d.webhook_id = any($3::uuid[]) and ${IS_MISDATED}
        limit ${MISDATED_AT_ONCE} for update skip locked)
     update webhook_deliveries d set due_at = $2, created_at = least(d.created_at, $2), claim = null, claimed_until = null from misdated
      where d.webhook_id = misdated.webhook_id and d.id = misdated.id
     returning 1 as moved`,
    [future, now, ids],
  );
  await bringWebhooksForward(tx, ids, now);
  return rows.length;
}
