import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createFrozenClock } from '../../../../test/support/test-clock.ts';
import { openTestDatabase } from '../../../../test/support/test-database.ts';
import { newId } from '../../../platform/ids.ts';
import { failPending } from './cancel-store.ts';
import { bringDeliveryForward } from './delivery-store.ts';
import { countFailed, requeueFailed } from './recover-store.ts';

const db = await openTestDatabase({ after });
const now = createFrozenClock().now();
const since = new Date(0);

async function openWebhook(events: readonly string[]): Promise<string> {
  const id = newId();
  await db.query(
    `insert into webhooks (id, account_id, environment, url, events, secret, created_at)
     values ($1, $2, 'live', 'http://localhost', $3, '', $4)`,
    [id, newId(), events, now],
  );
  return id;
}

async function add(webhookId: string, status: 'failed' | 'pending', type = 'data.updated'): Promise<string> {
  const id = newId();
  await db.query(
    `insert into webhook_deliveries (webhook_id, id, event_id, event_type, account_id, environment, position, status, due_at, created_at)
     values ($1, $2, $3, $4, $5, 'live', 1, $6, case $6 when 'pending' then $7::timestamptz end, $7)`,
    [webhookId, id, newId(), type, newId(), status, now],
  );
  return id;
}

async function recover(webhookId: string): Promise<string[]> {
  const count = await countFailed(db, webhookId, since);
  const requeued = await db.transaction((tx) => requeueFailed(tx, webhookId, { since, until: now, limit: 10 }));
  assert.equal(requeued, count);
  const rows = await db.query<{ id: string }>(
    `select id from webhook_deliveries where webhook_id = $1 and status = 'pending' order by id`,
    [webhookId],
  );
  return rows.map(({ id }) => id);
}

describe('recovery of a webhook', () => {
  it('sends deliveries of the event types that it subscribes to', async () => {
    const some = await openWebhook(['data.updated']);
    const wanted = await add(some, 'failed');
    await add(some, 'failed', 'score.updated');
    assert.deepEqual(await recover(some), [wanted]);
    const all = await openWebhook(['*']);
    assert.deepEqual(await recover(all), []);
    const each = [await add(all, 'failed'), await add(all, 'failed', 'score.updated')];
    assert.deepEqual(await recover(all), each);
  });

  it('does not send deliveries that were cancelled, until one is sent again by hand', async () => {
    const webhookId = await openWebhook(['*']);
    const cancelled = await add(webhookId, 'pending');
    await db.transaction((tx) => failPending(tx, [webhookId]));
    const givenUp = await add(webhookId, 'failed');
    assert.deepEqual(await recover(webhookId), [givenUp]);
    await db.transaction((tx) => bringDeliveryForward(tx, webhookId, cancelled, now));
    await db.query(`update webhook_deliveries set status = 'failed', due_at = null where webhook_id = $1`, [webhookId]);
    assert.deepEqual(await recover(webhookId), [cancelled, givenUp]);
  });
});
