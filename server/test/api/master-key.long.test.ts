// Replaces the master key like an operator: in the file or the environment, with the service running or stopped.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { readMasterKeyFile } from '../../src/platform/data-folder.ts';
import { WrongMasterKeyError } from '../../src/platform/keyring/index.ts';
import { runCli } from '../support/run-cli.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

/** A deployment that can be restarted, and is stopped after the test. */
async function openDeployment(t: TestContext) {
  const database = await createTestDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'tributary-master-'));
  const running: TestService[] = [];
  const stop = async () => {
    for (const service of running.splice(0)) await service.stop();
  };
  t.after(async () => {
    await stop();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    folder,
    stop,
    async start(environment: Record<string, string> = {}) {
      const service = await startTestService({
        databaseUrl: database.url,
        environment: { TRIBUTARY_DATA_DIR: folder, ...environment },
      });
      running.push(service);
      return service;
    },
  };
}

/** Makes rows older, because the database's clock decides. */
const pass = (service: TestService, minutes: number) =>
  service.running.services.db.query(
    `with aged as (update data_keys set created_at = created_at - interval '${minutes} minutes')
     update master_keys set seen_at = seen_at - interval '${minutes} minutes'`,
  );

/** One of each thing that depends on a key: a sealed secret, a signing key, a cursor. */
async function leaveTraces(service: TestService) {
  const api = service.api();
  const [first] = await Promise.all(['a', 'b'].map((reference_id) => api.post('/v1/users', { reference_id })));
  const token = await api.post('/v1/auth/user-token', { user_id: first?.body.data.id });
  const page = await api.get('/v1/users?limit=1', { headers: { 'api-form': '2' } });
  const key = service.keys.live;
  return async (later: TestService) => {
    assert.equal((await later.api(token.body.token).get('/v1/users')).status, 403, 'its signature is known');
    const next = await later
      .api(key)
      .get(`/v1/users?limit=1&cursor=${page.body.next_cursor}`, { headers: { 'api-form': '2' } });
    assert.equal(next.status, 200, next.text);
    const user_id = first?.body.data.id;
    assert.equal((await later.api(key).post('/v1/auth/user-token', { user_id })).status, 200);
  };
}

async function run(service: TestService, args: readonly string[] = [], environment: Record<string, string> = {}) {
  return runCli(service, ['keys', 'rotate-master', ...args], environment);
}

async function runJson(service: TestService, args: readonly string[] = [], environment: Record<string, string> = {}) {
  const { code, stdout, stderr } = await run(service, [...args, '--json'], environment);
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' }, stdout);
  return JSON.parse(stdout);
}

describe('tributary keys rotate-master, with the key in the data folder', () => {
  it('replaces the file under the running service, which keeps working when the old key is retired', async (t) => {
    const { folder, start, stop } = await openDeployment(t);
    const service = await start();
    const check = await leaveTraces(service);
    const old = readMasterKeyFile(folder);
    const { code, stdout, stderr } = await run(service);
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    const now = readMasterKeyFile(folder);
    assert.notEqual(now.fingerprint, old.fingerprint);
    assert.match(stdout, new RegExp(`^The master key is now ${now.fingerprint}, in .*master\\.key\\.`));
    assert.match(stdout, new RegExp(`The old key \\(${old.fingerprint}\\) is retired once`));
    assert.ok(!stdout.includes(readFileSync(join(folder, 'master.key'), 'utf8').trim()), 'the key is not shown');
    assert.equal(statSync(join(folder, 'master.key')).mode & 0o777, 0o600);
    await check(service);

    const early = await run(service, ['--finish']);
    assert.equal(early.code, 1);
    assert.match(early.stderr, new RegExp(`^The master key ${old.fingerprint} was in use within the last two minutes`));
    await pass(service, 3);
    assert.deepEqual(await runJson(service, ['--finish']), { retired: [old.fingerprint] });
    assert.match((await run(service, ['--finish'])).stdout, /^Nothing to finish/);
    await stop();
    const oldText = old.exportSecret().toString('base64');
    await assert.rejects(start({ TRIBUTARY_MASTER_KEY: oldText }), WrongMasterKeyError);
    await check(await start());
  });

  it('uses the given key', async (t) => {
    const { folder, start } = await openDeployment(t);
    const service = await start();
    const hex = randomBytes(32).toString('hex');
    const rotation = await runJson(service, [], { TRIBUTARY_NEW_MASTER_KEY: hex });
    assert.deepEqual([rotation.kept_in, rotation.new_key], ['file', null]);
    assert.equal(readMasterKeyFile(folder).exportSecret().toString('hex'), hex);
    const again = await run(service, [], { TRIBUTARY_NEW_MASTER_KEY: hex });
    assert.equal(again.code, 1);
    assert.match(again.stderr, /is already in use here/);
  });

  it('works while the service is stopped', async (t) => {
    const { folder, start, stop } = await openDeployment(t);
    const service = await start();
    const check = await leaveTraces(service);
    const old = readMasterKeyFile(folder);
    await stop();
    const rotation = await runJson(service);
    assert.equal(rotation.previous, old.fingerprint);
    assert.equal(readMasterKeyFile(folder).fingerprint, rotation.fingerprint);
    await check(await start());
  });
});

