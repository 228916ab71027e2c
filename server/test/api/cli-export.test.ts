// Tests the export of an environment into a folder.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { describeFault } from '../../src/cli/export-folder.ts';
import { uploadFixture } from '../golden/fixture.ts';
import { runCli } from '../support/run-cli.ts';
import { startPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { createUser } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';

const service = await startTestService();
const folder = mkdtempSync(join(tmpdir(), 'tributary-export-'));
after(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});
const api = service.api();
const run = async (...args: string[]) => {
  const environment = { TRIBUTARY_URL: service.url, TRIBUTARY_API_KEY: service.keys.live };
  const outcome = await runCli(service, ['export', '--json', '--to', folder, ...args], environment);
  return { ...outcome, counts: outcome.code === 0 ? JSON.parse(outcome.stdout) : null };
};

it('tributary export writes all users, then only those with events since, and removes deleted ones', async () => {
  const [one, two] = [await createUser(api, {}), await createUser(api, {})];
  await uploadFixture(await startPhone(service, one.id));
  const first = await run('--format', 'ndjson', '--environment', 'live');
  assert.deepEqual(first.counts, { users: 2, removed: 0, files: 2, failed: 0, restricted_files: 0 }, first.stderr);
  assert.deepEqual(readdirSync(folder).sort(), ['export-state.json', `${one.id}.ndjson`, `${two.id}.ndjson`].sort());
  const { text } = await api.get(`/v1/users/${one.id}/export?format=ndjson&resources=samples`);
  assert.ok(text.length > 0 && readFileSync(join(folder, `${one.id}.ndjson`), 'utf8').endsWith(text));
  writeFileSync(join(folder, `${two.id}.ndjson`), 'as before');
  await waitUntil('no more events', async () => (await run('--format', 'ndjson')).counts.users === 0);
  assert.equal(readFileSync(join(folder, `${two.id}.ndjson`), 'utf8'), 'as before');
  await uploadFixture(await startPhone(service, two.id));
  await waitUntil('its file is written again', async () => {
    assert.equal((await run('--format', 'ndjson')).code, 0);
    return readFileSync(join(folder, `${two.id}.ndjson`), 'utf8').includes('"resource":"samples"');
  });
  await api.delete(`/v1/users/${two.id}`);
  await waitUntil('the file is removed', async () => (await run('--format', 'ndjson')).counts?.removed === 1);
  assert.ok(!readdirSync(folder).includes(`${two.id}.ndjson`));
  for (const args of [[], ['--since', 'any']]) {
    const other = await run('--format', 'csv', ...args);
    assert.deepEqual([other.code, /another format/.test(other.stderr)], [1, true]);
  }
});

it('tributary export removes the files of a user who stopped sharing, and writes them again on return', async () => {
  const { db } = service.running.services;
  const { id } = await createUser(api, {});
  await uploadFixture(await startPhone(service, id));
  const to = join(folder, 'tables');
  const args = ['--format', 'csv', '--resources', 'daily,sleep', '--to', to];
  assert.equal((await run(...args)).code, 0);
  const file = join(to, 'daily', `${id}.csv`);
  assert.deepEqual(
    [to, join(to, 'daily'), file].map((path) => statSync(path).mode & 0o777),
    [0o700, 0o700, 0o600],
  );
  writeFileSync(`${file}.partial`, 'interrupted');
  writeFileSync(join(to, 'daily', 'notes.csv'), 'of somebody else');
  await db.query("update users set status = 'unshared', unshared_at = now() where id = $1", [id]);
  assert.equal((await run(...args)).counts.removed, 1);
  assert.deepEqual(listNames(to, id), []);
  assert.ok(existsSync(join(to, 'daily', 'notes.csv')));
  await db.query("update users set status = 'active', unshared_at = null where id = $1", [id]);
  writeFileSync(`${file}.partial`, 'interrupted');
  assert.ok((await run(...args)).counts.users >= 1);
  assert.deepEqual(listNames(to, id), [join('daily', `${id}.csv`), join('sleep', `${id}.csv`)]);
  await db.query("update users set status = 'unshared', unshared_at = now() where id = $1", [id]);
  assert.equal((await run(...args, '--user', id)).code, 1);
  assert.deepEqual(listNames(to, id), [], 'a user that is not found');
});

it('tributary export rejects an ID that is not a UUID and a resource that does not exist', async () => {
  assert.match((await run('--format', 'ndjson', '--user', '../other')).stderr, /not the ID of a user/);
  const { id } = await createUser(api, {});
  assert.match((await run('--format', 'csv', '--resources', '../naps', '--user', id)).stderr, /must be a list of/);
});

