import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createFrozenClock } from '../../../../test/support/test-clock.ts';
import { openTestDatabase } from '../../../../test/support/test-database.ts';
import { waitUntil } from '../../../../test/support/wait-until.ts';
import type { AccountId, Tenant } from '../../../domain/tenancy.ts';
import { SECOND_MS } from '../../../domain/time/durations.ts';
import { statement, type Transaction } from '../../../platform/db/database.ts';
import { newId } from '../../../platform/ids.ts';
import { failOtherTypes, failPending } from './cancel-store.ts';
import { DELIVERY_CLAIM_MS } from './claim-times.ts';
import {
  claimDeliveries,
  hasDueWebhooks,
  insertTestDelivery,
  lockDueWebhooks,
  renewClaims,
  settleOutcomes,
} from './delivery-store.ts';

const db = await openTestDatabase({ after });

const tenant: Tenant = { accountId: newId() as AccountId, environment: 'live' };
const clock = createFrozenClock();

async function openWebhook(owner = tenant): Promise<string> {
  const id = newId();
  await db.query(
    statement(
      'open_webhook_of_test',
      `insert into webhooks (id, account_id, environment, url, events, secret, created_at)
       values ($1, $2, $3, 'http://localhost', '{*}', '', $4)`,
    ),
    [id, owner.accountId, owner.environment, clock.now()],
  );
  return id;
}

function plan(webhookId: string, owner = tenant): Promise<void> {
  const test = { webhookId, id: newId(), type: 'data.updated', eventId: newId(), body: '{}' } as const;
  return db.transaction((tx) => insertTestDelivery(tx, owner, test, clock.now()));
}

/** The number of deliveries that a dispatcher claims now; 0 if it sees no due webhook. */
async function claim(count = 10): Promise<number> {
  const now = clock.now();
  if (!(await hasDueWebhooks(db, { now, except: [], exceptAccounts: [] }))) return 0;
  return db.transaction(async (tx) => {
    const webhooks = await lockDueWebhooks(tx, { now, except: [], exceptAccounts: [] }, 10);
    const wanted = webhooks.map(({ id }) => ({ webhookId: id, count }));
    const until = new Date(now.getTime() + DELIVERY_CLAIM_MS);
    return (await claimDeliveries(tx, wanted, { id: newId(), now, until })).length;
  });
}

describe('claims of a dispatcher that died', () => {
  it('expire at their own time, regardless of later claims', async () => {
    const webhookId = await openWebhook();
    await plan(webhookId);
    assert.equal(await claim(), 1); // and the dispatcher dies
    clock.advance(DELIVERY_CLAIM_MS - SECOND_MS);
    await plan(webhookId);
    assert.equal(await claim(), 1, 'only the new delivery');
    assert.equal(await claim(), 0);
    clock.advance(SECOND_MS);
    assert.equal(await claim(), 1, 'the delivery of the dead dispatcher');
    clock.advance(DELIVERY_CLAIM_MS - SECOND_MS);
    assert.equal(await claim(), 1, 'the later claim expires at its own time');
    clock.advance(SECOND_MS);
    assert.equal(await claim(), 1);
  });

  it('do not block the deliveries behind them', async () => {
    const webhookId = await openWebhook();
    for (let count = 0; count < 3; count += 1) await plan(webhookId);
    assert.equal(await claim(1), 1);
    assert.equal(await claim(1), 1);
    assert.equal(await claim(), 1);
    assert.equal(await claim(), 0);
  });
});