describe('tributary keys rotate-master, with the key in the environment', () => {
  it('prints the new key; both keys start the service until the old one is retired', async (t) => {
    const { start, stop } = await openDeployment(t);
    const old = randomBytes(32).toString('base64');
    const service = await start({ TRIBUTARY_MASTER_KEY: old });
    const check = await leaveTraces(service);
    const { code, stdout } = await run(service); // the command needs no key: the service has it
    assert.equal(code, 0);
    const next =
      /^([A-Za-z0-9+/]{43}=)\n\nThis key is shown only once\. Set TRIBUTARY_MASTER_KEY/.exec(stdout)?.[1] ?? '';
    await check(service);
    await stop();
    await check(await start({ TRIBUTARY_MASTER_KEY: old }));
    await stop();
    const renewed = await start({ TRIBUTARY_MASTER_KEY: next });
    await check(renewed);
    await pass(renewed, 3);
    await renewed.running.services.keyKeeper.refresh();
    await stop();
    await assert.rejects(start({ TRIBUTARY_MASTER_KEY: old }), WrongMasterKeyError);
    await check(await start({ TRIBUTARY_MASTER_KEY: next }));
  });

  it('prints the new key while the service is stopped, and rejects the wrong key', async (t) => {
    const { start, stop } = await openDeployment(t);
    const old = randomBytes(32).toString('base64');
    const service = await start({ TRIBUTARY_MASTER_KEY: old });
    await stop();
    const wrong = await run(service, [], { TRIBUTARY_MASTER_KEY: randomBytes(32).toString('base64') });
    assert.equal(wrong.code, 1);
    assert.match(wrong.stderr, /^This database was set up with another master key/);
    const { new_key, kept_in } = await runJson(service, [], { TRIBUTARY_MASTER_KEY: old });
    assert.equal(kept_in, 'environment');
    await start({ TRIBUTARY_MASTER_KEY: new_key });
  });

  it('explains where the key must be if it is missing', async (t) => {
    const { start, stop } = await openDeployment(t);
    const service = await start({ TRIBUTARY_MASTER_KEY: randomBytes(32).toString('base64') });
    await stop();
    const { code, stderr } = await run(service);
    assert.equal(code, 1);
    assert.match(stderr, /has no master key\. Set TRIBUTARY_DATA_DIR/);
  });
});

describe('POST /admin/master-key/rotate', () => {
  it('400 for an invalid key; --help explains the rest', async (t) => {
    const { start } = await openDeployment(t);
    const service = await start();
    const answer = await service.operator().post('/admin/master-key/rotate', { new_key: 'short' });
    assert.equal(answer.status, 400);
    assert.deepEqual(answer.body.details.issues, [{ path: '/new_key', message: 'must be 32 bytes in base64 or hex' }]);
    const help = (await run(service, ['--help'])).stdout;
    for (const word of ['--finish', 'TRIBUTARY_NEW_MASTER_KEY', 'run it again']) assert.ok(help.includes(word), word);
  });
});
