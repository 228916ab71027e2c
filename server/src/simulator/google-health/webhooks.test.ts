// Webhooks of the simulated Google Health: signed with a published key, and verified by the real connector.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { nightAfter, todayAt } from '../../../test/support/lived-days.ts';
import { listenTo, startWebhookReceiver } from '../../../test/support/provider-webhook-receiver.ts';
import { connectSimulated, resourceOf, windowOfDays } from '../../../test/support/simulated-connection.ts';
import { startSimulator } from '../../../test/support/start-simulator.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/time/durations.ts';
import type { WebhookSecrets } from '../../providers/contract.ts';
import { googleHealth } from '../../providers/google-health/index.ts';

describe("Google's webhooks", async () => {
  const { webhook } = googleHealth;
  assert.ok(webhook?.publicKeys !== undefined);
  const { publicKeys: keyRule } = webhook;
  let portal: string | null = null;
  const started = await startSimulator({ webhookUrlOf: () => portal });
  const connected = await connectSimulated(started, googleHealth, { decision: 'allow', account: 'ann' });
  const client = started.simulator.clientOf('google_health');
  const publicKeys = keyRule.readKeys(await connected.ask(keyRule.request));
  const secrets: WebhookSecrets = { ...client, verificationToken: 'a-secret-of-ours', publicKeys };
  const receiver = await startWebhookReceiver(webhook, secrets);
  after(() => Promise.all([started.close(), receiver.close()]));
  const subscribers = (method: 'GET' | 'POST' | 'DELETE', path: string, json?: unknown, secret = client.clientSecret) =>
    connected.ask({
      origin: 'api',
      method,
      path: `/v4/projects/test/subscribers${path}`,
      ...(json !== undefined && { json }),
      headers: { authorization: `Bearer ${secret}` },
      as: 'nobody',
    });
  const wanted = (secret: string, dataTypes: readonly string[] = ['sleep', 'steps', 'daily-oxygen-saturation']) => ({
    endpointUri: receiver.url,
    subscriberConfigs: [{ dataTypes, subscriptionCreatePolicy: 'AUTOMATIC' }],
    endpointAuthorization: { secret },
  });
  const { tickAndRead, reportedOf } = listenTo(started, webhook, receiver);

  it('publish two keys, the same after a restart', async () => {
    assert.equal(Object.keys(publicKeys).length, 2);
    const again = await startSimulator();
    const other = await connectSimulated(again, googleHealth);
    assert.deepEqual(keyRule.readKeys(await other.ask(keyRule.request)), publicKeys);
    await again.close();
  });

  it('verify the endpoint twice before they create a subscriber', async () => {
    assert.equal((await subscribers('POST', '', wanted('Bearer a-secret-of-ours'), 'x')).status, 401);
    assert.equal((await subscribers('POST', '', wanted('Bearer another'))).status, 400);
    assert.equal((await subscribers('POST', '', wanted('Bearer a-secret-of-ours', ['dreams']))).status, 400);
    assert.equal((await subscribers('POST', '?subscriberId=ours', wanted('Bearer a-secret-of-ours'))).status, 200);
    assert.equal((await subscribers('POST', '?subscriberId=ours', wanted('Bearer a-secret-of-ours'))).status, 409);
    const { body } = await subscribers('GET', '');
    const [{ name, endpointUri } = { name: '', endpointUri: '' }] = (
      body as { subscribers: { name: string; endpointUri: string }[] }
    ).subscribers;
    assert.deepEqual([name, endpointUri], ['projects/test/subscribers/ours', receiver.url]);
  });

  it('report the next night in the morning, signed', async () => {
    assert.deepEqual(await tickAndRead(), []);
    const night = nightAfter('ann', started.clock.now());
    started.clock.advance(night.end - started.clock.now().getTime() + 10 * MINUTE_MS);
    assert.deepEqual(await reportedOf('sleep'), []);
    started.clock.advance(30 * MINUTE_MS);
    const reported = await tickAndRead();
    const [delivered] = reported.filter((one) => 'resource' in one && one.resource === 'sleep');
    assert.ok(delivered?.kind === 'changed' && delivered.to !== null);
    assert.ok(Math.abs(delivered.to - night.end) < 30 * MINUTE_MS);
    assert.equal(delivered.providerUserId, connected.account.providerUserId);
    const resources = reported.map((one) => ('resource' in one ? one.resource : one.kind));
    assert.ok(resources.includes('daily-oxygen-saturation') && resources.includes('steps-rollup'));
    assert.ok(!resources.includes('heart-rate'), 'no subscription');
    for (const one of receiver.webhooks) {
      assert.equal(webhook.verify(one, secrets, started.clock.now()), 'genuine');
      const changed = { ...one, body: Buffer.concat([one.body, Buffer.from(' ')]) };
      assert.equal(webhook.verify(changed, secrets, started.clock.now()), 'forged');
    }
  });

  it('are accepted by signature alone if they have no secret', async () => {
    await subscribers('DELETE', '/ours');
    portal = receiver.url;
    started.clock.advance(2 * HOUR_MS);
    assert.ok((await tickAndRead()).length > 0);
    for (const one of receiver.webhooks) {
      assert.equal(one.headers.authorization, undefined);
      assert.equal(webhook.verify(one, secrets, started.clock.now()), 'genuine');
      assert.equal(webhook.verify(one, { ...secrets, publicKeys: {} }, started.clock.now()), 'forged');
    }
  });

  it('report a deletion by its time, and the record again when it returns', async () => {
    await connected.refresh();
    const sleep = resourceOf(googleHealth, 'sleep');
    const nights = async () =>
      (await connected.read(sleep, windowOfDays(started.clock.now(), 3))).flatMap((page) => page.sleep);
    const before = (await nights()).at(-1);
    assert.ok(before);
    const date = todayAt(new Date(before.end));
    const heal = started.fault({ kind: 'late_night', provider: 'google_health', date });
    const [gone] = await reportedOf('sleep');
    assert.ok(gone?.kind === 'reconcile' && gone.of === 'sleep');
    assert.deepEqual(gone.interval, { from: before.start, to: before.end + 1_000 });
    assert.ok(!(await nights()).some(({ key }) => key === before.key));
    heal();
    assert.deepEqual(
      (await reportedOf('sleep')).map(({ kind }) => kind),
      ['changed'],
    );
    assert.deepEqual((await nights()).at(-1), before);
  });

  it('report a changed night', async () => {
    const heal = started.fault({ kind: 'changed_record', provider: 'google_health' });
    assert.deepEqual(
      (await reportedOf('sleep')).map(({ kind }) => kind),
      ['changed'],
    );
    heal();
  });
});
