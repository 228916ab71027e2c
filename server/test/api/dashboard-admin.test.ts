// The dashboard's calls of providers, the roster, the sandbox and the service.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { assertEvery } from '../support/assert-every.ts';
import { createMember, memberApi } from '../support/test-members.ts';
import { createRosterSide, newAddress } from '../support/test-roster.ts';
import { startTestService } from '../support/test-service.ts';
import { createAccount, createSandboxUser, createUser, issuePaths } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';

const printed: string[] = [];
/** Shared by both processes of the last test. */
const environment = { TRIBUTARY_MASTER_KEY: '1'.repeat(64) };
const service = await startTestService({ printedLines: printed, environment });
after(() => service.stop());
const { db } = service.running.services;
const account = await createAccount(service);
const as = async (role: 'viewer' | 'developer' | 'owner', name = account.name, isOperator = false) =>
  memberApi(service, (await createMember(service, name, role, { isOperator })).cookie);
const [viewer, developer, owner] = [await as('viewer'), await as('developer'), await as('owner')];
const PROVIDERS = '/dashboard/api/live/providers';

describe('GET /providers', () => {
  it('200 lists every provider with its redirect URI and an empty health', async () => {
    const { status, body } = await viewer.get(PROVIDERS);
    assert.equal(status, 200);
    const oura = body.data.find(({ provider }: { provider: string }) => provider === 'oura');
    assert.deepEqual([oura.display_name, oura.application, oura.client_id], ['Oura', null, null]);
    assert.equal(oura.redirect_uri, `${service.url}/connect/callback/oura`);
    assert.deepEqual(oura.health.people, { active: 0, reauthorize: 0 });
    assert.deepEqual([oura.health.syncs, oura.health.backoff, oura.health.budget], [[], null, null]);
    assert.deepEqual((await viewer.get(`${PROVIDERS}/oura/health`)).body, oura.health);
  });

  it('200 in the sandbox with the applications of the simulator', async () => {
    const { body } = await viewer.get('/dashboard/api/sandbox/providers');
    assert.ok(body.data.length > 0);
    for (const { application } of body.data) assert.equal(application, 'simulator');
  });

  it('400 for the health of an unknown provider', async () => {
    assert.equal((await viewer.get(`${PROVIDERS}/acme/health`)).body.error, 'unknown_provider');
  });
});

describe('PUT and DELETE /providers/{provider}/application', () => {
  const path = `${PROVIDERS}/whoop/application`;
  const client = { client_id: 'our-client', client_secret: 'our-secret' };

  it('200 sets the own application, 204 removes it; both are audited, the secret is nowhere', async () => {
    assert.equal((await owner.put(path, client)).status, 200);
    const listed = (await viewer.get(PROVIDERS)).body.data.find(
      (one: { provider: string }) => one.provider === 'whoop',
    );
    assert.deepEqual([listed.application, listed.client_id], ['account', 'our-client']);
    assert.equal((await owner.delete(path)).status, 204);
    const rows = await db.query<{ action: string; text: string }>(
      `select action, to_jsonb(a)::text as text from audit_log a where account_id = $1 and action like 'provider.%' order by at`,
      [account.id],
    );
    assert.deepEqual(
      rows.map(({ action }) => action),
      ['provider.application_set', 'provider.application_removed'],
    );
    assertEvery(rows, ({ text }) => !text.includes('our-secret'));
  });

  it('403 for a developer, and in the sandbox', async () => {
    assert.equal((await developer.put(path, client)).body.error, 'insufficient_role');
    assert.equal((await owner.put(path.replace('/live/', '/sandbox/'), client)).status, 403);
  });

  it('400 for an empty secret', async () => {
    const answer = await owner.put(path, { ...client, client_secret: '' });
    assert.ok(issuePaths(answer.body).includes('client_secret'));
  });
});

describe('POST /providers/{provider}/check', () => {
  it('200 with four lines for the simulator, 403 for a viewer', async () => {
    const path = '/dashboard/api/sandbox/providers/oura/check';
    const { status, body } = await developer.post(path);
    assert.equal(status, 200);
    assert.deepEqual(
      body.checks.map(({ name }: { name: string }) => name),
      ['redirect URI', 'authorize page', 'credentials', 'webhooks'],
    );
    assert.equal((await viewer.post(path)).status, 403);
  });

  it('200 says that there are no credentials', async () => {
    const { body } = await developer.post(`${PROVIDERS}/oura/check`);
    assert.deepEqual([body.checks.length, body.checks[0].outcome], [1, 'failed']);
  });
});

