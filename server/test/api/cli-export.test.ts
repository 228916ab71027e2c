// Tests the export of an environment into a folder.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
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
  assert.deepEqual(first.counts, { users: 2, removed: 0, files: 2 }, first.stderr);
  assert.deepEqual(readdirSync(folder).sort(), ['export-state.json', `${one.id}.ndjson`, `${two.id}.ndjson`].sort());
  const { text } = await api.get(`/v1/users/${one.id}/export?format=ndjson&resources=samples`);
  assert.ok(text.length > 0 && readFileSync(join(folder, `${one.id}.ndjson`), 'utf8').endsWith(text));
  rmSync(join(folder, `${two.id}.ndjson`));
  await run('--format', 'ndjson');
  assert.ok(!readdirSync(folder).includes(`${two.id}.ndjson`), 'a user without events is not written again');
  await uploadFixture(await startPhone(service, two.id));
  assert.ok((await run('--format', 'ndjson')).counts.users >= 1);
  assert.match(readFileSync(join(folder, `${two.id}.ndjson`), 'utf8'), /"resource":"samples"/);
  await api.delete(`/v1/users/${two.id}`);
  await waitUntil('the file is removed', async () => (await run('--format', 'ndjson')).counts?.removed === 1);
  assert.ok(!readdirSync(folder).includes(`${two.id}.ndjson`));
  const other = await run('--format', 'csv');
  assert.deepEqual([other.code, /another format/.test(other.stderr)], [1, true]);
});