it('tributary export retries a download that breaks, goes on with other users, and repeats a failed one later', async () => {
  const ids = [randomUUID(), randomUUID(), randomUUID()] as const;
  const [broken, cutOnce] = ids;
  const calls: string[] = [];
  let isBroken = true;
  const server = createServer(({ url = '' }, response) => {
    const json = (body: object) => response.end(JSON.stringify(body));
    if (url.startsWith('/v1/events')) return json({ events: [], cursor: 'end', has_more: false });
    if (url.startsWith('/v1/users?')) return json({ data: ids.map((id) => ({ id })), next_cursor: null });
    const id = url.split('/')[3] ?? '';
    calls.push(id);
    response.write('line\n');
    const isCut = (id === broken && isBroken) || (id === cutOnce && calls.indexOf(id) === calls.length - 1);
    if (isCut) setTimeout(() => response.destroy(), 20);
    else response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const to = join(folder, 'broken');
  const args = ['export', '--json', '--to', to, '--format', 'bundle'];
  const environment = { TRIBUTARY_URL: url, TRIBUTARY_API_KEY: 'sk_live_any' };
  const first = await runCli(service, args, environment);
  assert.deepEqual(
    [first.code, JSON.parse(first.stdout)],
    [1, { users: 2, removed: 0, files: 2, failed: 1, restricted_files: 0 }],
  );
  assert.match(first.stderr, new RegExp(`user ${broken} failed.*\n.*of 1 user failed`));
  assert.deepEqual(listNames(to, ''), [...ids.slice(1).map((id) => `${id}.bundle.ndjson`), 'export-state.json'].sort());
  assert.equal(calls.filter((id) => id === broken).length, 3);
  writeFileSync(join(to, `${broken}.bundle.ndjson`), 'of an earlier run');
  isBroken = false;
  const second = await runCli(service, args, environment);
  assert.deepEqual([second.code, JSON.parse(second.stdout).users], [0, 1], second.stderr);
  assert.equal(readFileSync(join(to, `${broken}.bundle.ndjson`), 'utf8'), 'line\n');
  assert.equal(JSON.parse((await runCli(service, args, environment)).stdout).users, 0);
});

it('tributary export writes all users again once the events since the last export have expired', async () => {
  const ids = [randomUUID(), randomUUID()] as const;
  let isExpired = false;
  const server = createServer(({ url = '' }, response) => {
    const json = (body: object) => response.end(JSON.stringify(body));
    if (url.startsWith('/v1/events')) {
      if (!isExpired || !url.includes('cursor=old')) return json({ events: [], cursor: 'old', has_more: false });
      response.statusCode = 410;
      return json({ error: 'cursor_expired', message: 'The cursor is too old.', details: {} });
    }
    if (url.startsWith('/v1/users?')) return json({ data: ids.map((id) => ({ id })), next_cursor: null });
    response.end('line\n');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const args = ['export', '--json', '--to', join(folder, 'expired'), '--format', 'ndjson'];
  const environment = { TRIBUTARY_URL: url, TRIBUTARY_API_KEY: 'sk_live_any' };
  const users = async () => JSON.parse((await runCli(service, args, environment)).stdout).users;
  assert.deepEqual([await users(), await users()], [2, 0]);
  isExpired = true;
  const asText = args.filter((arg) => arg !== '--json');
  const again = await runCli(service, asText, environment);
  assert.deepEqual([again.code, again.stdout], [0, 'Exported 2 users in 2 files, removed 0.\n']);
  assert.match(again.stderr, /All users are exported again/);
  assert.match((await runCli(service, [...args, '--since', 'old'], environment)).stderr, /too old/);
});

it('tributary export runs once at a time per target, and removes the files of a killed one', async () => {
  const to = join(folder, 'twice');
  const args = ['--format', 'ndjson', '--resources', 'samples', '--to', to];
  const { id } = await createUser(api, {});
  await uploadFixture(await startPhone(service, id));
  const runs = await Promise.all([1, 2, 3].map(() => run(...args)));
  const refused = runs.filter(({ code }) => code !== 0);
  assert.ok(refused.length < runs.length);
  for (const { stderr } of refused) assert.match(stderr, /Another export writes to .*Nothing was changed/);
  assert.ok(!existsSync(join(to, 'export-lock.json')));
  const { text } = await api.get(`/v1/users/${id}/export?format=ndjson&resources=samples`);
  assert.equal(readFileSync(join(to, `${id}.ndjson`), 'utf8'), text);
  const killed = join(to, `${id}.ndjson.${process.pid}-0011aabb.partial`);
  const [alive, notes] = [join(to, `${id}.ndjson.${process.ppid}-0011aabb.partial`), join(to, 'notes.partial')];
  for (const file of [killed, alive, notes]) writeFileSync(file, 'interrupted');
  assert.equal((await run(...args)).code, 0);
  assert.deepEqual([existsSync(killed), existsSync(alive), existsSync(notes)], [false, true, true]);
});

it('tributary export explains a folder that it cannot use', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  assert.match((await run('--format', 'ndjson', '--to', file)).stderr, /is not a folder/);
  const to = join(folder, 'damaged');
  mkdirSync(to);
  writeFileSync(join(to, 'export-state.json'), '{"format":');
  assert.match((await run('--format', 'ndjson', '--to', to)).stderr, /export-state.json in .* is damaged/);
  const full = describeFault(to, Object.assign(new Error('write'), { code: 'ENOSPC' }));
  assert.match((full as Error).message, /The disk of .* is full/);
  const link = join(folder, 'link');
  symlinkSync(join(folder, 'missing'), link);
  assert.match(
    (await run('--format', 'ndjson', '--to', link)).stderr,
    /link is a symbolic link that leads to no folder\. Correct the symbolic link, or use another target\./,
  );
  const large = describeFault(to, Object.assign(new Error('EFBIG: file too large, write'), { code: 'EFBIG' }));
  assert.equal(
    (large as Error).message,
    `${to} cannot be written: EFBIG: file too large, write. Raise the size limit of files (ulimit -f), or use another target.`,
  );
});

function listNames(to: string, userId: string): string[] {
  return (readdirSync(to, { recursive: true }) as string[]).filter((name) => name.includes(userId)).sort();
}
