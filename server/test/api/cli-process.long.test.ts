// Runs the tributary command as a process to test main.ts. The commands themselves are tested in cli.long.test.ts.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { spawnCli, startCliProcess } from '../support/cli-process.ts';
import { MAIN } from '../support/service-process.ts';
import { startTestService } from '../support/test-service.ts';

const service = await startTestService();
after(() => service.stop());

describe('the command as a process', () => {
  it('exits with 0 and the result on standard output, or with 1 and the reason on standard error', async () => {
    const done = await spawnCli(service, ['accounts', 'list', '--json']);
    assert.deepEqual([done.code, done.stderr], [0, '']);
    assert.equal(JSON.parse(done.stdout)[0].name, 'default');
    const refused = await spawnCli(service, ['accounts', 'create', '--name', 'default']);
    assert.deepEqual(refused, { code: 1, stdout: '', stderr: 'This name is taken. Choose another name.\n' });
  });

  it('says that its output could not be written, and ends quietly if nobody reads it', async (t) => {
    const full = await open('/dev/full', 'w').catch(() => null);
    t.after(() => full?.close());
    for (const [stdout, code, message] of [
      [full?.fd, 1, /^The output cannot be written: ENOSPC.*\n$/],
      ['pipe', 0, /^$/],
    ] as const) {
      if (stdout === undefined) continue; // only Linux has a disk that is always full
      const child = spawn(process.execPath, [MAIN, 'openapi'], { stdio: ['ignore', stdout, 'pipe'] });
      child.stdout?.destroy();
      const stderr = child.stderr === null ? '' : await text(child.stderr);
      if (child.exitCode === null) await once(child, 'exit');
      assert.equal(child.exitCode, code, stderr);
      assert.match(stderr, message);
    }
  });

  it('reads a secret from a pipe', async () => {
    const args = ['providers', 'set', 'oura', '--client-id', 'abc'];
    const done = await spawnCli(service, args, {}, 'secret-of-the-pipe\n');
    assert.equal(done.code, 0, done.stderr);
    assert.doesNotMatch(done.stdout + done.stderr, /of-the-pipe/);
    const empty = await spawnCli(service, args);
    assert.equal(empty.code, 1);
    assert.match(empty.stderr, /The client secret is empty/);
  });

  it('exits with 0 and a last line when Ctrl-C interrupts a running command', async (t) => {
    const tail = startCliProcess(t, service, ['events', 'tail']);
    await tail.waitForOutput(/Following the events of default, sandbox/);
    assert.equal(await tail.interrupt(), 0);
    assert.match(tail.stderr(), /\n0 events\.\n$/);
  });
});
