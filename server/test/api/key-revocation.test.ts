// Tests several named keys of an environment, and what happens to objects created with a revoked key.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { startPhone } from '../support/test-phone.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { ABSENT_ID, createAccount, createUser } from '../support/test-users.ts';

const service = await startTestService();
after(() => service.stop());
const operator = service.operator();

const NOTHING = { sdk_sessions: 0, mobile_tokens: 0, webhooks: 0 };
const HOOK = { url: 'https://hooks.example/in', events: ['*'] };

/** An account with a second key, and every kind of object created with each key. */
async function openAccount() {
  const account = await createAccount(service);
  const made = await operator.post('/admin/keys', { account: account.name, environment: 'live', name: 'second' });
  assert.equal(made.status, 201, made.text);
  const user = await createUser(service.api(account.live));
  const keys = (await operator.get('/admin/keys')).body.data as {
    account: string;
    environment: string;
    name: string;
    id: string;
  }[];
  const idOf = (name: string) =>
    keys.find((key) => key.account === account.name && key.environment === 'live' && key.name === name)?.id ?? '';
  return {
    account,
    first: { id: idOf('default'), ...(await createWith(service, account.live, user.id)) },
    second: { id: idOf('second'), ...(await createWith(service, made.body.key, user.id)) },
  };
}

async function createWith(where: TestService, key: string, userId: string) {
  const api = where.api(key);
  const phone = await startPhone(where, userId, { key });
  const userToken = (await api.post('/v1/auth/user-token', { user_id: userId })).body.token as string;
  const mobileToken = (await api.post('/v1/auth/mobile-token', { user_id: userId })).body.token as string;
  const spent = (await api.post('/v1/auth/mobile-token', { user_id: userId })).body.token as string;
  const exchanged = await where.api(null).post('/v1/sdk/sessions/exchange', { client_token: spent });
  assert.equal(exchanged.status, 200, exchanged.text);
  const hook = await api.post('/v1/webhooks', HOOK);
  assert.equal(hook.status, 201, hook.text);
  return {
    key,
    userId,
    phone,
    userToken,
    mobileToken,
    exchanged: exchanged.body,
    webhook: hook.body.data.id as string,
  };
}
type Created = Awaited<ReturnType<typeof createWith>>;

/** Which of them still work; `reader` sees the webhook even if its own key was revoked. */
async function readAlive(made: Created, reader: string) {
  const { db } = service.running.services;
  const [token] = await db.query<{ open: number }>(
    'select count(*)::int as open from mobile_tokens where consumed_at is null and user_id = $1 and created_by_key = (select id from api_keys where last_four = $2)',
    [made.userId, made.key.slice(-4)],
  );
  const hooks = (await service.api(reader).get('/v1/webhooks')).body.data as { id: string; status: string }[];
  return {
    key: (await service.api(made.key).get('/v1/users')).status === 200,
    session: (await made.phone.send({})).status !== 401,
    sessionOfMobileToken: (await service.api(made.exchanged.access_token).post('/v1/sdk/uploads', {})).status !== 401,
    refresh:
      (await service.api(null).post('/v1/sdk/sessions/refresh', { refresh_token: made.exchanged.refresh_token }))
        .status === 200,
    userToken: (await service.api(made.userToken).get(`/v1/users/${made.userId}/daily?metrics=steps`)).status !== 401,
    mobileToken: (token?.open ?? 0) > 0,
    webhook: hooks.find(({ id }) => id === made.webhook)?.status === 'active',
  };
}
const ALL = {
  key: true,
  session: true,
  sessionOfMobileToken: true,
  refresh: true,
  userToken: true,
  mobileToken: true,
  webhook: true,
};

