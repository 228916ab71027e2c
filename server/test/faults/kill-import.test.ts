// kill -9 during an import: of the command, and of the service that imports an uploaded file. The import continues, and every read
// is as after an import that nobody interrupted.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { assertSameState } from '../support/assert-same-state.ts';
import {
  apiOf,
  MAIN,
  openServiceHarness,
  queryEmbedded,
  type ReadyService,
  type ServiceHarness,
  waitFor,
} from '../support/service-process.ts';
import type { JsonBody, TestApi } from '../support/test-api.ts';
import { memberApi } from '../support/test-members.ts';
import { createUser } from '../support/test-users.ts';
import { createRandom } from './random.ts';

const SEED = Number(process.env.FAULT_SEED ?? 1);
const SOURCES = 24;
const LIMIT_MS = 60_000;
const COMMAND_KILLS = 2;
const DAY = '2026-03-09';

/** Each source makes a batch. */
function makeExport(): string {
  const records = Array.from({ length: SOURCES }, (_, source) =>
    Array.from({ length: 30 }, (_, minute) => {
      const at = `${DAY} ${String(8 + (source % 12)).padStart(2, '0')}:${String(minute).padStart(2, '0')}:00 +0100`;
      return `<Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch ${source}" unit="count/min" startDate="${at}" endDate="${at}" value="${60 + ((source + minute) % 40)}"/>`;
    }).join('\n'),
  );
  return `<?xml version="1.0"?>\n<HealthData>\n${records.join('\n')}\n</HealthData>\n`;
}

describe('kill -9 during an import', () => {
  it('continues where it was, and ends with the same reads', async (t) => {
    const harness = await openServiceHarness(t);
    const random = createRandom(t, SEED);
    const file = join(harness.root, 'export.xml');
    writeFileSync(file, makeExport());
    let service = await harness.start().ready();
    const key = service.keys.live;
    const cookie = await becomeOwner(service);
    const newUser = async () => (await createUser(apiOf(service, key), { timezone: 'Europe/Berlin' })).id as string;
    const [whole, byCommand, byUpload] = [await newUser(), await newUser(), await newUser()];

    const reference = runImport(harness, file, whole);
    assert.equal((await reference.exited).code, 0, reference.stderr());
    for (let kill = 0; kill < COMMAND_KILLS; kill += 1) {
      const command = runImport(harness, file, byCommand);
      const wanted = kill * 8 + random.integer(1, 6);
      await waitFor('stored batches', LIMIT_MS, async () => command.hasExited() || readBatches(harness) >= wanted);
      await command.end('SIGKILL');
    }
    assert.ok(readBatches(harness) < SOURCES, 'the command was killed before its end');
    const last = runImport(harness, file, byCommand);
    assert.equal((await last.exited).code, 0, last.stderr());
    assert.match(last.stderr(), /Continuing an interrupted import/);

    await startUpload(service, cookie, byUpload, file);
    const wanted = random.integer(1, 10);
    await waitFor('stored batches', LIMIT_MS, async () => readUploadedBatches(harness) >= wanted);
    await service.end('SIGKILL');
    assert.ok(readUploadedBatches(harness) < SOURCES, 'the service was killed before the end of the import');
    service = await harness.start().ready();
    const path = `/dashboard/api/live/users/${byUpload}/imports`;
    const ended = await waitFor('the end of the import', LIMIT_MS, async () => {
      const { current } = (await memberApi(service, cookie).get(path)).body;
      return current.status === 'running' ? null : current;
    });
    assert.deepEqual(
      [ended.status, ended.records, ended.accepted, ended.duplicates, ended.rejected],
      ['done', SOURCES * 30, SOURCES * 30, 0, 0],
      JSON.stringify(ended),
    );

    await waitFor('all scores', LIMIT_MS, async () => {
      const waiting = await queryEmbedded(harness.dataDir, "select 1 from scoring_queue where days <> '{}' limit 1");
      return waiting.length === 0;
    });
    const expected = await readAll(apiOf(service, key), whole);
    assert.ok(expected.exported.length >= SOURCES, JSON.stringify(expected.exported[0]));
    assertSameState(await readAll(apiOf(service, key), byCommand), expected, 'the killed command');
    assertSameState(await readAll(apiOf(service, key), byUpload), expected, 'the killed service');
  });
});

function runImport(harness: ServiceHarness, file: string, userId: string) {
  return harness.run([process.execPath, MAIN, 'import', file, '--user', userId], {
    TRIBUTARY_DATA_DIR: harness.dataDir,
  });
}

function readBatches({ dataDir }: ServiceHarness): number {
  const folder = join(dataDir, 'imports');
  if (!existsSync(folder)) return 0;
  const file = readdirSync(folder).find((name) => name.endsWith('.json'));
  return file === undefined ? 0 : countBatches(join(folder, file));
}

function readUploadedBatches({ dataDir }: ServiceHarness): number {
  const folder = join(dataDir, 'imports');
  const account = readdirSync(folder).find((name) => existsSync(join(folder, name, 'active')));
  return account === undefined ? 0 : countBatches(join(folder, account, 'active', 'position.json'));
}

function countBatches(path: string): number {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).counts.batches : 0;
}

/** With the link of the banner. */
async function becomeOwner(service: ReadyService): Promise<string> {
  const token = /\/dashboard\S*[#?/]([\w-]{20,})/.exec(service.stdout())?.[1] ?? '';
  const body = { token, email: 'owner@example.org', name: 'Owner', password: 'a long enough passphrase' };
  const { status, text, headers } = await memberApi(service, null).post('/dashboard/api/welcome', body);
  assert.equal(status, 200, text);
  return (headers.get('set-cookie') ?? '').split(';')[0] ?? '';
}

async function startUpload(service: ReadyService, cookie: string, userId: string, file: string): Promise<void> {
  const bytes = readFileSync(file);
  const path = `/dashboard/api/live/users/${userId}/imports`;
  const begun = await memberApi(service, cookie).post(path, { file_name: 'export.xml', size_bytes: bytes.length });
  assert.equal(begun.status, 200, begun.text);
  const sent = await fetch(`${service.url}${path}/${begun.body.id}/parts/0`, {
    method: 'PUT',
    headers: { cookie, 'content-type': 'application/octet-stream', 'x-tributary': 'dashboard', origin: service.url },
    body: bytes,
  });
  assert.equal(sent.status, 200);
}

/** Everything that is stored, with the names of the devices instead of their ids, and without times of processing. */
async function readAll(api: TestApi, userId: string) {
  const { data } = (await api.get(`/v1/users/${userId}/devices`)).body as { data: { id: string; name: string }[] };
  const read = async (path: string) => {
    const { status, text } = await api.get(`/v1/users/${userId}${path}`, { headers: { 'api-form': '2' } });
    assert.equal(status, 200, text);
    return data.reduce((named, { id, name }) => named.replaceAll(id, name), text);
  };
  const exported = (await read('/export?format=ndjson')).trim().split('\n');
  const daily = await read(`/daily?types=heart_rate&from_date=${DAY}&to_date=${DAY}&include_sources=true`);
  return {
    names: data.map(({ name }) => name).sort(),
    exported: exported.map((line) => JSON.parse(line, withoutOwn) as JsonBody),
    daily: JSON.parse(daily, withoutOwn) as JsonBody,
  };
}

function withoutOwn(name: string, value: unknown): unknown {
  return name === 'id' || name === 'user_id' || name.endsWith('_at') ? undefined : value;
}
