import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { DAY_MS } from '../../domain/time/durations.ts';
import type { CopySource } from './contents.ts';
import { writeBackup } from './write-backup.ts';

const CONTENTS = {
  version: '1.2.3',
  at: '2026-03-09T10:15:00.123Z',
  postgres: '18.4',
  masterKeys: [],
  migrations: [],
  tables: [{ name: 'public.users', columns: ['id'] }],
  partitions: [],
};

function makeSource(stream: () => Readable): CopySource {
  return {
    contents: CONTENTS,
    openTable: () => ({ stream: stream(), rows: () => 1 }),
    listSequences: async () => [],
  };
}

describe('writing a backup', () => {
  it('names it by its time, and removes the folders of killed backups but not of running ones', async (t) => {
    const parent = await mkdtemp(join(tmpdir(), 'tributary-write-'));
    t.after(() => rm(parent, { recursive: true }));
    const mine = hostname();
    const running = [`.unfinished-${process.ppid}`, `.unfinished-${mine}-${process.ppid}`];
    // Two containers can have the same process id.
    const elsewhere = `.unfinished-other-machine-${process.pid}`;
    const killed = ['.unfinished-999999999', `.unfinished-${mine}-999999999`, '.unfinished-third-machine-1'];
    for (const name of [...running, elsewhere, ...killed])
      await mkdir(join(parent, name, 'tables'), { recursive: true });
    const long = new Date(Date.now() - 2 * DAY_MS);
    await utimes(join(parent, '.unfinished-third-machine-1', 'tables'), long, long);
    const { path } = await writeBackup(
      parent,
      makeSource(() => Readable.from([Buffer.from('rows')])),
    );
    assert.equal(path, join(parent, 'tributary-20260309T101500Z'));
    assert.deepEqual((await readdir(parent)).sort(), [...running, elsewhere, 'tributary-20260309T101500Z'].sort());
    const again = writeBackup(
      parent,
      makeSource(() => Readable.from([Buffer.from('rows')])),
    );
    await assert.rejects(again, /exists already\. Wait a second/);
  });

  it('on a full disk leaves nothing and says what to do', async (t) => {
    const parent = await mkdtemp(join(tmpdir(), 'tributary-write-'));
    t.after(() => rm(parent, { recursive: true }));
    const full = Object.assign(new Error('no space left'), { code: 'ENOSPC', syscall: 'write' });
    const source = makeSource(() => new Readable({ read: (): void => undefined }).destroy(full));
    await assert.rejects(
      writeBackup(parent, source),
      /was not written: the disk is full\. Free space, or name a folder/,
    );
    assert.deepEqual(await readdir(parent), []);
  });

  for (const [code, advice] of [
    ['EFBIG', 'Raise the size limit of files (ulimit -f), or name another folder.'],
    ['EROFS', 'Make the file system writable, or name another folder.'],
    ['EIO', 'Check the disk, or name another folder.'],
    ['EMFILE', 'Raise the limit of open files (ulimit -n), or name another folder.'],
  ] as const)
    it(`says what to do about ${code}`, async (t) => {
      const parent = await mkdtemp(join(tmpdir(), 'tributary-write-'));
      t.after(() => rm(parent, { recursive: true }));
      const error = Object.assign(new Error(`${code}: cause, write`), { code, syscall: 'write' });
      const source = makeSource(() => new Readable({ read: (): void => undefined }).destroy(error));
      await assert.rejects(writeBackup(parent, source), {
        message: `The backup ${join(parent, 'tributary-20260309T101500Z')} was not written: ${code}: cause, write. ${advice}`,
      });
      assert.deepEqual(await readdir(parent), []);
    });
});
