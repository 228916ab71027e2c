// A generated file is written only when it changed, and never by a check.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, it } from 'node:test';
import { generateFile } from './generate.ts';
import { generatedFiles } from './generated-files.ts';

let root = '';
before(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'generate-'));
});
after(async () => {
  await rm(root, { recursive: true });
});

it('writes a file once, and again when its text changed', async () => {
  const file = (text: string) => ({ path: 'docs/a.md', make: async () => text });
  assert.equal(await generateFile(root, file('one'), 'check'), 'stale');
  await assert.rejects(stat(path.join(root, 'docs')), { code: 'ENOENT' });
  assert.equal(await generateFile(root, file('one'), 'write'), 'stale');
  assert.equal(await generateFile(root, file('one'), 'write'), 'fresh');
  assert.equal(await generateFile(root, file('one'), 'check'), 'fresh');
  assert.equal(await generateFile(root, file('two'), 'check'), 'stale');
  assert.equal(await readFile(path.join(root, 'docs/a.md'), 'utf8'), 'one');
});

it('rejects a generator whose text differs between runs', async () => {
  let run = 0;
  const file = { path: 'unsteady.md', make: async () => `run ${run++}` };
  assert.equal(await generateFile(root, file, 'write'), 'unsteady');
  await assert.rejects(stat(path.join(root, 'unsteady.md')), { code: 'ENOENT' });
});

it('lists every path once', () => {
  const paths = generatedFiles.map((file) => file.path);
  assert.equal(new Set(paths).size, paths.length);
});
