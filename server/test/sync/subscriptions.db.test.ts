// Webhook subscriptions at providers: created once, renewed before they end, repaired, and those of others left alone.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { DAY_MS } from '../../src/domain/time/durations.ts';
import { FIRST_WEBHOOK_VERSION, listAppsById, webhookUrlOf } from '../../src/features/clouds/provider-apps/index.ts';
import { endSubscriptions, openRegistration } from '../../src/features/clouds/subscriptions/index.ts';
import { repairSubscriptionsJob } from '../../src/features/clouds/sync/index.ts';
import { assertEvery } from '../support/assert-every.ts';
import { APP, openTestCloud } from '../support/test-cloud.ts';

const cloud = await openTestCloud({ after }, { TRIBUTARY_BACKFILL_DAYS: '1' });
const { stub, services, clock } = cloud;
stub.answer('/oura/v2/usercollection', { json: { data: [], next_token: null } });
stub.answer('/polar/v3', { status: 204 });
stub.answer('/withings', { json: { status: 0, body: { series: [], measuregrps: [], activities: [] } } });

type OuraSubscription = {
  readonly id: string;
  readonly callback_url: string;
  readonly event_type: string;
  readonly data_type: string;
  expiration_time: string;
};

async function appOf(provider: string) {
  const [app] = await listAppsById(services, provider, APP);
  assert.ok(app);
  return app;
}

describe('subscriptions of an application (Oura)', () => {
  it('are created when the first user connects, not with the second, and renewed before they end', async () => {
    const there = new Map<string, OuraSubscription>([
      [
        'foreign',
        {
          id: 'foreign',
          callback_url: 'https://elsewhere.example/x',
          event_type: 'create',
          data_type: 'sleep',
          expiration_time: '2026-03-02T00:00:00Z',
        },
      ],
    ]);
    const path = '/oura/v2/webhook/subscription';
    stub.answer(path, ({ method, body }) => {
      if (method === 'GET') return { json: [...there.values()] };
      if (method !== 'POST') return { json: {} };
      const subscription = JSON.parse(body) as OuraSubscription;
      const id = `${subscription.data_type}-${subscription.event_type}`;
      there.set(id, { ...subscription, id, expiration_time: '2026-06-01T00:00:00Z' });
      return { status: 201, json: { id } };
    });
    await cloud.connect('oura');
    await cloud.runDue();
    assert.equal(stub.at(path).filter(({ method }) => method === 'POST').length, 27);
    await cloud.connect('oura');
    await cloud.runDue();
    assert.equal(stub.at(path).length, 28, 'no second check on the same day');

    const lost = [...there.keys()].findLast((id) => !id.startsWith('sleep')) ?? assert.fail();
    there.delete(lost);
    for (const one of there.values()) if (one.data_type === 'sleep') one.expiration_time = '2026-03-10T00:00:00Z';
    stub.requests.length = 0;
    await repairSubscriptionsJob.run(services, {} as never);
    const made = stub.at(path).filter(({ method }) => method !== 'GET');
    assert.deepEqual(
      made
        .map(({ method, path: requestPath }) => `${method} ${requestPath.slice(path.length)}`)
        .filter((text) => text.startsWith('PUT'))
        .sort(),
      ['PUT /renew/sleep-create', 'PUT /renew/sleep-delete', 'PUT /renew/sleep-update'],
    );
    assert.equal(made.filter(({ method }) => method === 'POST').length, 1, 'the one that was missing');
    assert.ok(there.has(lost));
    assert.ok(!made.some(({ path: requestPath }) => requestPath.includes('foreign')), "others' are left alone");
  });
});

describe('the secret that Polar sends once', () => {
  it('is stored sealed; if it is lost the webhook is created again', async () => {
    const app = await appOf('polar');
    const url = webhookUrlOf(services, app, FIRST_WEBHOOK_VERSION);
    const events = ['ACTIVITY_SUMMARY', 'CONTINUOUS_HEART_RATE', 'EXERCISE', 'SLEEP'];
    let there: object | null = { id: 'old', events, url, active: true };
    stub.answer('/polar/v3/webhooks', ({ method }) => {
      if (method === 'GET') return { json: { data: there === null ? [] : [there] } };
      if (method === 'DELETE') there = null;
      if (method === 'POST') there = { id: 'new', events, url, active: true };
      return method === 'DELETE'
        ? { status: 204 }
        : { status: 201, json: { data: { id: 'new', signature_secret_key: 'sent once' } } };
    });
    await cloud.connect('polar', { tokens: { refreshToken: null } });
    await cloud.runDue();
    assert.deepEqual(
      stub.at('/polar/v3/webhooks').map(({ method }) => method),
      ['GET', 'DELETE', 'POST'],
    );
    assert.equal((await openRegistration(services, app)).signingSecret, 'sent once');
    const [row] = await cloud.query<{ sealed: Buffer }>(
      `select sealed_signing_secret as sealed from provider_webhook_registrations where provider = 'polar'`,
    );
    assert.ok(!row?.sealed.includes('sent once'));
    stub.requests.length = 0;
    clock.advance(DAY_MS);
    await repairSubscriptionsJob.run(services, {} as never);
    assert.deepEqual(
      stub.at('/polar/v3/webhooks').map(({ method }) => method),
      ['GET'],
      'nothing to repair',
    );
  });
});

describe('subscriptions of a user (Withings)', () => {
  it('are created at connect, repaired daily, and ended on request', async () => {
    const app = await appOf('withings');
    const url = webhookUrlOf(services, app, FIRST_WEBHOOK_VERSION);
    const profiles: { appli: number; callbackurl: string }[] = [{ appli: 1, callbackurl: 'https://elsewhere.example' }];
    stub.answer('/withings/notify', ({ form }) => {
      if (form.get('action') === 'subscribe') profiles.push({ appli: Number(form.get('appli')), callbackurl: url });
      return { json: { status: 0, body: { profiles } } };
    });
    await cloud.connect('withings', { providerUserId: '12' });
    await cloud.runDue();
    assert.deepEqual(
      profiles.slice(1).map(({ appli }) => appli),
      [1, 2, 4, 16, 44, 46],
    );
    profiles.splice(3, 1);
    stub.requests.length = 0;
    await repairSubscriptionsJob.run(services, {} as never);
    clock.advance(DAY_MS);
    await cloud.runDue();
    const made = stub.at('/withings/notify').filter(({ form }) => form.get('action') === 'subscribe');
    assert.deepEqual(
      made.map(({ form }) => form.get('appli')),
      ['4'],
    );
    stub.requests.length = 0;
    assert.equal(
      await endSubscriptions(services, app, { providerUserId: '12', accessToken: 'good', refreshToken: null }),
      null,
    );
    const ended = stub.at('/withings/notify').filter(({ form }) => form.get('action') === 'revoke');
    assert.equal(ended.length, 6);
    assertEvery(ended, ({ form }) => form.get('callbackurl') === url);
  });
});
