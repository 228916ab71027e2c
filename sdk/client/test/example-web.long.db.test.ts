// Runs examples/web with a service: the page and its files, the chart's data, a connection, and its webhook.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { it, type TestContext } from 'node:test';
import { walkThroughConsent } from '../../../server/test/support/connect-account.ts';
import type { JsonBody } from '../../../server/test/support/test-api.ts';
import { startTestService, type TestService } from '../../../server/test/support/test-service.ts';
import { waitUntil } from '../../../server/test/support/wait-until.ts';

const START = resolve(import.meta.dirname, '../../../examples/web/start.js');
const LIMIT_MS = 60_000;

async function startExample(t: TestContext, service: TestService): Promise<string> {
  const env = { ...process.env, TRIBUTARY_URL: service.url, TRIBUTARY_API_KEY: service.keys.sandbox, PORT: '0' };
  const child: ChildProcess = spawn(process.execPath, [START], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  t.after(async () => {
    if (child.exitCode === null && child.kill()) await once(child, 'close');
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output += chunk;
    });
  return waitUntil(
    'the example',
    () => {
      assert.equal(child.exitCode, null, output);
      return output.match(/Open (http\S+)/)?.[1];
    },
    LIMIT_MS,
  );
}

it('examples/web shows a chart, connects a device and receives its webhooks', async (t) => {
  const service = await startTestService({ environment: { TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS: '1' } });
  t.after(() => service.stop());
  const app = await startExample(t, service);
  const read = async (path: string, init?: RequestInit): Promise<JsonBody> => (await fetch(app + path, init)).json();

  for (const file of ['/', '/page.js', '/chart.js', '/style.css', '/connect/index.js', '/connect/connect.js'])
    assert.equal((await fetch(app + file)).status, 200, file);
  assert.equal((await fetch(`${app}/connect/../server.js`)).status, 404);

  const { drawChart } = await import(resolve(START, '../public/chart.js'));
  const steps = await read('/api/steps');
  assert.equal(steps.dates.length, 14);
  assert.ok(steps.values.some((value: number | null) => value !== null && value > 0));
  assert.equal([...drawChart(steps).matchAll(/<rect/g)].length, 14);

  const { auth_url } = await read('/api/connect-link?provider=oura', { method: 'POST' });
  const landed = await walkThroughConsent(auth_url);
  assert.match(landed.text + landed.location, /connected/i);
  const events = async (): Promise<{ event_type: string }[]> => read('/api/events');
  await waitUntil(
    'the webhook of the connection',
    async () => (await events()).some(({ event_type }) => event_type === 'device.connected'),
    LIMIT_MS,
  );

  const forged = await fetch(`${app}/webhooks`, { method: 'POST', body: '{}', headers: { 'webhook-id': 'e1' } });
  assert.equal(forged.status, 400);
});
