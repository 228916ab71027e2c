// Rotation of the secret webhook URL: the old and the new one work for a week, and subscriptions follow.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { DAY_MS, SECOND_MS } from '../../src/domain/time/durations.ts';
import { listAppsById, type ProviderApp, webhookUrlOf } from '../../src/features/clouds/provider-apps/index.ts';
import {
  openRegistration,
  repairApplication,
  rotateWebhookSecret,
} from '../../src/features/clouds/subscriptions/index.ts';
import { createOutbound } from '../../src/platform/outbound/index.ts';
import { assertEvery } from '../support/assert-every.ts';
import { runCli } from '../support/run-cli.ts';
import { startStubCloud } from '../support/stub-cloud.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const clock = createFrozenClock(new Date());
const stub = await startStubCloud();
const credentials = (provider: string) => ({
  [`TRIBUTARY_${provider}_CLIENT_ID`]: 'our-app',
  [`TRIBUTARY_${provider}_CLIENT_SECRET`]: 'client-secret',
});
const service = await startTestService({
  clock,
  environment: {
    ...credentials('GARMIN'),
    ...credentials('OURA'),
    ...credentials('POLAR'),
  },
});
const operator = service.operator();
/** Live applications send requests to the stub. */
const services = {
  ...service.running.services,
  outbound: createOutbound({ allowLoopback: true }),
};
after(async () => {
  await services.outbound.close();
  await service.stop();
  await stub.close();
});

const setupOf = async (provider: string) =>
  (await operator.get('/admin/providers')).body.data.find((one: { provider: string }) => one.provider === provider);
const send = async (url: string) => (await fetch(url, { method: 'POST', body: '{"dailies":[]}' })).status;
const rotate = (provider: string, fields: object = {}) =>
  operator.post(`/admin/providers/${provider}/rotate-webhook-secret`, { account: 'default', ...fields });

async function liveApp(provider: string): Promise<ProviderApp> {
  const [, id = ''] = /\/provider-webhooks\/\w+\/(\w+)\//.exec((await setupOf(provider)).webhook_url) ?? [];
  const [app] = await listAppsById(services, provider, id);
  assert.ok(app);
  const at = `${stub.url}/${provider}`;
  return { ...app, origins: { authorize: at, token: at, api: at, keys: at } };
}

describe('a provider whose webhook URL is entered by hand (Garmin)', () => {
  it('200 returns a new URL; both work for seven days, then only the new one', async () => {
    const before = (await setupOf('garmin')).webhook_url;
    assert.equal(await send(before), 200);
    const rotated = await rotate('garmin');
    assert.equal(rotated.status, 200, rotated.text);
    const { webhook_url, previous_valid_until, registration } = rotated.body;
    assert.equal(registration, 'by_hand');
    assert.equal(Date.parse(previous_valid_until), clock.now().getTime() + 7 * DAY_MS);
    assert.notEqual(webhook_url, before);
    assert.equal((await setupOf('garmin')).webhook_url, webhook_url);
    assert.deepEqual([await send(before), await send(webhook_url)], [200, 200]);
    assert.equal(await send(`${webhook_url}x`), 404);
    clock.advance(7 * DAY_MS + SECOND_MS);
    await waitUntil('the old URL stops', async () => (await send(before)) === 404);
    assert.equal(await send(webhook_url), 200);
  });

  it('the command prints the new URL, and --finish ends the old one', async () => {
    const before = (await setupOf('garmin')).webhook_url;
    const text = await runCli(service, ['providers', 'rotate-webhook-secret', 'garmin']);
    assert.deepEqual([text.code, text.stderr], [0, '']);
    const url = /http:\S+/.exec(text.stdout)?.[0] ?? '';
    assert.match(text.stdout, /Enter it at Garmin/);
    assert.deepEqual([await send(before), await send(url)], [200, 200]);
    const finished = await runCli(service, ['providers', 'rotate-webhook-secret', 'garmin', '--finish', '--json']);
    assert.deepEqual(JSON.parse(finished.stdout).webhook_url, url);
    await waitUntil('the old URL stops', async () => (await send(before)) === 404);
    assert.equal(await send(url), 200);
  });

  it('404 for an unknown account or provider, 4xx without credentials', async () => {
    assert.equal((await rotate('garmin', { account: 'nobody' })).status, 404);
    assert.ok([400, 404].includes((await rotate('nobody')).status));
    const answer = await rotate('whoop');
    assert.equal(answer.body.error, 'provider_not_configured');
  });
});

