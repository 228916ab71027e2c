// Tests the end of accounts: renamed, closed, reopened and deleted.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import type { AccountId } from '../../src/domain/tenancy.ts';
import { keepClient } from '../../src/features/clouds/provider-apps/index.ts';
import { findProvider } from '../../src/providers/registry.ts';
import { awaitRounds } from '../support/loop-rounds.ts';
import { countRowsOf, listAccountTables } from '../support/rows-of-account.ts';
import { runCli } from '../support/run-cli.ts';
import { searchDatabase } from '../support/search-database.ts';
import type { Answer } from '../support/test-api.ts';
import { createMember, memberApi } from '../support/test-members.ts';
import { startPhone } from '../support/test-phone.ts';
import { createRosterSide, newAddress } from '../support/test-roster.ts';
import { startTestService } from '../support/test-service.ts';
import { createAccount, createUser } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startSink } from '../support/webhook-sink.ts';

const printed: string[] = [];
const service = await startTestService({
  printedLines: printed,
  environment: { TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS: '1' },
});
const sink = await startSink();
after(async () => {
  await service.stop();
  await sink.close();
});
const operator = service.operator();
const { services } = service.running;
const { db } = services;
const pathOf = (name: string) => `/admin/accounts/${encodeURIComponent(name)}`;
const STEPS = {
  samples: [{ metric: 'steps', start: '2026-01-05T10:00:00Z', end: '2026-01-05T10:10:00Z', value: 900 }],
};

function assertClosed(answer: Answer): void {
  assert.deepEqual([answer.status, answer.body.error], [403, 'account_closed'], answer.text);
  assert.match(answer.body.details.closed_at, /^\d{4}-/);
}

describe('PUT /admin/accounts/{account}/name', () => {
  it('200 with the new name; keys stay valid and the former name is free', async () => {
    const account = await createAccount(service);
    const name = `renamed ${randomUUID()}`;
    const answer = await operator.put(`${pathOf(account.name)}/name`, { name });
    assert.deepEqual([answer.status, answer.body.name, answer.body.id], [200, name, account.id]);
    assert.equal((await service.api(account.live).get('/v1/users')).status, 200);
    assert.equal((await operator.post('/admin/accounts', { name: account.name })).status, 201);
  });

  it('409 for a name that is taken, 404 for an unknown account', async () => {
    const account = await createAccount(service);
    assert.equal((await operator.put(`${pathOf(account.name)}/name`, { name: 'default' })).body.error, 'name_taken');
    assert.equal((await operator.put(`${pathOf(randomUUID())}/name`, { name: 'any' })).status, 404);
  });
});

