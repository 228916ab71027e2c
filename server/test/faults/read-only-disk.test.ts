// The disk with the data folder becomes read-only, as Linux does after an error of the disk: a stop still ends at once.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import {
  apiOf,
  awaitNoDatabase,
  isRoot,
  MAIN,
  OWN_DATABASE,
  openServiceHarness,
  type ServiceHarness,
  waitFor,
} from '../support/service-process.ts';
import { copyTemplateFolder } from '../support/template-folder.ts';

const run = promisify(execFile);
const DISK_BYTES = 300 * 1_048_576;
const START_LIMIT_MS = 30_000;
const OUTAGE_LIMIT_MS = 30_000;
const STOP_LIMIT_MS = 15_000; // otherwise a stop takes one to three seconds

describe('a disk that becomes read-only', { skip: isRoot ? false : 'only root can mount a file system' }, () => {
  for (const [name, processes, command] of [
    ['one process', 1, ['serve']],
    ['a group of processes', 3, ['serve', '--processes', '2']],
  ] as const)
    it(`does not delay the stop of ${name} after the database has ended`, async (t) => {
      const harness = await openServiceHarness(t, OWN_DATABASE);
      if (!(await mountDisk(harness))) return t.skip('this machine does not allow mounting a file');
      const service = await harness.start({ command: [process.execPath, MAIN, ...command] }).ready();
      const countReady = () => service.stderr().split('"msg":"ready"').length - 1;
      await waitFor('all processes', START_LIMIT_MS, async () => countReady() === processes);
      await makeReadOnly(harness.dataDir);
      const api = apiOf(service);
      await waitFor('a refusal', OUTAGE_LIMIT_MS, async () => {
        const { status } = await api.post('/v1/users', { reference_id: 'a' });
        return status === 503 && service.stderr().includes('restarting it');
      });
      const startedMs = performance.now();
      assert.deepEqual(await service.end('SIGTERM'), { code: 0, signal: null });
      assert.ok(performance.now() - startedMs < STOP_LIMIT_MS, service.stderr());
      assert.doesNotMatch(service.stderr(), /stopping took too long/);
    });

  it('does not delay the stop while the database still runs', async (t) => {
    const harness = await openServiceHarness(t, OWN_DATABASE);
    if (!(await mountDisk(harness))) return t.skip('this machine does not allow mounting a file');
    const service = await harness.start().ready();
    await makeReadOnly(harness.dataDir);
    const startedMs = performance.now();
    assert.deepEqual(await service.end('SIGTERM'), { code: 0, signal: null });
    assert.ok(performance.now() - startedMs < STOP_LIMIT_MS, service.stderr());
    await awaitNoDatabase(harness.dataDir);
  });
});

async function mountDisk({ root, dataDir, beforeRemoval }: ServiceHarness): Promise<boolean> {
  const image = join(root, 'disk');
  const file = await open(image, 'w');
  await file.truncate(DISK_BYTES);
  await file.close();
  await mkdir(dataDir);
  try {
    await run('mkfs.ext4', ['-q', image]);
    await run('mount', ['-o', 'loop,errors=remount-ro', image, dataDir]);
  } catch {
    return false;
  }
  beforeRemoval(() => run('umount', [dataDir]));
  await copyTemplateFolder(dataDir);
  return true;
}

/** As if the kernel had found an error in the file system. A remount would be refused, because files are open. */
async function makeReadOnly(dataDir: string): Promise<void> {
  await run('mount', ['-o', 'remount,abort', dataDir]);
  await assert.rejects(writeFile(join(dataDir, 'probe'), ''), { code: 'EROFS' });
}
