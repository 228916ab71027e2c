import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { groupTests } from './group-tests.ts';

const root = await mkdtemp(path.join(tmpdir(), 'group-tests-'));
after(() => rm(root, { recursive: true }));

async function group(texts: Record<string, string>): Promise<string[]> {
  for (const [file, text] of Object.entries(texts)) {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true });
    await writeFile(path.join(root, file), text);
  }
  return groupTests(root, Object.keys(texts), { folder: root, timeoutMs: 1_000 });
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `server/src/${index}.test.ts`);

describe('grouping test files', () => {
  it('runs every file once, several per process', async () => {
    const files = numbered(100);
    const programs = await group(Object.fromEntries(files.map((file) => [file, ''])));
    const texts = await Promise.all(programs.map((program) => readFile(program, 'utf8')));
    const listed = texts.flatMap((text) => [...text.matchAll(/test\("(.*?)"/g)].map(([, file]) => file));
    assert.equal(programs.length, 7);
    assert.deepEqual(listed.sort(), files.sort());
  });

  it('makes at least six groups of few files', async () => {
    const programs = await group(Object.fromEntries(numbered(24).map((file) => [file, ''])));
    assert.equal(programs.length, 6);
  });

  it('runs files with a database first: they take longest', async () => {
    const [first] = await group({
      ...Object.fromEntries(numbered(16).map((f) => [f, ''])),
      ...{ 'server/test/a.test.ts': '', 'server/test/b.test.ts': '' },
    });
    assert.match(await readFile(first ?? '', 'utf8'), /test\("server\/test\/a\.test\.ts"/);
  });

  it('leaves tests of faults alone that start processes', async () => {
    const texts = [
      `import { spawn } from 'node:child_process';`,
      `import { openServiceHarness } from '../support/service-process.ts';`,
      `import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/index.ts';`,
    ];
    const files = texts.map((text, index) => [`server/test/faults/${index}.test.ts`, text] as const);
    assert.deepEqual(
      await group(Object.fromEntries(files)),
      files.map(([file]) => file),
    );
  });

  it('groups tests of faults within one process', async () => {
    const files = Array.from({ length: 12 }, (_, index) => `server/test/faults/failpoints-${index}.test.ts`);
    const text = `import { startTestService } from '../support/test-service.ts';`;
    assert.equal((await group(Object.fromEntries(files.map((file) => [file, text])))).length, 6);
  });

  it('leaves a file alone that has a hook before all its tests, and a single file', async () => {
    const hooked = `before(async () => {\n});\n`;
    assert.deepEqual(await group({ 'server/src/hooked.test.ts': hooked, 'server/src/a.test.ts': '' }), [
      'server/src/hooked.test.ts',
      'server/src/a.test.ts',
    ]);
  });
});