describe('POST /admin/accounts/{account}/close and /reopen', () => {
  it('403 for keys, user tokens, SDK sessions, refreshes and exchanges until it is reopened', async () => {
    const account = await createAccount(service);
    const api = service.api(account.live);
    const user = await createUser(api);
    const phone = await startPhone(service, user.id, { key: account.live });
    await phone.upload(STEPS);
    const token = (await api.post('/v1/auth/user-token', { user_id: user.id })).body.token;
    const mobile = (await api.post('/v1/auth/mobile-token', { user_id: user.id })).body.token;
    const startSession = () =>
      api.post(
        `/v1/users/${user.id}/sdk-sessions`,
        { installation_id: randomUUID(), platform: 'ios' },
        { headers: { 'idempotency-key': randomUUID() } },
      );
    const exchange = (client_token: string) => service.api(null).post('/v1/sdk/sessions/exchange', { client_token });
    const exchanged = (await exchange((await startSession()).body.client_token)).body;
    const bootstrap = await startSession();
    const refresh = () =>
      service.api(null).post('/v1/sdk/sessions/refresh', { refresh_token: exchanged.refresh_token });
    const closed = await operator.post(`${pathOf(account.name)}/close`);
    assert.equal(closed.status, 200, closed.text);
    const again = await operator.post(`${pathOf(account.name)}/close`);
    assert.equal(again.body.closed_at, closed.body.closed_at, 'closing twice changes nothing');
    for (const answer of [
      await api.get('/v1/users'),
      await service.api(account.sandbox).get('/v1/users'),
      await service.api(token).get(`/v1/users/${user.id}/daily`),
      await phone.send({ upload_id: randomUUID(), source: { provider: 'apple_health', id: 'watch' }, ...STEPS }),
      await exchange(bootstrap.body.client_token),
      await exchange(mobile),
      await refresh(),
    ])
      assertClosed(answer);
    const listed = (await operator.get('/admin/accounts')).body.data;
    assert.equal(listed.find(({ id }: { id: string }) => id === account.id).status, 'closed');

    const reopened = await operator.post(`${pathOf(account.name)}/reopen`);
    assert.equal(reopened.body.closed_at, null);
    assert.equal((await api.get('/v1/users')).status, 200);
    await phone.upload(STEPS);
    assert.equal((await refresh()).status, 200);
    assert.equal((await exchange(bootstrap.body.client_token)).status, 200);
    assert.equal((await exchange(mobile)).status, 200);
  });

  it('deliveries wait and are made after the account is reopened', async () => {
    const account = await createAccount(service);
    const api = service.api(account.live);
    const path = `/closed-${randomUUID()}`;
    const webhook = await api.post('/v1/webhooks', { url: sink.url(path), events: ['data.updated'] });
    assert.equal(webhook.status, 201, webhook.text);
    const user = await createUser(api);
    const phone = await startPhone(service, user.id, { key: account.live });
    await phone.upload(STEPS);
    await sink.wait(path, 1);
    const before = sink.at(path).length;
    await operator.post(`${pathOf(account.name)}/close`);
    await db.query(
      `update webhook_deliveries set status = 'pending', due_at = now() - interval '1 minute' where account_id = $1`,
      [account.id],
    );
    await db.query(
      `update webhooks set due_at = now() - interval '1 minute', pending_from = now() - interval '1 minute' where account_id = $1`,
      [account.id],
    );
    await awaitRounds(service.running, ['publisher', 'dispatcher'], 2);
    assert.equal(sink.at(path).length, before);
    await operator.post(`${pathOf(account.name)}/reopen`);
    await sink.wait(path, before + 1);
  });

  it('an invitation of a closed account cannot be accepted', async () => {
    const account = await createAccount(service);
    const roster = createRosterSide(service.api(account.live), printed);
    const { link } = await roster.invite(newAddress());
    await operator.post(`${pathOf(account.name)}/close`);
    const answer = await fetch(link, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: service.url },
      body: 'decision=allow',
      redirect: 'manual',
    });
    assert.equal(answer.status, 409);
  });
});

describe('tributary accounts', () => {
  it('renames, closes, reopens and deletes; a deletion needs the name twice', async () => {
    const { id, name } = await createAccount(service);
    const renamed = `shop ${randomUUID()}`;
    const run = (...args: string[]) => runCli(service, ['accounts', ...args]);
    assert.match((await run('rename', '--account', name, '--name', renamed)).stdout, /is now named shop /);
    assert.match((await run('close', '--account', renamed)).stdout, /is closed since /);
    assert.match((await run('list')).stdout, new RegExp(`${renamed} +closed`));
    assert.match((await run('reopen', '--account', renamed)).stdout, /is open/);
    const refused = await run('delete', '--account', renamed, '--confirm', name);
    assert.deepEqual([refused.code, refused.stderr.includes('cannot be undone')], [1, true]);
    assert.match((await run('delete', '--account', renamed, '--confirm', renamed)).stdout, /is deleted/);
    await waitUntil('the account is erased', async () => Object.keys(await countRowsOf(db, [id])).length === 0, 30_000);
  });
});

