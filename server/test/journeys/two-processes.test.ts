// Runs the API and the worker separately with the commands of the README.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { findFreePort, OWN_DATABASE, openServiceHarness, REPOSITORY } from '../support/service-process.ts';
import { createTestDatabase } from '../support/test-database.ts';

const DEFAULT_PORT = '8080';

describe('the Production section of the README', () => {
  it('starts an API and a worker next to each other', async (t) => {
    const harness = await openServiceHarness(t, OWN_DATABASE);
    const database = await createTestDatabase();
    harness.beforeRemoval(() => database.drop());
    const masterKey = randomBytes(32).toString('base64');
    const ports = new Map<string, number>();
    const lines = await readLines();
    assert.equal(lines.length, 2);
    for (const line of lines) {
      const port = /\bPORT=(\d+)/.exec(line)?.[1] ?? DEFAULT_PORT;
      if (!ports.has(port)) ports.set(port, await findFreePort());
      const command = line
        .replace('postgresql://…', `'${database.url}'`)
        .replace('TRIBUTARY_MASTER_KEY=…', `TRIBUTARY_MASTER_KEY='${masterKey}'`)
        .replace(/\bPORT=\d+ /, '')
        .replace('npm run -s tributary --', `${process.execPath} server/tributary.js`); // npm would leave it running for a moment
      assert.ok(!command.includes('…'), command);
      const started = harness.start({
        command: ['/bin/sh', '-c', `exec env ${command}`],
        environment: { PORT: String(ports.get(port)) },
      });
      const { url } = await started.ready();
      assert.equal(new URL(url).port, String(ports.get(port)));
    }
  });
});

async function readLines(): Promise<string[]> {
  const text = await readFile(join(REPOSITORY, 'README.md'), 'utf8');
  const [, chapter = ''] = text.split('## Production');
  const [, commands = ''] = /```sh\n([\s\S]*?)```/.exec(chapter) ?? [];
  return commands
    .replaceAll(/\\\n\s*/g, '')
    .trim()
    .split('\n');
}
