// Nobody reads the output of the service any more, or its disk is full: it continues.
import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { EMPTY_FOLDER, findFreePort, MAIN, openServiceHarness, waitFor } from '../support/service-process.ts';

const LIMIT_MS = 60_000;

describe('closed output', () => {
  for (const options of [[], ['--processes', '2']])
    it(`does not stop serve ${options.join(' ')}`.trimEnd(), async (t) => {
      const harness = await openServiceHarness(t);
      const port = await findFreePort();
      const service = harness.start({
        command: [process.execPath, MAIN, 'serve', ...options],
        environment: { PORT: String(port), TRIBUTARY_LOG_LEVEL: 'debug' },
      });
      service.closeOutput('stdout');
      const isReady = async () =>
        (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.status === 200 || service.hasExited();
      await waitFor('/readyz', LIMIT_MS, isReady);
      assert.equal(service.hasExited(), false, service.stderr());
      service.closeOutput('stderr');
      for (let count = 0; count < 20; count += 1) assert.equal(await isReady(), true); // each is logged
      assert.equal(service.hasExited(), false);
      assert.deepEqual(await service.end('SIGTERM'), { code: 0, signal: null });
    });
});

describe('output to a full disk', { skip: process.platform !== 'linux' && 'needs /dev/full' }, () => {
  for (const options of [[], ['--processes', '2']])
    it(`does not stop serve ${options.join(' ')}, which answers`, async (t) => {
      const harness = await openServiceHarness(t);
      const port = await findFreePort();
      const service = harness.start({
        command: ['sh', '-c', 'exec "$0" "$@" >/dev/full 2>/dev/full', process.execPath, MAIN, 'serve', ...options],
        environment: { PORT: String(port), TRIBUTARY_LOG_LEVEL: 'debug' },
      });
      const call = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`).catch(() => null))?.status;
      await waitFor('/readyz', LIMIT_MS, async () => (await call('/readyz')) === 200 || service.hasExited());
      for (let count = 0; count < 20; count += 1) assert.equal(await call('/v1/users'), 401); // each is logged
      assert.equal(service.hasExited(), false);
      assert.deepEqual(await service.end('SIGTERM'), { code: 0, signal: null });
    });
});

describe('the output of a command', { skip: process.platform !== 'linux' && 'needs ulimit -f' }, () => {
  it('is an error if its file takes only a part', async (t) => {
    const harness = await openServiceHarness(t, EMPTY_FOLDER);
    const file = join(harness.root, 'openapi.json');
    const script = `ulimit -f 2; exec "$0" "$@" > ${file}`;
    const command = harness.run(['sh', '-c', script, process.execPath, MAIN, 'openapi']);
    assert.deepEqual(await command.exited, { code: 1, signal: null });
    assert.match(
      command.stderr(),
      /^The output cannot be written: EFBIG.*\. Raise the size limit of files \(ulimit -f\)\.$/m,
    );
    assert.ok((await stat(file)).size > 0);
  });
});
