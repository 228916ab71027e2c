// If several processes need new tokens at once, one of them refreshes.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { MINUTE_MS } from '../../src/domain/time/durations.ts';
import { disconnectDevice } from '../../src/features/clouds/connections/disconnect-device.ts';
import { deauthorizeJob } from '../../src/features/clouds/connections/index.ts';
import { openAccount, readProviderAccount } from '../../src/features/clouds/provider-accounts/index.ts';
import { listAppsById } from '../../src/features/clouds/provider-apps/index.ts';
import { countQueries } from '../support/count-queries.ts';
import { APP, type Connected, openTestCloud } from '../support/test-cloud.ts';
import { waitUntil } from '../support/wait-until.ts';

const cloud = await openTestCloud({ after });
const { stub, services } = cloud;
const TOKEN = '/oura/oauth/token';
const TAKES_LEASE = /^\s*update provider_accounts set refreshing_until = \$/;

async function openAll({ user, device }: Connected, refusedVersions: readonly (number | null)[]) {
  const [app] = await listAppsById(services, 'oura', APP);
  assert.ok(app);
  const wanted = { userId: user.userId, deviceId: device.id };
  return Promise.all(refusedVersions.map((refusedVersion) => openAccount(services, app, wanted, refusedVersion)));
}
const tokenOf = (answer: Awaited<ReturnType<typeof openAccount>>) =>
  'account' in answer ? answer.account.accessToken : JSON.stringify(answer);

/** A caller that waits for another refresh tries to take the lease repeatedly. */
const awaitTries = (soFar: readonly string[], count: number) =>
  waitUntil(`${count} tries to take the lease`, () => soFar.filter((text) => TAKES_LEASE.test(text)).length >= count);