describe('an outcome whose delivery another transaction has locked', () => {
  it('is not written, does not disable the webhook, and can be written later', async () => {
    const webhookId = await openWebhook();
    await plan(webhookId);
    const now = clock.now();
    const [delivery] = await db.transaction((tx) =>
      claimDeliveries(tx, [{ webhookId, count: 1 }], {
        id: newId(),
        now,
        until: new Date(now.getTime() + DELIVERY_CLAIM_MS),
      }),
    );
    assert.ok(delivery);
    const attempt = { at: now, durationMs: 1, status: 410, error: 'status', response: '' } as const;
    const outcome = {
      delivery,
      attempt,
      url: 'http://localhost',
      status: 'failed',
      dueAt: null,
      isGone: true,
    } as const;
    const settle = () => db.transaction((tx) => settleOutcomes(tx, [outcome], new Date(0)));
    await db.transaction(async (tx) => {
      await tx.query('select from webhook_deliveries where webhook_id = $1 for update', [webhookId]);
      assert.deepEqual(await settle(), { ended: [], locked: [outcome] });
    });
    const { ended, locked } = await settle();
    assert.deepEqual([ended.map(({ id, ends }) => [id, ends]), locked], [[[webhookId, 'gone']], []]);
    const stored = await db.query(
      'select status, claim, attempt_count, jsonb_array_length(attempts) as kept from webhook_deliveries where webhook_id = $1',
      [webhookId],
    );
    assert.deepEqual(stored, [{ status: 'failed', claim: null, attempt_count: 1, kept: 1 }]);
    assert.deepEqual(await settle(), { ended: [], locked: [] }, 'once');
  });
});

describe('a failed attempt whose event type is unsubscribed while its outcome is written', () => {
  it('is the last one; a test delivery is repeated', async () => {
    const webhookId = await openWebhook();
    await plan(webhookId);
    await plan(webhookId);
    const now = clock.now();
    const claim = { id: newId(), now, until: new Date(now.getTime() + DELIVERY_CLAIM_MS) };
    const deliveries = await db.transaction((tx) => claimDeliveries(tx, [{ webhookId, count: 2 }], claim));
    const [event, test] = deliveries.map(({ id }) => id);
    await db.query('update webhook_deliveries set position = 1, test_body = null where id = $1', [event]);
    const attempt = { at: now, durationMs: 1, status: 500, error: 'status', response: '' } as const;
    const outcomes = deliveries.map(
      (delivery) =>
        ({ delivery, attempt, url: 'http://localhost', status: 'pending', dueAt: claim.until, isGone: false }) as const,
    );
    const { settling } = await db.transaction(async (tx) => {
      await tx.query('select from webhooks where id = $1 for no key update', [webhookId]);
      const settling = db.transaction((other) => settleOutcomes(other, outcomes, new Date(0)));
      await waitUntil('the outcomes wait for the webhook', async () => {
        const [row] = await db.query<{ waits: boolean }>(
          'select exists (select from pg_locks where not granted) as waits',
        );
        return row?.waits === true;
      });
      await tx.query(`update webhooks set events = '{user.deleted}' where id = $1`, [webhookId]);
      await failOtherTypes(tx, webhookId, ['user.deleted']);
      return { settling };
    });
    assert.deepEqual(await settling, { ended: [], locked: [] });
    const stored = await db.query(
      'select id, status, due_at, attempt_count from webhook_deliveries where webhook_id = $1 order by id',
      [webhookId],
    );
    assert.deepEqual(stored, [
      { id: event, status: 'failed', due_at: null, attempt_count: 1 },
      { id: test, status: 'pending', due_at: claim.until, attempt_count: 1 },
    ]);
  });
});

describe('webhooks that are due', () => {
  const LIMIT = 8;
  const ownerOf = (): Tenant => ({ accountId: newId() as AccountId, environment: 'live' });
  const many = ownerOf();
  const few = ownerOf();

  const lockDue = (exceptAccounts: readonly string[] = []) =>
    db.transaction((tx) => lockDueWebhooks(tx, { now: clock.now(), except: [], exceptAccounts }, LIMIT));

  it('are claimed round-robin across accounts, even if one account has many older ones', async () => {
    for (let count = 0; count < 2 * LIMIT; count += 1) await plan(await openWebhook(many), many);
    clock.advance(SECOND_MS);
    for (let count = 0; count < 2; count += 1) await plan(await openWebhook(few), few);
    const byAccount = Object.groupBy(await lockDue(), ({ accountId }) => accountId);
    assert.deepEqual([byAccount[many.accountId]?.length, byAccount[few.accountId]?.length], [LIMIT - 2, 2]);
  });

  it('are not claimed for accounts without free slots', async () => {
    const others = (await lockDue([many.accountId])).map(({ accountId }) => accountId);
    assert.deepEqual(
      others.filter((accountId) => accountId === few.accountId || accountId === many.accountId),
      [few.accountId, few.accountId],
    );
    assert.equal(
      await hasDueWebhooks(db, {
        now: clock.now(),
        except: [],
        exceptAccounts: [many.accountId, few.accountId, tenant.accountId],
      }),
      false,
    );
  });
});

