// Fails pending deliveries that must not be sent. All locked deliveries are skipped (delivery-store.ts).
import { statement, type Transaction } from '../../../platform/db/database.ts';
import type { DeliveryOutcome } from './delivery.ts';
import { ALL_EVENTS } from './webhook.ts';

/**
 * The cancellations below skip deliveries whose outcome is being written or whose claim is being renewed; these fail here, after
 * their attempt. A test delivery has no position. The condition is checked on the locked rows, because one on the table would
 * make PostgreSQL scan the index of all pending deliveries.
 */
const FAIL_SKIPPED = statement(
  'fail_skipped_deliveries',
  `with held as (
     select d.webhook_id, d.id, d.status, d.claim, d.position, d.event_type from unnest($1::uuid[], $2::uuid[]) as settled (webhook_id, id)
       join webhook_deliveries d on d.webhook_id = settled.webhook_id and d.id = settled.id
        for update of d skip locked)
   update webhook_deliveries d set status = 'failed', due_at = null, is_cancelled = w.disabled_reason is not distinct from 'key_revoked'
     from held join webhooks w on w.id = held.webhook_id
    where d.webhook_id = held.webhook_id and d.id = held.id and held.status = 'pending' and held.claim is null
      and (w.disabled_reason = 'key_revoked' or held.position is not null and not w.events && array['${ALL_EVENTS}', held.event_type])`,
);

/** The outcomes are written, and the caller holds the locks of their webhooks. */
export async function failSkipped(tx: Transaction, outcomes: readonly DeliveryOutcome[]): Promise<void> {
  const repeated = outcomes.filter(({ status }) => status === 'pending').map(({ delivery }) => delivery);
  if (repeated.length > 0)
    await tx.query(FAIL_SKIPPED, [repeated.map(({ webhookId }) => webhookId), repeated.map(({ id }) => id)]);
}

/** `wereClaimed`: a dispatcher claimed some of the deliveries that failed and may still start them. */
type Failed = { readonly wereClaimed: boolean };

/** Fails pending deliveries of other event types; test deliveries stay. The caller holds the lock of the webhook. */
export function failOtherTypes(tx: Transaction, webhookId: string, types: readonly string[]): Promise<Failed> {
  const condition = 'and position is not null and event_type <> all($2::text[])';
  return failWaiting(tx, { condition, isCancelled: false }, [[webhookId], types]);
}

/** No recovery sends these deliveries. The caller holds the locks of the webhooks. */
export function failPending(tx: Transaction, webhookIds: readonly string[]): Promise<Failed> {
  return failWaiting(tx, { condition: '', isCancelled: true }, [webhookIds]);
}

async function failWaiting(
  tx: Transaction,
  { condition, isCancelled }: { readonly condition: string; readonly isCancelled: boolean },
  values: readonly unknown[],
): Promise<Failed> {
  const [row] = await tx.query<Failed>(
    `with waiting as (
       select webhook_id, id, claim from webhook_deliveries
        where webhook_id = any($1::uuid[]) and status = 'pending' ${condition} for update skip locked),
     failed as (
       update webhook_deliveries d set status = 'failed', due_at = null, claim = null, claimed_until = null, is_cancelled = ${isCancelled}
         from waiting w where d.webhook_id = w.webhook_id and d.id = w.id)
     select exists (select from waiting where claim is not null) as "wereClaimed"`,
    values,
  );
  return { wereClaimed: row?.wereClaimed === true };
}