describe('refreshing a token', () => {
  it('sends one request for 50 concurrent callers, in memory or through the database', async () => {
    const connected = await cloud.connect('oura', { tokens: { expiresInSeconds: 5 } });
    // A different refused version is not shared in memory: as between processes, only the row in the database coordinates.
    const refusedVersions = [...Array(25).fill(null), ...Array(25).fill(0), 7, 8, 9];
    const queries = new Set(refusedVersions).size;
    await countQueries(services.db, async (soFar) => {
      let count = 0;
      stub.answer(TOKEN, async () => {
        count += 1;
        await awaitTries(soFar, queries + 2 * (queries - 1)); // every other one has come back twice
        return { json: { access_token: `new-${count}`, refresh_token: 'next', expires_in: 3_600 } };
      });
      const answers = await openAll(connected, refusedVersions);
      assert.equal(stub.at(TOKEN).length, 1);
      assert.equal(answers.length, refusedVersions.length);
      assert.deepEqual(new Set(answers.map(tokenOf)), new Set(['new-1']));
    });
    const stored = await readProviderAccount(services.db, connected.user, connected.device.id);
    assert.equal(stored?.account.tokenVersion, 1);
  });

  it('commits the pair before it is used', async () => {
    stub.answer(TOKEN, { json: { access_token: 'kept', refresh_token: 'kept-next', expires_in: 3_600 } });
    const connected = await cloud.connect('oura', { tokens: { expiresInSeconds: 5 } });
    const [answer] = await openAll(connected, [null]);
    const [row] = await cloud.query<{ version: number; lease: Date | null }>(
      'select token_version as version, refreshing_until as lease from provider_accounts where device_id = $1',
      [connected.device.id],
    );
    assert.deepEqual(row, { version: 1, lease: null });
    assert.equal(answer && tokenOf(answer), 'kept');
  });

  it('keeps the pair for any lifetime that the provider states', async () => {
    for (const expires_in of [1e12, 1e18, 1e300, -1e300, '3600', 'soon', {}]) {
      stub.answer(TOKEN, { json: { access_token: 'new', refresh_token: 'next', expires_in } });
      const connected = await cloud.connect('oura', { tokens: { expiresInSeconds: 5 } });
      const [answer] = await openAll(connected, [null]);
      assert.equal(answer && tokenOf(answer), 'new', String(expires_in));
      const stored = await readProviderAccount(services.db, connected.user, connected.device.id);
      assert.equal(stored?.account.tokenVersion, 1);
    }
  });

  it('waits for the lease of a killed process, then retries with the last pair', async () => {
    stub.answer(TOKEN, { json: { access_token: 'again', refresh_token: 'next', expires_in: 3_600 } });
    const connected = await cloud.connect('oura', { tokens: { expiresInSeconds: 5 } });
    await cloud.query('update provider_accounts set refreshing_until = $2 where device_id = $1', [
      connected.device.id,
      new Date(cloud.clock.now().getTime() + 30_000),
    ]);
    stub.requests.length = 0;
    await countQueries(services.db, async (soFar) => {
      const waiting = openAll(connected, [null]);
      await awaitTries(soFar, 3);
      assert.equal(stub.at(TOKEN).length, 0);
      cloud.clock.advance(MINUTE_MS);
      const [answer] = await waiting;
      assert.equal(answer && tokenOf(answer), 'again');
    });
    assert.equal(stub.at(TOKEN)[0]?.form.get('refresh_token'), 'first');
  });

  it('revokes the new pair if the device was disconnected meanwhile', async () => {
    const connected = await cloud.connect('oura', { tokens: { expiresInSeconds: 5 } });
    const { user, device } = connected;
    const caller = { kind: 'api_key', keyId: null, tenant: user.tenant } as never;
    stub.answer(TOKEN, async () => {
      await disconnectDevice({ services, caller }, { userId: user.userId, deviceId: device.id });
      return { json: { access_token: 'issued-late', refresh_token: 'next', expires_in: 3_600 } };
    });
    stub.answer('/oura/oauth/revoke', ({ query }) => ({ status: query.get('access_token') === 'good' ? 401 : 200 }));
    await openAll(connected, [null]);
    stub.answer(TOKEN, { status: 400, json: { error: 'invalid_grant' } });
    const jobs = await cloud.query<{ payload: never }>(
      `select payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
        where t.identifier = 'deauthorize_account' order by j.id`,
    );
    for (const { payload } of jobs) await deauthorizeJob.run(services, payload);
    const revoked = stub.at('/oura/oauth/revoke').map(({ query }) => query.get('access_token'));
    assert.deepEqual(revoked, ['good', 'issued-late']);
  });

  it('ignores that a pair that was replaced may not read a resource', async () => {
    stub.answer('/oura/v2', { json: { data: [], next_token: null } });
    const connected = await cloud.connect('oura', { tokens: { accessToken: 'partial' } });
    stub.answer('/oura/v2/usercollection/sleep', async ({ headers }) => {
      if (headers.authorization !== 'Bearer partial') return { json: { data: [], next_token: null } };
      await cloud.reconnect(connected); // and shares it
      return { status: 403 };
    });
    await cloud.runDue();
    assert.deepEqual(
      await cloud.query('select skipped_resources from synced_devices where device_id = $1', [connected.device.id]),
      [{ skipped_resources: [] }],
    );
    stub.answer('/oura/v2/usercollection/sleep', { json: { data: [], next_token: null } });
  });

  it('ignores the refusal of a pair that was replaced', async () => {
    const connected = await cloud.connect('oura', { tokens: { expiresInSeconds: 5 } });
    stub.answer('/oura/v2', { json: { data: [], next_token: null } });
    stub.answer(TOKEN, async () => {
      await cloud.reconnect(connected);
      return { status: 400, json: { error: 'invalid_grant' } };
    });
    await cloud.runDue();
    const [row] = await cloud.query<{ status: string }>('select status from devices where id = $1', [
      connected.device.id,
    ]);
    assert.equal(row?.status, 'active');
  });
});
