// A restore of an older backup returns the data of its time, without anything that was deleted or revoked since.
import assert from 'node:assert/strict';
import { mkdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { formatMasterKey } from '../../src/platform/crypto/master-key.ts';
import { readMasterKeyFile } from '../../src/platform/data-folder.ts';
import { runCli } from '../support/run-cli.ts';
import type { JsonBody, TestApi } from '../support/test-api.ts';
import { createEmptyDatabase } from '../support/test-database.ts';
import { submitForm } from '../support/test-pages.ts';
import { createRosterSide, newAddress, ROSTER } from '../support/test-roster.ts';
import { startTestService } from '../support/test-service.ts';
import { createUser } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';

async function waitForLines(file: string, kind: string, count: number): Promise<void> {
  await waitUntil(`${count} lines of ${kind}`, async () => {
    const text = await readFile(file, 'utf8').catch(() => '');
    return text.split(`"${kind}"`).length > count;
  });
}

it('a restore deletes again the users, accounts and keys that were deleted after the backup', async (t) => {
  const original = await startTestService();
  t.after(() => original.stop());
  const { dataDir } = original.config;
  const [kept, erased] = [await createUser(original.api()), await createUser(original.api())];
  const operator = original.operator();
  await operator.post('/admin/accounts', { name: 'acme' });
  const [revoked, ofAcme] = [
    (await operator.post('/admin/keys', { account: 'default', environment: 'live', name: 'old' })).body,
    (await operator.post('/admin/keys', { account: 'acme', environment: 'live' })).body,
  ];
  const made = await runCli(original, ['backup', join(dataDir, 'kept'), '--json']);
  assert.equal(made.code, 0, made.stderr);
  const { path } = JSON.parse(made.stdout);

  assert.equal((await original.api().delete(`/v1/users/${erased.id}`)).status, 202);
  const deleted = await runCli(original, ['accounts', 'delete', '--account', 'acme', '--confirm', 'acme']);
  assert.equal(deleted.code, 0, deleted.stderr);
  assert.equal((await runCli(original, ['keys', 'revoke', revoked.id])).code, 0);

  const empty = await createEmptyDatabase();
  const restored = await runCli(original, ['restore', path, '--json'], { DATABASE_URL: empty.url });
  assert.equal(restored.code, 0, restored.stderr);
  assert.deepEqual(JSON.parse(restored.stdout).tombstones, { read: 3, users: 1, accounts: 1, keys: 1, unshared: 0 });

  const masterKey = formatMasterKey(readMasterKeyFile(dataDir));
  const service = await startTestService({ databaseUrl: empty.url, environment: { TRIBUTARY_MASTER_KEY: masterKey } });
  t.after(async () => {
    await service.stop();
    await empty.drop();
  });
  const api = service.api(original.keys.live);
  assert.equal((await api.get(`/v1/users/${kept.id}`)).status, 200);
  assert.equal((await api.get(`/v1/users/${erased.id}`)).status, 404);
  for (const { key } of [revoked, ofAcme]) assert.notEqual((await service.api(key).get('/v1/users')).status, 200);
  await waitUntil('the erasure', async () => {
    const rows = await service.running.services.db.query('select 1 from users where id = $1', [erased.id]);
    return rows.length === 0;
  });
  const again = await runCli(service, ['tombstones', 'apply', join(dataDir, 'tombstones.jsonl')], {
    DATABASE_URL: empty.url,
    TRIBUTARY_MASTER_KEY: masterKey,
  });
  assert.match(again.stdout, /No tombstone applies/, again.stderr);
  const missing = await runCli(service, ['tombstones', 'apply', 'nowhere.jsonl'], { TRIBUTARY_MASTER_KEY: masterKey });
  assert.match(missing.stderr, /nowhere\.jsonl does not exist/);
});

it('a restore ends sharing again for persons who left or were removed after the backup, not for those who returned', async (t) => {
  const printed: string[] = [];
  const original = await startTestService({ printedLines: printed });
  t.after(() => original.stop());
  const { dataDir } = original.config;
  const api = original.api();
  const roster = createRosterSide(api, printed);
  const emails = [newAddress(), newAddress(), newAddress(), newAddress()] as const;
  const [left, removed, resumed, invited] = [
    await roster.join(emails[0]),
    await roster.join(emails[1]),
    await roster.join(emails[2]),
    await roster.join(emails[3]),
  ];
  const made = await runCli(original, ['backup', join(dataDir, 'kept'), '--json']);
  assert.equal(made.code, 0, made.stderr);

  const decide = async ({ portalLink, id }: JsonBody, decision: string) =>
    assert.equal((await submitForm(portalLink, { member: id, decision })).status, 200);
  await decide(left, 'stop_now');
  await decide(resumed, 'stop_now');
  await decide(resumed, 'resume');
  for (const { id } of [removed, invited]) assert.equal((await api.delete(`${ROSTER}/${id}`)).status, 204);
  assert.equal((await roster.join(emails[3])).user_id, invited.user_id);
  await waitForLines(join(dataDir, 'tombstones.jsonl'), 'user_returned', 2);
  const read = (client: TestApi) =>
    Promise.all(
      [left, removed, resumed, invited].map(async (one) => (await client.get(`/v1/users/${one.user_id}`)).status),
    );
  assert.deepEqual(await read(api), [404, 404, 200, 200]);

  const empty = await createEmptyDatabase();
  const restored = await runCli(original, ['restore', JSON.parse(made.stdout).path, '--json'], {
    DATABASE_URL: empty.url,
  });
  assert.equal(restored.code, 0, restored.stderr);
  assert.deepEqual(JSON.parse(restored.stdout).tombstones, { read: 6, users: 0, accounts: 0, keys: 0, unshared: 2 });
  const masterKey = formatMasterKey(readMasterKeyFile(dataDir));
  const service = await startTestService({ databaseUrl: empty.url, environment: { TRIBUTARY_MASTER_KEY: masterKey } });
  t.after(async () => {
    await service.stop();
    await empty.drop();
  });
  assert.deepEqual(await read(service.api(original.keys.live)), [404, 404, 200, 200]);
});

it('a restore accepts the tombstones of a service that has erased nobody', async (t) => {
  const original = await startTestService();
  t.after(() => original.stop());
  const { dataDir } = original.config;
  const made = await runCli(original, ['backup', join(dataDir, 'kept'), '--json']);
  assert.equal(made.code, 0, made.stderr);
  const empty = await createEmptyDatabase();
  t.after(() => empty.drop());
  const restored = await runCli(
    original,
    ['restore', JSON.parse(made.stdout).path, '--tombstones', join(dataDir, 'tombstones.jsonl'), '--json'],
    { DATABASE_URL: empty.url },
  );
  assert.equal(restored.code, 0, restored.stderr);
  assert.equal(JSON.parse(restored.stdout).tombstones.read, 0);
});

it('an end of sharing gets its line later if the file cannot be written at once', async (t) => {
  const printed: string[] = [];
  const service = await startTestService({ printedLines: printed });
  t.after(() => service.stop());
  const file = join(service.config.dataDir, 'tombstones.jsonl');
  const roster = createRosterSide(service.api(), printed);
  const [removed, left] = [await roster.join(newAddress()), await roster.join(newAddress())];
  await rm(file);
  await mkdir(file); // as a full disk
  assert.equal((await service.api().delete(`${ROSTER}/${removed.id}`)).status, 204);
  for (const decision of ['stop_now', 'resume'])
    assert.equal((await submitForm(left.portalLink, { member: left.id, decision })).status, 200);
  await rmdir(file);
  for (const kind of ['user_removed', 'user_left', 'user_returned']) await waitForLines(file, kind, 1);
});

it('a restore keeps sharing that began again before the backup, also if the line of the return is lost', async (t) => {
  const printed: string[] = [];
  const original = await startTestService({ printedLines: printed });
  t.after(() => original.stop());
  const { dataDir } = original.config;
  const roster = createRosterSide(original.api(), printed);
  const [email, stopped] = [newAddress(), newAddress()];
  const [removed, left] = [await roster.join(email), await roster.join(stopped)];
  assert.equal((await original.api().delete(`${ROSTER}/${removed.id}`)).status, 204);
  assert.equal((await roster.join(email)).user_id, removed.user_id);
  for (const decision of ['stop_now', 'resume'])
    assert.equal((await submitForm(left.portalLink, { member: left.id, decision })).status, 200);
  const made = await runCli(original, ['backup', join(dataDir, 'kept'), '--json']);
  assert.equal(made.code, 0, made.stderr);

  const file = join(dataDir, 'tombstones.jsonl');
  await waitForLines(file, 'user_returned', 2);
  const lines = (await readFile(file, 'utf8')).split('\n');
  await writeFile(file, lines.filter((line) => !line.includes('user_returned')).join('\n'));
  const empty = await createEmptyDatabase();
  t.after(() => empty.drop());
  const restored = await runCli(original, ['restore', JSON.parse(made.stdout).path, '--json'], {
    DATABASE_URL: empty.url,
  });
  assert.equal(restored.code, 0, restored.stderr);
  assert.deepEqual(JSON.parse(restored.stdout).tombstones, { read: 2, users: 0, accounts: 0, keys: 0, unshared: 0 });
});
