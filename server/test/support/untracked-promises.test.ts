// An error that no test handles fails the run, although the test runner does not follow promises.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { it } from 'node:test';
import { pathToFileURL } from 'node:url';

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
    const env = { ...process.env, NODE_TEST_CONTEXT: undefined, TEST_TRACK_PROMISES: undefined };
    const { code, output } = await new Promise<{ code: unknown; output: string }>((resolve) => {
      execFile(process.execPath, [`--import=${PRELOADED}`, '--test', file], { env }, (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, output: stdout + stderr }),
      );
    });
    assert.equal(code, 1, output);
    assert.match(output, /unhandled: Error: unhandled\n +at .*some\.test\.mjs/);
  });
