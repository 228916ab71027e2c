import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { acquireOwnerLock } from './owner-lock.ts';

async function makeHome(t: TestContext): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'tributary-lock-'));
  t.after(() => rm(home, { recursive: true }));
  return home;
}

describe('acquireOwnerLock', () => {
  it('has one owner, and another after its release', async (t) => {
    const home = await makeHome(t);
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => acquireOwnerLock(home)));
    const held = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    assert.equal(held.length, 1);
    await assert.rejects(acquireOwnerLock(home), /in use by a running service/);
    await held[0]?.release();
    await (await acquireOwnerLock(home)).release();
    assert.deepEqual(await readdir(home), []);
  });

  it('replaces a lock whose owner has ended, whose PID was reused, or whose file is damaged', async (t) => {
    const home = await makeHome(t);
    const leftovers = [
      JSON.stringify({ pid: 2 ** 22 + 1, identity: 'long gone' }),
      JSON.stringify({ pid: process.pid, identity: 'an earlier process with our number' }),
      '{"pid":',
      '',
    ];
    for (const content of leftovers) {
      await writeFile(join(home, 'owner.json'), content);
      await (await acquireOwnerLock(home)).release();
    }
  });

  it('can be read by the user of the service if root has left it', async (t) => {
    const home = await makeHome(t);
    const before = process.umask(0o077);
    t.after(() => process.umask(before));
    const lock = await acquireOwnerLock(home);
    assert.equal((await stat(join(home, 'owner.json'))).mode & 0o777, 0o644);
    await lock.release();
  });
});
