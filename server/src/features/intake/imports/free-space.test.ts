import assert from 'node:assert/strict';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { describe, it, type TestContext } from 'node:test';
import { whileSpaceLeft } from './free-space.ts';
import { ImportError } from './import-error.ts';

const MEGABYTE = 1_048_576;

/** A disk that the file of the test fills. */
function mountDisk(t: TestContext, { free, total }: { free: number; total: number }) {
  const disk = { free };
  t.mock.method(fs, 'statfsSync', () => ({ bavail: disk.free, bsize: MEGABYTE, blocks: total }));
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  return disk;
}

/** Returns the megabytes that were written. */
async function unpack(disk: { free: number }, megabytes: number): Promise<number> {
  const chunk = new Uint8Array(MEGABYTE);
  const bytes = (async function* () {
    for (let count = 0; count < megabytes; count += 1) yield chunk;
  })();
  let written = 0;
  for await (const { length } of whileSpaceLeft(bytes, '.')) {
    disk.free -= length / MEGABYTE;
    written += length / MEGABYTE;
  }
  return written;
}

describe('unpacking a file', () => {
  it('stops before the disk is full', async (t) => {
    const disk = mountDisk(t, { free: 5_000, total: 100_000 });
    await assert.rejects(unpack(disk, 60_000), ImportError);
    assert.ok(disk.free > 1_900 && disk.free < 2_100, String(disk.free));
  });

  it('can use most of a small disk, and a small file is always unpacked', async (t) => {
    const disk = mountDisk(t, { free: 900, total: 1_000 });
    assert.equal(await unpack(disk, 700), 700);
    assert.equal(await unpack(disk, 60), 60);
    await assert.rejects(unpack(disk, 200), ImportError);
  });
});
