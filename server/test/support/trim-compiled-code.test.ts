import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { trimCompiledCode } from './trim-compiled-code.ts';

const OURS = `${process.version}-${process.arch}-0a1b2c3d-0`;
const OLDER = `v1.2.3-${process.arch}-0a1b2c3d-0`;

function makeCache(t: TestContext, folders: Readonly<Record<string, number>>): string {
  const cache = mkdtempSync(path.join(tmpdir(), 'tributary-compiled-'));
  t.after(() => rmSync(cache, { recursive: true }));
  for (const [name, bytes] of Object.entries(folders)) {
    mkdirSync(path.join(cache, name));
    for (const half of ['one', 'other']) writeFileSync(path.join(cache, name, half), Buffer.alloc(bytes / 2));
  }
  return cache;
}

describe('trimCompiledCode', () => {
  it('keeps a small cache of this Node', (t) => {
    const cache = makeCache(t, { [OURS]: 2_000_000 });
    assert.deepEqual(trimCompiledCode(cache, 2_000_000), []);
    assert.deepEqual(readdirSync(cache), [OURS]);
  });

  it('removes a large cache', (t) => {
    const cache = makeCache(t, { [OURS]: 4_000_000 });
    assert.deepEqual(trimCompiledCode(cache, 2_000_000), [
      'removed compiled code of earlier runs: 4 MB is more than 2',
    ]);
    assert.deepEqual(readdirSync(cache), []);
  });

  it('removes the cache of another Node', (t) => {
    const cache = makeCache(t, { [OURS]: 2, [OLDER]: 2 });
    const [line, ...others] = trimCompiledCode(cache);
    assert.match(line ?? '', /: v1\.2\.3-.* is not of v/);
    assert.deepEqual([others, readdirSync(cache)], [[], [OURS]]);
  });

  it('keeps a cache that this Node has just written, and accepts a missing one', (t) => {
    const cache = makeCache(t, {});
    assert.deepEqual(trimCompiledCode(path.join(cache, 'none')), []);
    const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE: cache };
    execFileSync(process.execPath, [import.meta.filename.replace('.test.ts', '.ts')], { env });
    const made = readdirSync(cache);
    assert.equal(made.length, 1);
    assert.deepEqual(trimCompiledCode(cache), []);
    assert.deepEqual(readdirSync(cache), made);
  });
});
