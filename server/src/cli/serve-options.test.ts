import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runCli } from './run-cli.ts';

async function run(...args: string[]): Promise<{ code: number; stderr: string }> {
  let stderr = '';
  const code = await runCli({
    argv: ['serve', ...args],
    environment: {},
    stdout: () => undefined,
    stderr: (text) => {
      stderr += text;
    },
    readSecret: async () => '',
    onStopSignal: () => undefined,
    onReloadSignal: () => undefined,
    exitNow: (status) => assert.fail(`the command ended the process with ${status}`),
  });
  return { code, stderr };
}

describe('serve --processes', () => {
  it('rejects anything but a number from 1 to 64 or auto', async () => {
    for (const text of ['0', '65', '-1', '1.5', 'all']) {
      const { code, stderr } = await run(`--processes=${text}`);
      assert.equal(code, 1, text);
      assert.match(stderr, /Set it to a number from 1 to 64, or to auto\./);
    }
  });

  it('rejects several processes of a worker', async () => {
    const { code, stderr } = await run('--only', 'worker', '--processes', '2');
    assert.equal(code, 1);
    assert.match(stderr, /--only worker is always one process\./);
  });
});