describe('subscriptions that we register', () => {
  it('are created at the new URL, and those of the old one are deleted (Oura)', async () => {
    const app = await liveApp('oura');
    type Subscription = { id: string; callback_url: string; verification_token: string };
    const there = new Map<string, Subscription>();
    let made = 0;
    stub.answer('/oura/v2/webhook/subscription', ({ method, body, path }) => {
      if (method === 'GET') return { json: [...there.values()] };
      if (method === 'DELETE') there.delete(path.split('/').at(-1) ?? '');
      if (method !== 'POST') return { json: {} };
      made += 1;
      const id = `s${made}`;
      there.set(id, { ...JSON.parse(body), id, expiration_time: new Date(clock.now().getTime() + 60 * DAY_MS) });
      return { status: 201, json: { id } };
    });
    const foreign = {
      id: 'foreign',
      callback_url: 'https://elsewhere.example/x',
      event_type: 'create',
      data_type: 'sleep',
    };
    there.set('foreign', {
      ...foreign,
      verification_token: '',
      expiration_time: '2030-01-01T00:00:00Z',
    } as Subscription);
    const listUrls = () => new Set([...there.values()].map(({ callback_url }) => callback_url));
    assert.equal(await repairApplication(services, app), null);
    const first = webhookUrlOf(services, app, 1);
    assert.deepEqual(listUrls(), new Set([foreign.callback_url, first]));
    const count = there.size;
    assert.ok(count > 10);
    const { url } = await rotateWebhookSecret(services, app, async () => undefined);
    assert.equal(await repairApplication(services, app), null);
    assert.deepEqual(listUrls(), new Set([foreign.callback_url, url]));
    assert.equal(there.size, count);
    assertEvery(
      [...there.values()],
      ({ id, verification_token }) => id === 'foreign' || url.endsWith(verification_token),
    );
    const requests = stub.requests.length;
    assert.equal(await repairApplication(services, app), null);
    assert.equal(stub.requests.length, requests + 1, 'nothing left to repair');
  });

  it('answers the challenge of the new URL at once, while the old one is still cached', async () => {
    const app = await liveApp('oura');
    const challenge = async (url: string) => {
      const token = url.split('/').at(-1);
      const query = `?verification_token=${token}&challenge=abc`;
      return (await fetch(url + query)).status;
    };
    const { webhookVersion } = await openRegistration(services, app);
    assert.equal(await challenge(webhookUrlOf(services, app, webhookVersion)), 200, 'cached by now');
    const { url } = await rotateWebhookSecret(services, app, async () => undefined);
    assert.equal(await challenge(url), 200);
    assert.equal(await challenge(webhookUrlOf(services, app, webhookVersion)), 200);
  });

  it('reads a new signing secret of Polar, and accepts the previous one during the overlap', async () => {
    const app = await liveApp('polar');
    let webhook: { id: string; events: string[]; url: string } | null = null;
    let reported = 0;
    stub.answer('/polar/v3/webhooks', ({ method, body }) => {
      if (method === 'GET') return { json: { data: webhook === null ? [] : [webhook] } };
      if (method === 'DELETE') {
        webhook = null;
        return { status: 204 };
      }
      reported += 1;
      webhook = { ...JSON.parse(body), id: `w${reported}`, active: true };
      return { status: 201, json: { data: { ...webhook, signature_secret_key: `secret ${reported}` } } };
    });
    assert.equal(await repairApplication(services, app), null);
    assert.equal((await openRegistration(services, app)).signingSecret, 'secret 1');
    await rotateWebhookSecret(services, app, async () => undefined);
    assert.equal(await repairApplication(services, app), null);
    const facts = await openRegistration(services, app);
    assert.deepEqual([facts.signingSecret, facts.previousSigningSecret], ['secret 2', 'secret 1']);
  });
});
