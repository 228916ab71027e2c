// The data folder is on a small file system that fills up: writes fail with proper errors, reads work, nothing is lost.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  apiOf,
  assertUnavailable,
  isRoot,
  OWN_DATABASE,
  openServiceHarness,
  queryEmbedded,
  type ReadyService,
  type ServiceHarness,
  waitFor,
} from '../support/service-process.ts';
import { copyTemplateFolder } from '../support/template-folder.ts';
import type { Answer } from '../support/test-api.ts';

const run = promisify(execFile);
const DISK_MB = 120; // a new cluster takes about 65 MB, including two write-ahead log segments
const RECOVERY_LIMIT_MS = 30_000;
const CHUNK_BYTES = 1_048_576;

describe('a full disk', { skip: isRoot ? false : 'only root can mount a small file system' }, () => {
  it('rejects writes with proper errors, serves reads, and works again when there is space, without a restart', async (t) => {
    const harness = await openServiceHarness(t, OWN_DATABASE);
    await mkdir(harness.dataDir);
    if (!(await mountSmallDisk(harness))) return t.skip('this machine does not allow mounting a tmpfs');
    await copyTemplateFolder(harness.dataDir);
    const service = await harness.start().ready();
    const acknowledged: string[] = [];
    const filler = join(harness.dataDir, 'filler');

    await fillDisk(filler);
    await writeUntilRefused(service, acknowledged);
    assert.equal((await apiOf(service).get('/v1/users')).status, 200, 'reads still work');
    assert.equal((await apiOf(service).get('/readyz')).status, 200);
    t.diagnostic(`${acknowledged.length} writes succeeded before the first rejection`);
    await rm(filler);
    await awaitWritable(service, acknowledged);

    // The worst case: without space for the write-ahead log PostgreSQL shuts down.
    await fillDisk(filler);
    await exhaustLog(harness.dataDir, () => service.stderr().includes('restarting it'));
    await waitFor('a refusal', RECOVERY_LIMIT_MS, async () => (await write(service, acknowledged)).status === 503);
    assert.equal(service.hasExited(), false);
    assert.equal((await apiOf(service).get('/healthz')).status, 200);
    await rm(filler);
    const roomMs = performance.now();
    await awaitWritable(service, acknowledged);
    t.diagnostic(`writable ${Math.round(performance.now() - roomMs)} ms after space was freed`);

    const rows = await queryEmbedded<{ id: string }>(harness.dataDir, 'select id from users');
    const stored = new Set(rows.map((row) => row.id));
    assert.equal(rows.length, stored.size);
    for (const id of acknowledged) assert.ok(stored.has(id), 'acknowledged and stored');
    assert.deepEqual(await service.end('SIGTERM'), { code: 0, signal: null });

    await fillDisk(filler);
    const blocked = harness.start();
    await blocked.refused();
    assert.match(blocked.stderr(), /No space left on device|ENOSPC|disk is full/i);
    assert.doesNotMatch(blocked.stderr(), /\n +at /, 'fails without a crash');
    await rm(filler);
    const next = await harness.start().ready();
    assert.equal((await apiOf(next, service.keys.live).get('/v1/users')).body.meta.total, acknowledged.length);
  });
});

async function mountSmallDisk({ dataDir, beforeRemoval }: ServiceHarness): Promise<boolean> {
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m,mode=0711`, 'tmpfs', dataDir]);
  } catch {
    return false;
  }
  beforeRemoval(() => run('umount', [dataDir]));
  return true;
}

async function fillDisk(path: string): Promise<void> {
  const file = await open(path, 'w');
  const fill = async (bytes: number) => {
    const chunk = Buffer.alloc(bytes);
    for (;;) if ((await file.write(chunk)).bytesWritten < bytes) return;
  };
  try {
    for (const bytes of [CHUNK_BYTES, 4_096]) await fill(bytes).catch(expectNoSpace);
  } finally {
    await file.close();
  }
}

function expectNoSpace(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOSPC') throw error;
}

/** 20 KB of incompressible data: a few hundred of them fill every free page. */
async function write(service: ReadyService, acknowledged: string[]): Promise<Answer> {
  const metadata = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [`k${i}`, randomBytes(250).toString('hex')]),
  );
  const answer = await apiOf(service).post('/v1/users', { reference_id: randomBytes(8).toString('hex'), metadata });
  if (answer.status === 201) acknowledged.push(answer.body.data.id);
  else if (answer.status === 429) await delay(20);
  else assertUnavailable(answer);
  return answer;
}

async function writeUntilRefused(service: ReadyService, acknowledged: string[]): Promise<void> {
  await waitFor('a rejection', RECOVERY_LIMIT_MS, async () => (await write(service, acknowledged)).status === 503);
}

async function awaitWritable(service: ReadyService, acknowledged: string[]): Promise<void> {
  await waitFor(
    'a write that works',
    RECOVERY_LIMIT_MS,
    async () => (await write(service, acknowledged)).status === 201,
  );
}

/** Switches log segments until none can be created, and the server has crashed and restarted. */
async function exhaustLog(dataDir: string, hasRestarted: () => boolean): Promise<void> {
  const text = `select pg_logical_emit_message(true, 'filler', repeat('x', 4000000)), pg_switch_wal()`;
  await waitFor('the end of the log', RECOVERY_LIMIT_MS, async () => {
    await queryEmbedded(dataDir, text).catch(() => undefined); // other errors of a full disk may come first
    return hasRestarted();
  });
}
