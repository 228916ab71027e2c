// The operator token after a crash: a program that listens on the former port does not get it, and it is no longer valid.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, it } from 'node:test';
import { readServiceAddress } from '../../src/platform/data-folder.ts';
import { callOperatorSocket } from '../../src/platform/operator-socket.ts';
import { MAIN, openServiceHarness, type ServiceHarness } from '../support/service-process.ts';

describe('after a crash', () => {
  it('a program on the former port receives no token, and the next start creates a new one', async (t) => {
    const harness = await openServiceHarness(t);
    const service = await harness.start().ready();
    const address = readAddress(harness);
    const url = new URL(service.url);
    assert.deepEqual(Object.keys(address), [
      'pid',
      'operatorSocket',
      'operatorToken',
      'publicUrl',
      'listenUrl',
      'role',
    ]);
    assert.equal((await runCommand(harness, ['accounts', 'list'])).code, 0);
    await service.end('SIGKILL');

    const received: unknown[] = [];
    const squatter = createServer((request, response) => {
      received.push(request.headers.authorization);
      response.end('{}');
    });
    t.after(() => squatter.close());
    squatter.listen(Number(url.port), url.hostname);
    await once(squatter, 'listening');
    for (const command of [['accounts', 'list'], ['keys', 'rotate-master'], ['doctor']]) {
      const { output } = await runCommand(harness, command);
      assert.doesNotMatch(output, /running, process/);
    }
    assert.match(
      (await runCommand(harness, ['accounts', 'list'])).output,
      /^No service is running on the data folder /,
    );
    assert.deepEqual(received, []);
    assert.equal((await fetch(service.url)).status, 200);
    assert.equal(received.length, 1, 'it listened all the time');

    await harness.start().ready();
    const next = readAddress(harness);
    assert.notEqual(next.operatorToken, address.operatorToken);
    const call = (operatorToken: string) =>
      callOperatorSocket(harness.dataDir, { ...next, operatorToken }, '/admin/accounts', { method: 'GET' });
    assert.equal((await call(address.operatorToken))?.status, 401);
    assert.equal((await call(next.operatorToken))?.status, 200);
  });
});

function readAddress({ dataDir }: ServiceHarness) {
  return readServiceAddress(dataDir) ?? assert.fail('no address');
}

async function runCommand(harness: ServiceHarness, args: readonly string[]) {
  const command = harness.run([process.execPath, MAIN, ...args], {
    TRIBUTARY_DATA_DIR: harness.dataDir,
    PORT: '0',
  });
  const { code } = await command.exited;
  return { code, output: command.stdout() + command.stderr() };
}
