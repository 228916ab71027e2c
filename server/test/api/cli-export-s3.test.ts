// Tests the export of an environment into S3-compatible storage, and that an export never touches the files of another account.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { uploadFixture } from '../golden/fixture.ts';
import { runCli } from '../support/run-cli.ts';
import { startS3Server } from '../support/s3-server.ts';
import { startPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { createAccount, createUser } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';

const service = await startTestService();
const storage = await startS3Server();
const folder = mkdtempSync(join(tmpdir(), 'tributary-export-'));
after(async () => {
  await service.stop();
  await storage.stop();
  rmSync(folder, { recursive: true });
});
const api = service.api();
const run = (key: string, ...args: string[]) =>
  runCli(service, ['export', ...args], {
    TRIBUTARY_URL: service.url,
    TRIBUTARY_API_KEY: key,
    ...storage.environment,
  });
const TO = ['--to', 's3://bucket/daily/exports'];
const keys = () => [...storage.objects.keys()].sort();
const listUnscored = (userId: string) =>
  service.running.services.db.query(`select 1 from scoring_queue where user_id = $1 and days <> '{}'`, [userId]);

it('tributary export writes to a bucket, repeats users after an interruption, and removes deleted ones', async () => {
  const [one, two] = [await createUser(api), await createUser(api)];
  await uploadFixture(await startPhone(service, one.id));
  await waitUntil('the days are scored', async () => (await listUnscored(one.id)).length === 0); // later it would change the daily values
  const args = [...TO, '--format', 'csv', '--resources', 'daily'];
  storage.fault = ({ method, path }) => (method === 'PUT' && path.endsWith('.csv') ? 403 : null);
  const refused = await run(service.keys.live, ...args);
  assert.deepEqual([refused.code, /The storage refused PUT s3:\/\/bucket\//.test(refused.stderr)], [1, true]);
  assert.deepEqual(keys(), ['daily/exports/export-state.json']);
  assert.equal(readState().cursor, null);
  let slow = 1;
  storage.fault = () => (slow-- > 0 ? 503 : null);
  const first = await run(service.keys.live, ...args);
  assert.deepEqual([first.code, first.stdout], [0, 'Exported 2 users in 2 files, removed 0.\n'], first.stderr);
  const [file] = [`daily/exports/daily/${one.id}.csv`];
  assert.deepEqual(keys(), [file, `daily/exports/daily/${two.id}.csv`, 'daily/exports/export-state.json'].sort());
  assert.match(storage.log.findLast((line) => line.startsWith('PUT ')) ?? '', /export-state.json/);
  await waitUntil('no more events', async () =>
    (await run(service.keys.live, ...args)).stdout.startsWith('Exported 0'),
  );
  const { text } = await api.get(`/v1/users/${one.id}/export?format=csv&resources=daily`);
  assert.equal(storage.objects.get(file)?.toString(), text);
  await api.delete(`/v1/users/${one.id}`);
  await waitUntil('the object is removed', async () => {
    await run(service.keys.live, ...args);
    return !storage.objects.has(file);
  });
});

function readState() {
  return JSON.parse(storage.objects.get('daily/exports/export-state.json')?.toString() ?? '{}');
}

it('tributary export refuses the bucket and the folder of another account, and changes nothing there', async () => {
  const other = await createAccount(service);
  const before = keys();
  const { id } = await createUser(api);
  const mine = join(folder, 'mine');
  assert.equal((await run(service.keys.live, '--to', mine, '--format', 'ndjson')).code, 0);
  const names = readdirSync(mine);
  assert.ok(names.includes(`${id}.ndjson`));
  for (const args of [[], ['--since', 'any'], ['--user', id]]) {
    const refused = await run(other.live, '--to', mine, '--format', 'ndjson', ...args);
    assert.deepEqual([refused.code, /another account/.test(refused.stderr)], [1, true]);
    assert.deepEqual(readdirSync(mine), names, args.join(' '));
  }
  storage.uploads.set('mine', { key: `daily/exports/daily/${id}.csv`, parts: new Map() });
  const bucket = await run(other.live, ...TO, '--format', 'csv', '--resources', 'daily');
  assert.ok(storage.uploads.has('mine'), 'parts of the other account');
  assert.deepEqual([bucket.code, /another account/.test(bucket.stderr)], [1, true]);
  assert.deepEqual(keys(), before);
  rmSync(join(mine, 'export-state.json'));
  const unknown = await run(other.live, '--to', mine, '--format', 'ndjson');
  assert.match(unknown.stderr, /has files of users that this account does not have/);
  assert.ok(readdirSync(mine).includes(`${id}.ndjson`));
});

it('tributary export removes its own unfinished parts, and no other uploads of the bucket', async () => {
  const owner = await createAccount(service);
  const { id } = await createUser(service.api(owner.live));
  storage.uploads.clear();
  storage.uploads.set('own', { key: `${id}.ndjson`, parts: new Map() });
  storage.uploads.set('foreign', { key: 'backups/database.tar', parts: new Map() });
  const done = await run(owner.live, '--to', 's3://bucket', '--format', 'ndjson');
  assert.equal(done.code, 0, done.stderr);
  assert.deepEqual([...storage.uploads.keys()], ['foreign']);
});

it('tributary export explains a target that it cannot use', async () => {
  const fails = async (to: string, more: Record<string, string>, ...args: string[]) => {
    const environment = {
      TRIBUTARY_URL: service.url,
      TRIBUTARY_API_KEY: service.keys.live,
      ...storage.environment,
      ...more,
    };
    const { code, stderr } = await runCli(service, ['export', '--format', 'ndjson', '--to', to, ...args], environment);
    assert.equal(code, 1);
    return stderr;
  };
  assert.match(await fails('s3://B!/x', {}), /not a target such as s3:\/\/bucket\/folder/);
  assert.match(await fails('s3://bucket/../x', {}), /not a target/);
  assert.match(await fails('s3://bucket', { AWS_SECRET_ACCESS_KEY: '' }), /Set AWS_SECRET_ACCESS_KEY/);
  assert.match(await fails('s3://bucket', {}, '--endpoint', 'http://storage.example.com'), /must be an https URL/);
});

it('tributary export accepts variables with a line break at the end, and treats empty ones as not set', async () => {
  const { live } = await createAccount(service);
  const padded = Object.entries({ TRIBUTARY_URL: service.url, TRIBUTARY_API_KEY: live, ...storage.environment });
  const done = await runCli(service, ['export', '--to', 's3://bucket/padded', '--format', 'ndjson'], {
    ...Object.fromEntries(padded.map(([name, value]) => [name, `${value}\n`])),
    AWS_REGION: '',
    AWS_DEFAULT_REGION: storage.environment.AWS_REGION ?? '',
    AWS_SESSION_TOKEN: '',
  });
  assert.deepEqual([done.code, done.stderr], [0, '']);
});
