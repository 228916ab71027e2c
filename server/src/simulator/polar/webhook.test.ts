// The single webhook of the simulated Polar, created, received and followed up by the real connector.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { nightAfter } from '../../../test/support/lived-days.ts';
import { listenTo, startWebhookReceiver, webhooksByResource } from '../../../test/support/provider-webhook-receiver.ts';
import { connectSimulated, resourceOf, windowOfDays } from '../../../test/support/simulated-connection.ts';
import { startSimulator } from '../../../test/support/start-simulator.ts';
import { DAY_MS, MINUTE_MS } from '../../domain/time/durations.ts';
import type { WebhookSecrets } from '../../providers/contract.ts';
import { polar } from '../../providers/polar/index.ts';

const webhook = polar.webhook ?? assert.fail('no webhook');
const subscriptions = webhook.subscriptions ?? assert.fail('no subscriptions');
const [topic] = subscriptions.wanted;
assert.ok(topic);
const simulator = await startSimulator();
const client = simulator.simulator.clientOf('polar');
const unsigned: WebhookSecrets = { ...client, verificationToken: '', publicKeys: {} };
const receiver = await startWebhookReceiver(webhook, unsigned);
after(() => Promise.all([simulator.close(), receiver.close()]));
const connection = await connectSimulated(simulator, polar, { decision: 'allow', account: 'ann' });

const create = (url: string) => connection.ask(subscriptions.createRequest(topic, url, unsigned, null));
const list = async () => subscriptions.readList(await connection.ask(subscriptions.listRequest(null)));
const post = (path: string) =>
  connection.ask({ origin: 'api', method: 'POST', path: `/v3/webhooks/${path}`, as: 'application' });
const { tickAndRead } = listenTo(simulator, webhook, receiver);
async function receive() {
  await tickAndRead();
  return webhooksByResource(webhook, receiver);
}

describe('the webhook of Polar', () => {
  let secrets = unsigned;

  it('is created after a ping, once, and returns its secret only then', async () => {
    assert.deepEqual(await list(), []);
    assert.equal((await post('activate')).status, 204);
    assert.equal((await create(`${simulator.url}/polar/nowhere`)).status, 400);
    const made = await create(receiver.url);
    assert.equal(made.status, 201);
    const signingSecret = subscriptions.readSecret?.(made) ?? assert.fail('no secret');
    secrets = { ...unsigned, signingSecret };
    assert.equal((await create(receiver.url)).status, 409);
    const [one, ...others] = await list();
    assert.deepEqual(others, []);
    assert.deepEqual([one?.topic, one?.callbackUrl, one?.endsAt], [topic, receiver.url, null]);
    const reported = await connection.ask(subscriptions.listRequest(null));
    assert.ok(!JSON.stringify(reported.body).includes(signingSecret));
    assert.equal((await fetch(`${simulator.url}/polar/v3/webhooks`)).status, 401);
  });

  it('sends nothing without changes', async () => {
    assert.deepEqual(Object.keys(await receive()), []);
  });

  it('reports a night in the morning, by its date, with its recharge available', async () => {
    const { end } = nightAfter('ann', simulator.clock.now());
    simulator.clock.advance(end - simulator.clock.now().getTime() + 40 * MINUTE_MS);
    const received = await receive();
    const [delivered] = received.sleep ?? [];
    assert.ok(delivered?.kind === 'changed' && delivered.id !== null);
    assert.equal(delivered.providerUserId, connection.account.providerUserId);
    const { sleep } = await connection.readOne(resourceOf(polar, 'sleep'), delivered.id);
    assert.ok(Math.abs((sleep[0]?.end ?? 0) - end) < 30 * MINUTE_MS);
    const recharge = await connection.readOne(resourceOf(polar, 'nightly-recharge'), delivered.id);
    assert.ok(recharge.daily.length > 0);
    for (const name of ['activities', 'continuous-heart-rate'])
      for (const day of received[name] ?? assert.fail(name)) {
        assert.ok(day.kind === 'changed' && day.id !== null);
        const { daily, samples } = await connection.readOne(resourceOf(polar, name), day.id);
        assert.ok(daily.length + samples.size > 0, `${name} ${day.id}`);
      }
    assert.ok(receiver.webhooks.length > 0);
    for (const one of receiver.webhooks) {
      assert.equal(webhook.verify(one, secrets, simulator.clock.now()), 'genuine');
      assert.equal(webhook.verify(one, { ...secrets, signingSecret: 'x' }, simulator.clock.now()), 'forged');
    }
  });

  it('reports training by its id, again after a change, and not after a deletion', async () => {
    let [delivered] = (await receive()).exercises ?? [];
    for (let days = 0; days < 7 && delivered === undefined; days++) {
      simulator.clock.advance(DAY_MS);
      delivered = (await receive()).exercises?.at(-1);
    }
    assert.ok(delivered?.kind === 'changed' && delivered.id !== null, 'no training in a week');
    const readIt = () => connection.readOne(resourceOf(polar, 'exercises'), (delivered as { id: string }).id);
    const [before] = (await readIt()).workouts;
    const heal = simulator.fault({ kind: 'changed_record', provider: 'polar', record: 'workout' });
    const [changed] = (await receive()).exercises ?? [];
    assert.deepEqual(changed, delivered);
    const [after] = (await readIt()).workouts;
    assert.equal(after?.activeCalories, Math.round((before?.activeCalories ?? 0) * 1.1));
    heal();
    await receive();
    const healDeleted = simulator.fault({ kind: 'deleted_record', provider: 'polar', record: 'workout' });
    assert.deepEqual(Object.keys(await receive()), []);
    const left = await connection.read(resourceOf(polar, 'exercises'), windowOfDays(simulator.clock.now(), 28));
    assert.ok(!left.flatMap(({ workouts }) => workouts).some(({ key }) => key === before?.key));
    healDeleted();
    await receive();
  });

  it('sends nothing while deactivated, and can be activated again', async () => {
    assert.equal((await post('deactivate')).status, 200);
    const [off] = await list();
    assert.ok(off?.endsAt && off.endsAt < simulator.clock.now());
    simulator.clock.advance(DAY_MS);
    assert.deepEqual(Object.keys(await receive()), []);
    const renew = subscriptions.renewRequest?.(off.id) ?? assert.fail('no way');
    assert.equal((await connection.ask(renew)).status, 200);
    assert.equal((await list())[0]?.endsAt, null);
    simulator.clock.advance(DAY_MS);
    assert.ok(((await receive()).activities ?? []).length > 0);
  });

  it('sends nothing for a user who is not registered', async () => {
    const revoke = polar.oauth.revokeRequest?.(connection.account) ?? assert.fail('no way');
    await connection.ask(revoke);
    await connectSimulated(
      simulator,
      { ...polar, oauth: { ...polar.oauth, afterConnect: [] } },
      { decision: 'allow', account: 'ann' },
    );
    simulator.clock.advance(DAY_MS);
    assert.deepEqual(Object.keys(await receive()), []);
  });

  it('can be deleted, and created again with another secret', async () => {
    const [one] = await list();
    assert.ok(one);
    assert.equal((await connection.ask(subscriptions.deleteRequest(one.id, null))).status, 204);
    assert.equal((await connection.ask(subscriptions.deleteRequest(one.id, null))).status, 404);
    assert.deepEqual(await list(), []);
    const again = await create(receiver.url);
    assert.notEqual(subscriptions.readSecret?.(again), secrets.signingSecret);
  });
});