describe('DELETE /admin/accounts/{account}', () => {
  it('202 erases all users and rows of the account, and nothing of another', { timeout: 120_000 }, async () => {
    const account = await createAccount(service);
    const other = await createAccount(service);
    const users: string[] = [];
    for (const { live } of [account, other]) {
      const api = service.api(live);
      const path = `/deleted-${randomUUID()}`;
      assert.equal((await api.post('/v1/webhooks', { url: sink.url(path), events: ['*'] })).status, 201);
      const user = await createUser(api, { timezone: 'Europe/Berlin' });
      if (live === account.live) users.push(user.id);
      const phone = await startPhone(service, user.id, { key: live });
      await phone.upload(STEPS);
      await sink.wait(path, 1);
      const gone = await createUser(api);
      assert.equal((await api.delete(`/v1/users/${gone.id}`)).status, 202);
    }
    const shared = newAddress();
    const address = newAddress();
    const roster = createRosterSide(service.api(account.live), printed);
    const member = await roster.join(address);
    users.push(member.user_id ?? member.id);
    await roster.invite(shared);
    await createRosterSide(service.api(other.live), printed).invite(shared);
    const sandbox = await createUser(service.api(account.sandbox));
    users.push(sandbox.id);
    const oura = findProvider('oura') ?? assert.fail();
    await keepClient(
      services,
      account.id as AccountId,
      oura,
      { clientId: 'own', clientSecret: 'secret' },
      async () => undefined,
    );
    const owner = await createMember(service, account.name, 'owner');
    const keptOwner = await createMember(service, other.name, 'owner');
    const before = await countRowsOf(db, [other.id]);
    assert.ok((await countRowsOf(db, [account.id])).webhooks);

    await Promise.all([services.usage.flush(), services.requestLog.flush()]); // they are written later
    const answer = await operator.delete(pathOf(account.name));
    assert.equal(answer.status, 202, answer.text);
    assert.equal((await operator.get('/admin/accounts')).status, 200);
    assert.equal((await operator.delete(pathOf(account.name))).status, 404, 'the name is free at once');
    assert.equal((await operator.post('/admin/accounts', { name: account.name })).status, 201);
    await waitUntil(
      'the account is erased',
      async () => (await countRowsOf(db, [account.id])).accounts === undefined,
      60_000,
    );

    // Counts of the last requests may be written after the account is removed; the last sweep removes them.
    await Promise.all([services.usage.flush(), services.requestLog.flush()]);
    const sweep = await searchDatabase(db, { account: account.id });
    assert.ok(sweep.includes('graphile_worker._private_jobs.payload: account'), sweep.join());
    await db.query(`update graphile_worker._private_jobs set run_at = now() where key like '%' || $1`, [account.id]);
    await waitUntil(
      'the last sweep',
      async () => (await searchDatabase(db, { account: account.id })).join() === 'public.audit_log.subject: account',
      60_000,
    );
    assert.deepEqual(await countRowsOf(db, [account.id, ...users]), {});
    assert.deepEqual(await searchDatabase(db, { address, member: owner.memberId }), []);
    const kept = await countRowsOf(db, [other.id]);
    for (const table of ['users', 'webhooks', 'api_keys', 'roster_invitations', 'account_members'])
      assert.equal(kept[table], before[table], table);
    assert.equal((await service.api(account.live).get('/v1/users')).status, 401);
    assert.equal((await service.api(other.live).get('/v1/users')).status, 200);
    assert.equal((await memberApi(service, owner.cookie).get('/dashboard/api/live/v1/users')).status, 401);
    assert.equal((await memberApi(service, keptOwner.cookie).get('/dashboard/api/live/v1/users')).status, 200);
  });

  it('knows every table with an account: add a new table to the erasers, then to this list', async () => {
    const tables = await listAccountTables(db);
    const ofAccount = tables.filter(({ columns }) => columns.includes('account_id')).map(({ table }) => table);
    assert.deepEqual(ofAccount.sort(), [...ERASED_WITH_USERS, ...ERASED_WITH_ACCOUNT].sort());
  });
});

/** Tables that the erasure of each user covers. */
const ERASED_WITH_USERS = [
  'authorization_requests',
  'provider_accounts',
  'roster_members',
  'sandbox_people',
  'scoring_queue',
  'synced_devices',
  'users',
];
/** Tables that features/operator/account-erasure covers. */
const ERASED_WITH_ACCOUNT = [
  'account_environments',
  'account_logos',
  'account_members',
  'api_keys',
  'audit_log',
  'event_outbox',
  'feed_events',
  'feed_heads',
  'member_links',
  'member_sessions',
  'provider_clients',
  'request_blocks',
  'roster_invitations',
  'usage_days',
  'usage_hours',
  'usage_minutes',
  'webhook_deliveries',
  'webhooks',
];
