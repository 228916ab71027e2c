// TRIBUTARY_SANDBOX=off disables the simulator and the sandbox environment, and keeps existing data.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { presentBanner } from '../../src/cli/banner.ts';
import { DAY_MS } from '../../src/domain/time/durations.ts';
import { claimDevices, listDueProviders, readSyncStates } from '../../src/features/clouds/sync/device-store.ts';
import { addSandboxDaysJob, findEndedSandboxDaysJob } from '../../src/features/sandbox/sandbox-users/index.ts';
import { beginConnecting, walkThroughConsent } from '../support/connect-account.ts';
import { runCli } from '../support/run-cli.ts';
import { createMovableClock } from '../support/test-clock.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { startPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { createUser } from '../support/test-users.ts';

const OFF = { TRIBUTARY_SANDBOX: 'off' };
const MASTER = { TRIBUTARY_MASTER_KEY: Buffer.alloc(32, 7).toString('base64') };
const database = await createTestDatabase();
const clock = createMovableClock();
after(() => database.drop());

describe('a sandbox that is disabled later', async () => {
  const before = await startTestService({ databaseUrl: database.url, environment: MASTER, role: 'api', clock });
  const { live, sandbox } = before.keys;
  const user = await createUser(before.api(sandbox));
  const userToken = (await before.api(sandbox).post('/v1/auth/user-token', { user_id: user.id })).body.token;
  const mobileToken = (await before.api(sandbox).post('/v1/auth/mobile-token', { user_id: user.id })).body.token;
  const phone = await startPhone(before, user.id, { key: sandbox });
  const session = await before
    .api(sandbox)
    .post(
      `/v1/users/${user.id}/sdk-sessions`,
      { installation_id: 'another', platform: 'ios' },
      { headers: { 'idempotency-key': randomUUID() } },
    );
  const begun = await beginConnecting(before.api(sandbox), user.id, 'oura');
  await walkThroughConsent(begun.auth_url);
  const waiting = await beginConnecting(before.api(sandbox), user.id, 'whoop');
  await before.stop();

  const off = await startTestService({
    databaseUrl: database.url,
    environment: { ...OFF, ...MASTER },
    role: 'api',
    clock,
  });
  after(() => off.stop());
  const { services } = off.running;
  const snapshot = async () =>
    JSON.stringify(
      await Promise.all(
        ['devices', 'synced_devices', 'sync_tasks', 'daily_months', 'sandbox_people', 'sdk_sessions'].map((table) =>
          services.db.query(`select * from ${table} order by 1, 2`),
        ),
      ),
    );

  it('403 sandbox_disabled for its keys and tokens; 200 for live ones', async () => {
    const ofUser = `/v1/users/${user.id}/devices`;
    for (const [token, path] of [
      [sandbox, '/v1/users'],
      [userToken, ofUser],
      [phone.accessToken, ofUser],
    ] as const) {
      const answer = await off.api(token).get(path);
      assert.deepEqual([answer.status, answer.body.error], [403, 'sandbox_disabled'], answer.text);
      assert.match(answer.body.message, /sandbox environment is turned off on this deployment/);
    }
    for (const client_token of [mobileToken, session.body.client_token]) {
      const answer = await off.api(null).post('/v1/sdk/sessions/exchange', { client_token });
      assert.deepEqual([answer.status, answer.body.error], [403, 'sandbox_disabled'], answer.text);
    }
    assert.equal((await off.api(live).get('/v1/users')).status, 200);
  });

  it('404 for the simulator and its provider webhooks; the page of a pending connection ends with a friendly text', async () => {
    for (const path of ['/simulator/oura/oauth/authorize', '/simulator/', '/simulator/_control/faults'])
      assert.equal((await fetch(off.url + path)).status, 404, path);
    const webhook = `/provider-webhooks/oura/sandbox/${services.derivedSecrets.of('provider webhooks oura sandbox')}`;
    assert.equal((await fetch(off.url + webhook, { method: 'POST', body: '{}' })).status, 404);
    const page = await fetch(waiting.auth_url.replace(/^http:\/\/[^/]+/, off.url), {
      method: 'POST',
      body: new URLSearchParams({ decision: 'allow' }),
      redirect: 'manual',
    });
    assert.ok(page.status < 500 && page.headers.get('location')?.includes('/simulator/') !== true, String(page.status));
  });

  it('does not run its jobs or sync its devices, and keeps its data', async () => {
    clock.advance(3 * DAY_MS);
    const kept = await snapshot();
    assert.match(kept, /"environment":"sandbox"/);
    await findEndedSandboxDaysJob.run(services, {});
    const [account] = await services.db.query<{ account_id: string }>('select account_id from users limit 1');
    await addSandboxDaysJob.run(services, { user_id: user.id, account_id: account?.account_id ?? '' });
    const jobs = await services.db.query(
      `select 1 from graphile_worker.jobs where task_identifier = 'add_sandbox_days'`,
    );
    assert.equal(jobs.length, 0);
    const now = clock.now();
    const due = { provider: 'oura', now, until: now, limit: 10 };
    assert.deepEqual(await listDueProviders(services.db, ['oura'], now, true), ['oura'], 'it is due');
    assert.deepEqual(await listDueProviders(services.db, ['oura'], now, services.settings.isSandboxOn), []);
    assert.deepEqual(await claimDevices(services.db, due, services.settings.isSandboxOn), []);
    const [state] = await readSyncStates(services.db, ['oura'], now, services.settings.isSandboxOn);
    assert.deepEqual([state?.waiting, state?.lagSeconds], [0, 0]);
    assert.equal(await snapshot(), kept);
  });

  it('is reported by the commands', async () => {
    const refused = [
      ['keys', 'create', '--environment', 'sandbox'],
      ['sandbox', 'scenario', '--user', user.id, '--name', 'gap'],
      ['sandbox', 'fault', 'list'],
      ['sandbox', 'accounts'],
      ['sandbox', 'provider-webhooks'],
    ];
    for (const args of refused) {
      const { code, stderr } = await runCli(off, args);
      assert.equal(code, 1, args.join(' '));
      assert.match(stderr, /sandbox environment .*turned off on this deployment/, args.join(' '));
    }
    assert.equal((await runCli(off, ['keys', 'create', '--environment', 'live'])).code, 0);
  });

  it('200 again after it is enabled', async () => {
    const again = await startTestService({ databaseUrl: database.url, environment: MASTER, role: 'api', clock });
    const answer = await again.api(sandbox).get(`/v1/users/${user.id}/devices`);
    await again.stop();
    assert.equal(answer.status, 200);
    assert.ok(answer.body.data.some((device: { id: string }) => device.id === begun.id));
  });
});

describe('a first start without the sandbox', async () => {
  const service = await startTestService({ environment: OFF });
  after(() => service.stop());

  it('creates and prints only a live key, with an example call that works', async () => {
    const { running, config } = service;
    assert.deepEqual(
      running.newKeys.map(({ environment }) => environment),
      ['live'],
    );
    const banner = presentBanner({ service: running, config, role: 'all', note: null, seconds: 1 });
    assert.doesNotMatch(banner, /sk_sandbox_|environment sandbox/);
    assert.ok(banner.includes(`Authorization: Bearer ${service.keys.live}`));
    assert.match(banner, /TRIBUTARY_SANDBOX=off/);
    assert.match(banner, /Account "default" created\. The key is valid until \d{4}-\d{2}-\d{2}/);
    assert.equal((await service.api().post('/v1/users', { reference_id: 'ada' })).status, 201);
  });

  it('is shown by doctor', async () => {
    const { stdout } = await runCli(service, ['doctor', '--json'], OFF);
    const { checks } = JSON.parse(stdout) as { checks: { check: string; found: string }[] };
    assert.match(checks.find(({ check }) => check === 'sandbox')?.found ?? '', /^off/);
  });
});
