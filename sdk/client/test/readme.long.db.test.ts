// Runs every example of the README against a service.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';
import { startTestService } from '../../../server/test/support/test-service.ts';
import { waitUntil } from '../../../server/test/support/wait-until.ts';

const README = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
const CLIENT = pathToFileURL(join(import.meta.dirname, '../src/index.ts')).href;
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

const service = await startTestService();
const folder = await mkdtemp(join(tmpdir(), 'tributary-readme-'));
const EXPORT = join(folder, 'export.ndjson');
after(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

function findExamples(): { heading: string; code: string }[] {
  return [...README.matchAll(/```js\n([\s\S]*?)```/g)].map((found) => {
    const [, heading = ''] = README.slice(0, found.index).match(/[\s\S]*\n## (.*)/) ?? [];
    const code = (found[1] ?? '').replaceAll("'@tributary/client'", `'${CLIENT}'`);
    return { heading, code: code.replace("'export.ndjson'", JSON.stringify(EXPORT)) };
  });
}

async function save(code: string): Promise<string> {
  const file = join(folder, `example-${performance.now()}.mjs`);
  await writeFile(file, code);
  return file;
}

/** In this process, which is faster; returns what it prints. */
async function run(t: TestContext, code: string): Promise<string> {
  const log = t.mock.method(console, 'log', () => undefined);
  Object.assign(process.env, { TRIBUTARY_URL: service.url, TRIBUTARY_API_KEY: service.keys.sandbox });
  await import(pathToFileURL(await save(code)).href);
  return log.mock.calls.map((call) => format(...(call.arguments as unknown[]))).join('\n');
}

/** What the examples under a heading print. */
const PRINTS: Record<string, RegExp> = {
  Errors: /^true\nno such user$/,
  'Retries, timeouts, abort': /^\d+$/,
  Browsers: /recovery_score/,
};

describe('the README', () => {
  const examples = findExamples();
  it('has examples', () => assert.ok(examples.length >= 8));

  for (const { heading, code } of examples.filter((example) => !example.code.includes('createServer')))
    it(`runs: ${heading}`, async (t) => {
      const output = await run(t, code);
      const expected = PRINTS[heading];
      if (expected) assert.match(output, expected);
    });

  it('writes the export', async () => {
    const lines = (await readFile(EXPORT, 'utf8')).trimEnd().split('\n');
    const resources = new Set(lines.map((line) => JSON.parse(line).resource));
    assert.deepEqual([...resources], ['daily', 'sleep']);
  });

  it('runs: Webhooks', async () => {
    const [example] = examples.filter(({ code }) => code.includes('createServer'));
    const port = await findFreePort();
    const env = { PORT: String(port), TRIBUTARY_WEBHOOK_SECRET: SECRET };
    const child = spawn(process.execPath, [await save(example?.code ?? '')], { env, stdio: 'ignore' });
    try {
      const url = `http://127.0.0.1:${port}/`;
      await waitUntil('the receiver', () => fetch(url, { method: 'POST', body: '{}' }).catch(() => null), 30_000);
      assert.equal((await fetch(url, { method: 'POST', body: '{}' })).status, 400);
      assert.equal((await fetch(url, { method: 'POST', ...sign('{"event_type":"data.updated"}') })).status, 204);
    } finally {
      child.kill();
      await once(child, 'close');
    }
  });
});

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function sign(body: string): { body: string; headers: Record<string, string> } {
  const at = String(Math.floor(Date.now() / 1_000));
  const key = Buffer.from(SECRET.slice(6), 'base64');
  const signature = `v1,${createHmac('sha256', key).update(`e1.${at}.${body}`).digest('base64')}`;
  return { body, headers: { 'webhook-id': 'e1', 'webhook-timestamp': at, 'webhook-signature': signature } };
}
