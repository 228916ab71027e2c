// COROS takes the access token in the query string: no log line, trace or stored row may contain it.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { after, it } from 'node:test';
import type { DeviceId, UserId } from '../../src/domain/tenancy.ts';
import { openAccount } from '../../src/features/clouds/provider-accounts/index.ts';
import { listAppsById } from '../../src/features/clouds/provider-apps/index.ts';
import { beginConnecting, walkThroughConsent } from '../support/connect-account.ts';
import { searchDatabase } from '../support/search-database.ts';
import { startTestService } from '../support/test-service.ts';
import { createSandboxUser } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';

const traces: string[] = [];
const collector = createServer(async (request, response) => {
  traces.push((await buffer(request)).toString());
  response.end('{}');
});
collector.listen(0, '127.0.0.1');
await once(collector, 'listening');
const address = collector.address();
const port = typeof address === 'object' && address !== null ? address.port : 0;
const logLines: string[] = [];
const service = await startTestService({
  logLines,
  environment: { TRIBUTARY_BACKFILL_DAYS: '3', OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` },
});
let stopping: Promise<unknown> | null = null;
const stop = () => {
  stopping ??= service.stop();
  return stopping;
};
after(async () => {
  await stop();
  collector.closeAllConnections();
  collector.close();
});

it('a token in the query appears in no log, trace or row', async () => {
  const api = service.api(service.keys.sandbox);
  const { services } = service.running;
  const { id: userId } = await createSandboxUser(service);
  const { id: deviceId, auth_url } = await beginConnecting(api, userId, 'coros');
  assert.match((await walkThroughConsent(auth_url)).text, /is connected/);
  const [app] = await listAppsById(services, 'coros', 'sandbox');
  const opened = await openAccount(services, app ?? assert.fail('no application'), {
    userId: userId as UserId,
    deviceId: deviceId as DeviceId,
  });
  if (!('account' in opened)) return assert.fail(JSON.stringify(opened));
  const { accessToken, refreshToken } = opened.account;
  await waitUntil(
    'a page was stored',
    async () => (await services.db.query('select 1 from raw_payloads where user_id = $1', [userId])).length > 0,
    30_000,
  );
  const secrets = { accessToken, refreshToken: refreshToken ?? assert.fail('no refresh token') };
  assert.deepEqual(await searchDatabase(services.db, secrets), []);
  await stop(); // exports the last spans
  assert.ok(
    traces.some((text) => text.includes('provider')),
    'requests were traced',
  );
  for (const [name, secret] of Object.entries(secrets)) {
    assert.ok(!logLines.some((line) => line.includes(secret)), `${name} in the log`);
    assert.ok(!traces.some((text) => text.includes(secret)), `${name} in a trace`);
  }
});