describe('POST /admin/keys/revoke', () => {
  it('200 revokes only the key, and counts what is still active', async () => {
    const { first, second } = await openAccount();
    const answer = await operator.post('/admin/keys/revoke', { id: first.id });
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.body, {
      revoked: 1,
      id: first.id,
      ended: NOTHING,
      still_active: { sdk_sessions: 2, mobile_tokens: 1, webhooks: 1 },
    });
    assert.deepEqual(await readAlive(first, second.key), { ...ALL, key: false });
    assert.deepEqual(await readAlive(second, second.key), ALL);
  });

  it('200 ends sessions and tokens of the key with end_sessions, webhooks with end_webhooks, also in a later call', async () => {
    const { first, second } = await openAccount();
    const sessions = await operator.post('/admin/keys/revoke', { id: first.id, end_sessions: true });
    assert.deepEqual(sessions.body.ended, { sdk_sessions: 2, mobile_tokens: 1, webhooks: 0 });
    assert.deepEqual(sessions.body.still_active, { ...NOTHING, webhooks: 1 });
    const ended = {
      key: false,
      session: false,
      sessionOfMobileToken: false,
      refresh: false,
      userToken: false,
      mobileToken: false,
    };
    assert.deepEqual(await readAlive(first, second.key), { ...ended, webhook: true });
    const webhooks = await operator.post('/admin/keys/revoke', { id: first.id, end_webhooks: true });
    assert.deepEqual(webhooks.body, {
      revoked: 0,
      id: first.id,
      ended: { ...NOTHING, webhooks: 1 },
      still_active: NOTHING,
    });
    assert.deepEqual(await readAlive(first, second.key), { ...ended, webhook: false });
    assert.deepEqual(await readAlive(second, second.key), ALL, 'nothing of another key');
    const entries = await service.running.services.db.query(
      `select action, details from audit_log where subject = $1 and action <> 'api_key.created' order by id`,
      [first.id],
    );
    const named = { name: 'default', last_four: first.key.slice(-4) };
    assert.deepEqual(entries, [
      { action: 'api_key.revoked', details: { ...named, ended_sdk_sessions: 2, ended_mobile_tokens: 1 } },
      { action: 'api_key.creations_ended', details: { ...named, disabled_webhooks: 1 } },
    ]);
    const again = await service.api(second.key).patch(`/v1/webhooks/${first.webhook}`, { status: 'active' });
    assert.equal(again.status, 200, 'a disabled webhook can be enabled again');
  });

  it('counts a session for the key that opened it last, and a webhook for the key that last changed its URL', async () => {
    const { first, second } = await openAccount();
    const installationId = randomUUID();
    const user = await createUser(service.api(first.key));
    await startPhone(service, user.id, { key: first.key, installationId });
    await startPhone(service, user.id, { key: second.key, installationId });
    const moved = await service
      .api(second.key)
      .patch(`/v1/webhooks/${first.webhook}`, { url: 'https://other.example/' });
    assert.equal(moved.status, 200);
    const { still_active } = (await operator.post('/admin/keys/revoke', { id: second.id })).body;
    assert.deepEqual(still_active, { sdk_sessions: 3, mobile_tokens: 1, webhooks: 2 });
  });

  for (const overlap_seconds of [null, 60])
    it(`leaves nothing that was created during the revocation${overlap_seconds === null ? '' : ' of a key in its overlap'}`, async () => {
      const { second } = await openAccount();
      if (overlap_seconds !== null)
        assert.equal((await operator.post('/admin/keys/rotate', { id: second.id, overlap_seconds })).status, 201);
      const user = await createUser(service.api(second.key));
      const api = service.api(second.key);
      const attempts = Array.from({ length: 40 }, (_, index) =>
        index % 2 === 0
          ? api.post('/v1/auth/mobile-token', { user_id: user.id })
          : api.post(
              `/v1/users/${user.id}/sdk-sessions`,
              { installation_id: randomUUID(), platform: 'ios' },
              { headers: { 'idempotency-key': randomUUID() } },
            ),
      );
      const body = { id: second.id, end_sessions: true, end_webhooks: true };
      const revoked = await operator.post('/admin/keys/revoke', body);
      await Promise.all(attempts);
      assert.equal(revoked.body.revoked, 1);
      const after = await operator.post('/admin/keys/revoke', { id: second.id });
      assert.deepEqual(after.body.still_active, NOTHING);
    });

  it('404 for an unknown id, 400 for neither or both ways to name a key', async () => {
    assert.equal((await operator.post('/admin/keys/revoke', { id: ABSENT_ID })).status, 404);
    for (const body of [
      {},
      { id: ABSENT_ID, environment: 'live' },
      { account: 'default' },
      { environment: 'live' },
      { id: 'x' },
    ])
      assert.equal((await operator.post('/admin/keys/revoke', body)).status, 400, JSON.stringify(body));
  });
});

describe('named keys', () => {
  it('409 name_taken while a key of that name is active; the name is free after its revocation', async () => {
    const { account, second } = await openAccount();
    const body = { account: account.name, environment: 'live', name: 'second' };
    const taken = await operator.post('/admin/keys', body);
    assert.deepEqual([taken.status, taken.body.error], [409, 'name_taken']);
    assert.equal((await operator.post('/admin/keys', { ...body, environment: 'sandbox' })).status, 201);
    await operator.post('/admin/keys/revoke', { id: second.id });
    assert.equal((await operator.post('/admin/keys', body)).status, 201);
  });

  it('201 names keys without a name: the first "default", later ones the first free key-N', async () => {
    const name = `account ${randomUUID()}`;
    assert.equal((await operator.post('/admin/accounts', { name })).status, 201);
    const of = { account: name, environment: 'live' };
    assert.equal((await operator.post('/admin/keys', { ...of, name: 'key-3' })).status, 201);
    const names: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const { body } = await operator.post('/admin/keys', of);
      assert.equal(body.replaced, null);
      names.push(body.name);
    }
    assert.deepEqual(names, ['default', 'key-2', 'key-4']);
    await operator.post('/admin/keys/revoke', of);
    assert.equal((await operator.post('/admin/keys', of)).body.name, 'default');
  });

  it('201 rotates one key and lists what the old one created; 404 for an unknown name', async () => {
    const { account, first, second } = await openAccount();
    const body = { account: account.name, environment: 'live', name: 'second' };
    const rotated = await operator.post('/admin/keys/rotate', body);
    assert.equal(rotated.status, 201, rotated.text);
    const { ends_at, ...replaced } = rotated.body.replaced;
    assert.ok(Date.parse(ends_at) <= Date.now());
    assert.deepEqual(replaced, {
      id: second.id,
      still_active: { sdk_sessions: 2, mobile_tokens: 1, webhooks: 1 },
    });
    assert.equal((await service.api(second.key).get('/v1/users')).status, 401);
    for (const key of [first.key, rotated.body.key])
      assert.equal((await service.api(key).get('/v1/users')).status, 200);
    assert.equal((await operator.post('/admin/keys/rotate', { ...body, name: 'third' })).status, 404);
  });
});