describe('claims of an attempt in flight', () => {
  it('are held for longer when they are renewed, and only by their owner', async () => {
    const webhookId = await openWebhook();
    await plan(webhookId);
    const until = (ms: number) => new Date(clock.now().getTime() + ms);
    const take = () =>
      db.transaction((tx) =>
        claimDeliveries(tx, [{ webhookId, count: 1 }], {
          id: newId(),
          now: clock.now(),
          until: until(DELIVERY_CLAIM_MS),
        }),
      );
    const held = await take();
    assert.equal(held.length, 1);
    clock.advance(DELIVERY_CLAIM_MS - SECOND_MS);
    await renewClaims(db, held, until(DELIVERY_CLAIM_MS));
    clock.advance(DELIVERY_CLAIM_MS - SECOND_MS);
    assert.equal((await take()).length, 0, 'an attempt in flight');
    clock.advance(SECOND_MS);
    assert.equal((await take()).length, 1);
    await renewClaims(db, held, until(10 * DELIVERY_CLAIM_MS)); // too late: another dispatcher has it
    clock.advance(DELIVERY_CLAIM_MS);
    assert.equal((await take()).length, 1);
  });
});

describe('a failed attempt whose delivery was locked while its webhook was cancelled', () => {
  async function claimOne() {
    const webhookId = await openWebhook();
    await plan(webhookId);
    await db.query('update webhook_deliveries set position = 1, test_body = null where webhook_id = $1', [webhookId]);
    const now = clock.now();
    const until = new Date(now.getTime() + DELIVERY_CLAIM_MS);
    const claim = { id: newId(), now, until };
    const [delivery] = await db.transaction((tx) => claimDeliveries(tx, [{ webhookId, count: 1 }], claim));
    assert.ok(delivery);
    const attempt = { at: now, durationMs: 1, status: 500, error: 'status', response: '' } as const;
    const end = { url: 'http://localhost', status: 'pending', dueAt: until, isGone: false } as const;
    return { webhookId, delivery, until, outcome: { delivery, attempt, ...end } };
  }

  const CANCELLATIONS = {
    'its key is revoked': {
      change: `update webhooks set status = 'disabled', disabled_reason = 'key_revoked' where id = $1`,
      fail: failPending,
      isCancelled: true,
    },
    'its event type is unsubscribed': {
      change: `update webhooks set events = '{user.deleted}' where id = $1`,
      fail: (tx: Transaction, [id = '']: readonly string[]) => failOtherTypes(tx, id, ['user.deleted']),
      isCancelled: false,
    },
  };

  for (const [what, { change, fail, isCancelled }] of Object.entries(CANCELLATIONS)) {
    const readStored = (webhookId: string) =>
      db.query('select status, due_at, is_cancelled from webhook_deliveries where webhook_id = $1', [webhookId]);

    it(`does not wait for another one if ${what} while its claim is renewed`, async () => {
      const { webhookId, delivery, until, outcome } = await claimOne();
      await db.transaction(async (renewing) => {
        await renewClaims(renewing, [delivery], until);
        await db.transaction(async (tx) => {
          await tx.query(change, [webhookId]);
          assert.deepEqual(await fail(tx, [webhookId]), { wereClaimed: false }, 'skipped');
        });
      });
      await db.transaction((tx) => settleOutcomes(tx, [outcome], new Date(0)));
      assert.deepEqual(await readStored(webhookId), [{ status: 'failed', due_at: null, is_cancelled: isCancelled }]);
    });
  }
});