describe('GET /roster/invitations', () => {
  const path = '/dashboard/api/live/roster/invitations';

  it('200 lists invitations newest first, page by page, and by status', async () => {
    const roster = createRosterSide(service.api(account.live), printed);
    const first = await roster.invite(newAddress(), { name: 'Ada' });
    await roster.join(newAddress());
    const last = await roster.invite(newAddress());
    const page = await viewer.get(`${path}?limit=2`);
    assert.deepEqual([page.body.data[0].id, page.body.data[1].status], [last.id, 'accepted']);
    const rest = await viewer.get(`${path}?limit=2&cursor=${encodeURIComponent(page.body.next_cursor)}`);
    assert.deepEqual([rest.body.data[0].id, rest.body.data[0].name, rest.body.next_cursor], [first.id, 'Ada', null]);
    const pending = await viewer.get(`${path}?status=pending`);
    assert.deepEqual(
      pending.body.data.map(({ id }: { id: string }) => id),
      [last.id, first.id],
    );
  });

  it('200 counts an invitation whose time is over as expired', async () => {
    await db.query(`update roster_invitations set expires_at = now() - interval '1 day' where status = 'pending'`);
    assert.equal((await viewer.get(`${path}?status=pending`)).body.data.length, 0);
    assert.equal((await viewer.get(`${path}?status=expired`)).body.data.length, 2);
  });

  it('404 in the sandbox, 400 for a cursor of another list', async () => {
    assert.equal((await viewer.get(path.replace('/live/', '/sandbox/'))).status, 404);
    assert.equal((await viewer.get(`${path}?cursor=x`)).body.error, 'invalid_cursor');
  });

  it('200 as CSV', async () => {
    const answer = await viewer.get(path, { headers: { accept: 'text/csv' } });
    assert.match(answer.text, /^id,email,name,/);
  });
});

describe('POST /roster/invitations/preview', () => {
  it('200 with the mail as it will be sent, and whether a mail server is configured', async () => {
    const body = { name: 'Ada', message: 'Join our study.' };
    const answer = await developer.post('/dashboard/api/live/roster/invitations/preview', body);
    assert.equal(answer.status, 200, answer.text);
    assert.ok(answer.body.subject.includes(account.name));
    assert.ok(answer.body.text.includes('Ada') && answer.body.text.includes('Join our study.'));
    assert.equal(answer.body.is_mail_on, false);
  });
});

describe('the sandbox', () => {
  const scenarios = '/dashboard/api/sandbox/sandbox/scenarios';
  const faults = '/dashboard/api/sandbox/sandbox/faults';

  it('200 runs a scenario of an own user; 404 for a live user and for the user of another account', async () => {
    const user = await createUser(service.api(account.sandbox));
    const answer = await developer.post(scenarios, { user_id: user.id, name: 'illness' });
    assert.equal(answer.status, 200, answer.text);
    assert.match(answer.body.did[0], /fever/);
    const live = await createUser(service.api(account.live));
    const other = await createSandboxUser(service);
    for (const { id } of [live, other])
      assert.equal((await developer.post(scenarios, { user_id: id, name: 'gap' })).status, 404);
    assert.equal((await viewer.post(scenarios, { user_id: user.id, name: 'gap' })).status, 403);
  });

  it('403 for faults while other accounts share the simulator, except for an operator', async () => {
    const fault = { kind: 'rate_limited', provider: 'oura', times: 3 };
    assert.equal((await developer.post(faults, fault)).body.error, 'shared_simulator');
    assert.deepEqual((await developer.get(faults)).body, { data: [], can_change: false });
    const operator = await as('developer', account.name, true);
    const added = await operator.post(faults, fault);
    assert.equal(added.status, 201, added.text);
    const listed = (await operator.get(faults)).body;
    assert.deepEqual(listed, { data: [{ ...added.body }], can_change: true });
    assert.equal((await operator.delete(`${faults}/${added.body.id}`)).status, 204);
    assert.equal((await operator.delete(`${faults}/${added.body.id}`)).status, 404);
    assert.equal((await operator.post(faults, fault)).status, 201);
    assert.equal((await operator.delete(faults)).status, 204);
    assert.deepEqual((await operator.get(faults)).body.data, []);
  });

  it('403 in the live environment', async () => {
    assert.equal((await developer.get('/dashboard/api/live/sandbox/faults')).status, 403);
  });
});

describe('GET /service', () => {
  it('200 for an operator, without health data: readiness, processes, stages, sizes and keys', async () => {
    const operator = await as('viewer', account.name, true);
    await waitUntil('the first report of this process', async () => {
      return (await operator.get('/dashboard/api/service')).body.processes.length > 0;
    });
    const { status, body } = await operator.get('/dashboard/api/service');
    assert.equal(status, 200);
    assert.equal(body.readiness.status, 'ready');
    const [process] = body.processes;
    assert.deepEqual([process.role, process.is_alive, process.pid], ['all', true, globalThis.process.pid]);
    assert.ok(process.disk.free_bytes > 0 && process.disk.total_bytes > process.disk.free_bytes);
    assert.ok(body.database.bytes > 1_000_000);
    for (const name of ['events', 'deliveries', 'provider_webhooks', 'scoring', 'jobs'])
      assert.ok(
        body.stages.some((stage: { name: string }) => stage.name === name),
        name,
      );
    assert.equal(body.keys.master.length, 1);
    assert.deepEqual(Object.keys(body.keys.master[0]), ['fingerprint', 'created_at', 'seen_at', 'is_in_use']);
  });

  it('403 for an owner who is not an operator', async () => {
    assert.equal((await owner.get('/dashboard/api/service')).body.error, 'insufficient_role');
  });

  it('a process that stops removes its row', async () => {
    const count = async () => (await db.query('select 1 from processes')).length;
    const before = await count();
    const second = await startTestService({
      databaseUrl: service.config.databaseUrl ?? '',
      role: 'api',
      environment,
    });
    await waitUntil('the second process reports', async () => (await count()) === before + 1);
    await second.stop();
    assert.equal(await count(), before);
  });
});
