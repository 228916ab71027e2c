// What the test runner still does although it does not follow promises.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { groupTests } from '../../tools/group-tests.ts';

const PRELOADED = pathToFileURL(path.join(import.meta.dirname, 'untracked-promises.ts')).href;
const UNHANDLED = {
  'a rejection': `void (async () => { await null; throw new Error('unhandled'); })();`,
  'an exception': `await null; setTimeout(() => { throw new Error('unhandled'); });`,
};

for (const [what, work] of Object.entries(UNHANDLED))
  it(`fails the file of ${what} that no test handles, and prints its stack`, async () => {
    await using folder = await mkdtempDisposable(path.join(tmpdir(), 'tributary-unhandled-'));
    const file = path.join(folder.path, 'some.test.mjs');
    const body = `await new Promise(setImmediate); ${work} await new Promise((end) => setTimeout(end, 20));`;
    await writeFile(file, `import { it } from 'node:test';\nit('passes', async () => { ${body} });\n`);
    const { code, output } = await runTestFile(file);
    assert.equal(code, 1, output);
    assert.match(output, /unhandled: Error: unhandled\n +at .*some\.test\.mjs/);
  });

it('runs the hooks of each file of a group when that file has ended', async () => {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'tributary-groups-'));
  const names = [...'abcdefghijkl']; // six groups of two
  for (const name of names) {
    const body = `await new Promise(setImmediate); after(() => console.log('end of ${name}'));\nit('passes', () => console.log('test of ${name}'));`;
    await writeFile(path.join(folder.path, `${name}.test.mjs`), `import { after, it } from 'node:test';\n${body}\n`);
  }
  const files = names.map((name) => `${name}.test.mjs`);
  const [group = ''] = await groupTests(folder.path, files, { folder: folder.path, timeoutMs: 60_000 });
  const { output } = await runTestFile(group);
  assert.deepEqual(output.match(/(test|end) of ./g), ['test of a', 'end of a', 'test of b', 'end of b']);
});

async function runTestFile(file: string): Promise<{ code: unknown; output: string }> {
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined, TEST_TRACK_PROMISES: undefined };
  return await new Promise((resolve) => {
    execFile(process.execPath, [`--import=${PRELOADED}`, '--test', file], { env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    );
  });
}
