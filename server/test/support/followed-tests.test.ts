// What the test runner does although it does not follow promises, by comparison with one that does.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { groupTests } from '../../tools/group-tests.ts';

const PRELOADED = pathToFileURL(path.join(import.meta.dirname, 'followed-tests.ts')).href;

const FILE = `
import { after, describe, it } from 'node:test';
const settle = () => new Promise(setImmediate);
await settle();
after(() => console.log('end of NAME'));
describe('a suite', () => {
  after(() => console.log('end of the suite'));
  it('has a hook', async () => {
    await settle();
    after(() => console.log('end of the test'));
  });
  it('comes after the hook', () => console.log('next test'));
});
it('has an unhandled rejection', async () => {
  await settle();
  void (async () => { await null; throw new Error('rejected'); })();
  await settle();
});
it('has an unhandled exception', async () => {
  await settle();
  setTimeout(() => { throw new Error('thrown'); });
  await new Promise((end) => setTimeout(end, 20));
});
it('has an exception of a subtest', async (t) => {
  await settle();
  await t.test('which throws', async () => {
    await settle();
    setImmediate(() => { throw new Error('thrown below'); });
    await new Promise((end) => setTimeout(end, 20));
  });
});
it('passes', settle);
`;

it('runs hooks and attributes errors as the test runner does by itself, in each file of a group', async () => {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'tributary-followed-'));
  const names = [...'abcdefghijkl']; // six groups of two
  const files = names.map((name) => `${name}.test.mjs`);
  for (const name of names) await writeFile(path.join(folder.path, `${name}.test.mjs`), FILE.replace('NAME', name));
  const [group = ''] = await groupTests(folder.path, files, { folder: folder.path, timeoutMs: 60_000 });
  const [followed, plain] = await Promise.all([runTestFile(group, [`--import=${PRELOADED}`]), runTestFile(group, [])]);
  assert.equal(followed, plain);
  assert.match(followed, /end of a[\s\S]*end of b/);
  assert.match(followed, /fail 10\n/);
});

/** The report without its times. */
function runTestFile(file: string, options: readonly string[]): Promise<string> {
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined, NODE_OPTIONS: undefined };
  return new Promise((resolve) => {
    execFile(process.execPath, [...options, '--test', file], { env }, (_, stdout, stderr) =>
      resolve((stdout + stderr).replace(/\(?[\d.]+ms\)?|duration_ms .*/g, '')),
    );
  });
}
