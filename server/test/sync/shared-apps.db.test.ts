// Customers who registered the same application at a provider: each speaks with its own secret, and the provider's notices are for all.
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

/** A person of a customer of its own, connected through the customer's application. */
async function connectThrough(clientId: string, clientSecret: string, providerUserId: string) {
  const connected = await cloud.connect('oura', { providerUserId });
  const { accountId } = connected.user.tenant;
  const app = await keepClient(services, accountId, oura, { clientId, clientSecret });
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

async function whoIsToldOf(): Promise<Set<string>> {
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
    it(`a notice that is signed ${signed} is for the people of both`, async () => {
      const person = `person, told ${signed}`;
      const first = await connectThrough('shared', 'first secret', person);
      const second = await connectThrough('shared', 'second secret', person);
      const other = await connectThrough('shared', 'second secret', `another, told ${signed}`);
      assert.equal(first.app.id, second.app.id);
      assert.equal((await notify(first.app, person, secret)).status, 200);
      assert.equal((await notify(first.app, person, 'guessed')).status, 401);
      assert.equal(await cloud.readWebhookItems(), 1);
      const reported = await whoIsToldOf();
      assert.deepEqual(
        [first, second, other].map(({ device }) => reported.has(device.id)),
        [true, true, false],
      );
    });

  it('each is asked for with the secret of its own customer, and none with another’s', async () => {
    const first = await connectThrough('each its own', 'first secret', 'one');
    const second = await connectThrough('each its own', 'second secret', 'two');
    assert.deepEqual([await secretFor(first), await secretFor(second)], ['first secret', 'second secret']);
    await dropClient(services, second.user.tenant.accountId, oura);
    assert.deepEqual([await secretFor(first), await secretFor(second)], ['first secret', undefined]);
    await dropClient(services, first.user.tenant.accountId, oura);
    assert.deepEqual(await listAppsById(services, 'oura', first.app.id), []);
  });

  it('the operator’s application with a secret of the customer’s own: that comes first, and both are believed', async () => {
    const { user } = await cloud.connect('whoop');
    const { tenant } = user;
    const own = await keepClient(services, tenant.accountId, whoop, { clientId: 'operators', clientSecret: 'own' });
    const name = { provider: 'whoop', appId: own.id };
    assert.equal((await openAppOf(services, { ...name, tenant }))?.client.clientSecret, 'own');
    const secrets = (await listAppsById(services, 'whoop', own.id)).map(({ client }) => client.clientSecret);
    assert.deepEqual(secrets, ['operators secret', 'own']);
    await dropClient(services, tenant.accountId, whoop);
    assert.equal((await openAppOf(services, { ...name, tenant }))?.client.clientSecret, 'operators secret');
  });
});
