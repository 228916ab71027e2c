// A long change of a user's data does not delay credentials for the user. A deletion waits for those that are being issued.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import type { Tenant, UserId } from '../../src/domain/tenancy.ts';
import { holdUser, lockUser } from '../../src/features/tenancy/user-core/index.ts';
import { startTestService } from '../support/test-service.ts';
import { createUser } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';

const service = await startTestService();
after(() => service.stop());
const { db } = service.running.services;

async function newUser(): Promise<{ id: UserId; tenant: Tenant }> {
  const { id } = await createUser(service.api());
  const [tenant] = await db.query<Tenant>('select account_id as "accountId", environment from users where id = $1', [
    id,
  ]);
  assert.ok(tenant);
  return { id, tenant };
}

function createSession(id: UserId) {
  const body = { installation_id: randomUUID(), platform: 'ios' };
  return service.api().post(`/v1/users/${id}/sdk-sessions`, body, { headers: { 'idempotency-key': randomUUID() } });
}

describe('while the data of a user is being changed', () => {
  it('201 for a session, 200 for its exchange and 200 for a mobile token and its exchange', async () => {
    const { id, tenant } = await newUser();
    await db.transaction(async (tx) => {
      assert.ok(await lockUser(tx, tenant, id));
      const session = await createSession(id);
      assert.equal(session.status, 201, session.text);
      const token = await service.api().post('/v1/auth/mobile-token', { user_id: id });
      assert.equal(token.status, 200, token.text);
      for (const client_token of [session.body.client_token, token.body.token]) {
        const exchanged = await service.api(null).post('/v1/sdk/sessions/exchange', { client_token });
        assert.equal(exchanged.status, 200, exchanged.text);
      }
    });
  });

  it('a second change waits', async () => {
    const { id, tenant } = await newUser();
    let change: Promise<unknown> | undefined;
    await db.transaction(async (tx) => {
      assert.ok(await lockUser(tx, tenant, id));
      change = db.transaction((other) => lockUser(other, tenant, id));
      await untilWaiting();
    });
    assert.ok(await change);
  });
});

describe('while a credential for a user is being issued', () => {
  it('the deletion of the user waits', async () => {
    const { id, tenant } = await newUser();
    const deletion = await db.transaction(async (tx) => {
      assert.ok(await holdUser(tx, tenant, id));
      const deleting = service.api().delete(`/v1/users/${id}`);
      await untilWaiting();
      assert.deepEqual(await db.query('select status from users where id = $1', [id]), [{ status: 'active' }]);
      return { deleting };
    });
    const deleted = await deletion.deleting;
    assert.equal(deleted.status, 202, deleted.text);
    assert.equal((await createSession(id)).status, 404);
  });
});

async function untilWaiting(): Promise<void> {
  await waitUntil('one waits for a lock', async () => {
    const waiting = await db.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return waiting.length === 1;
  });
}
