// Customers who registered the same application at a provider: each uses its own secret, and provider webhooks concern all of
// them.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, describe, it } from 'node:test';
import {
  dropClient,
  FIRST_WEBHOOK_VERSION,
  keepClient,
  listAppsById,
  openAppOf,
  type ProviderApp,
  verificationTokenOf,
} from '../../src/features/clouds/provider-apps/index.ts';
import { findProvider } from '../../src/providers/registry.ts';
import { type Connected, openTestCloud } from '../support/test-cloud.ts';

const OPERATORS = { TRIBUTARY_WHOOP_CLIENT_ID: 'operators', TRIBUTARY_WHOOP_CLIENT_SECRET: 'operators secret' };
const cloud = await openTestCloud({ after }, OPERATORS);
const { services, clock } = cloud;
const oura = findProvider('oura') ?? assert.fail();
const whoop = findProvider('whoop') ?? assert.fail();
const recordNothing = async () => undefined;

/** A user of a new customer, connected through the customer's application. */
async function connectThrough(clientId: string, clientSecret: string, providerUserId: string) {
  const connected = await cloud.connect('oura', { providerUserId });
  const { accountId } = connected.user.tenant;
  const app = await keepClient(services, accountId, oura, { clientId, clientSecret }, recordNothing);
  for (const table of ['provider_accounts', 'synced_devices'])
    await cloud.query(`update ${table} set app_id = $2 where user_id = $1`, [connected.user.userId, app.id]);
  return { ...connected, app };
}

function notify(app: ProviderApp, providerUserId: string, clientSecret: string): Promise<Response> {
  const event = { event_type: 'update', data_type: 'workout', object_id: 'w-1', user_id: providerUserId };
  const body = JSON.stringify({ ...event, event_time: '2026-03-01T11:00:00+00:00' });
  const time = String(Math.floor(clock.now().getTime() / 1_000));
  const signature = createHmac('sha256', clientSecret)
    .update(time + body)
    .digest('hex');
  const headers = { 'x-oura-signature': signature, 'x-oura-timestamp': time, 'content-type': 'application/json' };
  return cloud.notify('oura', {
    app: app.id,
    secret: verificationTokenOf(services, app, FIRST_WEBHOOK_VERSION),
    body,
    headers,
  });
}

async function listDevicesWithTasks(): Promise<Set<string>> {
  const rows = await cloud.query<{ device_id: string }>(`select device_id from sync_tasks where kind = 'one'`);
  return new Set(rows.map(({ device_id }) => device_id));
}

const secretFor = async ({ user, app }: Connected & { app: ProviderApp }) =>
  (await openAppOf(services, { provider: 'oura', appId: app.id, tenant: user.tenant }))?.client.clientSecret;

describe('an application that two customers registered', () => {
  for (const [signed, secret] of [
    ['with the secret of the first', 'first secret'],
    ['with that of the second', 'second secret'],
  ] as const)
    it(`accepts a webhook signed ${signed} for the users of both`, async () => {
      const providerUser = `user, webhook ${signed}`;
      const first = await connectThrough('shared', 'first secret', providerUser);
      const second = await connectThrough('shared', 'second secret', providerUser);
      const other = await connectThrough('shared', 'second secret', `another user, webhook ${signed}`);
      assert.equal(first.app.id, second.app.id);
      assert.equal((await notify(first.app, providerUser, secret)).status, 200);
      assert.equal((await notify(first.app, providerUser, 'guessed')).status, 401);
      assert.equal(await cloud.processWebhooks(), 1);
      const devices = await listDevicesWithTasks();
      assert.deepEqual(
        [first, second, other].map(({ device }) => devices.has(device.id)),
        [true, true, false],
      );
    });

  it('requests data with the secret of the own customer only', async () => {
    const first = await connectThrough('each its own', 'first secret', 'one');
    const second = await connectThrough('each its own', 'second secret', 'two');
    assert.deepEqual([await secretFor(first), await secretFor(second)], ['first secret', 'second secret']);
    await dropClient(services, second.user.tenant.accountId, oura, recordNothing);
    assert.deepEqual([await secretFor(first), await secretFor(second)], ['first secret', undefined]);
    await dropClient(services, first.user.tenant.accountId, oura, recordNothing);
    assert.deepEqual(await listAppsById(services, 'oura', first.app.id), []);
  });

  it('prefers a customer’s secret of the operator’s application, and accepts both', async () => {
    const { user } = await cloud.connect('whoop');
    const { tenant } = user;
    const own = await keepClient(
      services,
      tenant.accountId,
      whoop,
      { clientId: 'operators', clientSecret: 'own' },
      recordNothing,
    );
    const name = { provider: 'whoop', appId: own.id };
    assert.equal((await openAppOf(services, { ...name, tenant }))?.client.clientSecret, 'own');
    const secrets = (await listAppsById(services, 'whoop', own.id)).map(({ client }) => client.clientSecret);
    assert.deepEqual(secrets, ['operators secret', 'own']);
    await dropClient(services, tenant.accountId, whoop, recordNothing);
    assert.equal((await openAppOf(services, { ...name, tenant }))?.client.clientSecret, 'operators secret');
  });
});
