// Webhooks of the simulated WHOOP, received and followed up by the real connector.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { nightAfter } from '../../../test/support/lived-days.ts';
import { listenTo, startWebhookReceiver, webhooksByResource } from '../../../test/support/provider-webhook-receiver.ts';
import { connectSimulated, resourceOf, windowOfDays } from '../../../test/support/simulated-connection.ts';
import { startSimulator } from '../../../test/support/start-simulator.ts';
import { DAY_MS, MINUTE_MS } from '../../domain/time/durations.ts';
import type { WebhookSecrets } from '../../providers/contract.ts';
import { whoop } from '../../providers/whoop/index.ts';

const webhook = whoop.webhook ?? assert.fail('no webhook');
let webhookUrl: string | null = null;
const simulator = await startSimulator({ webhookUrlOf: () => webhookUrl });
const secrets: WebhookSecrets = { ...simulator.simulator.clientOf('whoop'), verificationToken: '', publicKeys: {} };
const receiver = await startWebhookReceiver(webhook, secrets);
after(() => Promise.all([simulator.close(), receiver.close()]));
const connection = await connectSimulated(simulator, whoop, { decision: 'allow', account: 'ann' });
const sleepResource = resourceOf(whoop, 'sleep');

const { tickAndRead } = listenTo(simulator, webhook, receiver);
async function receive() {
  await tickAndRead();
  return receiver.webhooks.map(({ body }) => JSON.parse(body.toString()) as { type: string; id: string });
}
const typesOf = (events: readonly { type: string }[]) => events.map(({ type }) => type).sort();
const lastNight = async () => {
  const pages = await connection.read(sleepResource, windowOfDays(simulator.clock.now(), 2));
  const sessions = pages.flatMap(({ sleep }) => sleep).toSorted((a, b) => a.start - b.start);
  return sessions.findLast(({ start, end }) => end - start > 180 * MINUTE_MS) ?? null;
};

describe('webhooks of WHOOP', () => {
  it('are sent to the URL of the dashboard, and not without one', async () => {
    const { end } = nightAfter('ann', simulator.clock.now());
    simulator.clock.advance(end - simulator.clock.now().getTime() + 30 * MINUTE_MS);
    assert.deepEqual(await receive(), []);
    webhookUrl = receiver.url;
    assert.deepEqual(await receive(), [], 'undeliverable changes are not reported later');
  });

  it('report a night before it is scored, and again with its score', async () => {
    await connection.refresh(); // a day has passed
    const { end } = nightAfter('ann', simulator.clock.now());
    simulator.clock.advance(end - simulator.clock.now().getTime() + 16 * MINUTE_MS);
    await connection.refresh();
    const first = (await receive()).filter(({ type }) => !type.startsWith('workout'));
    const pending = await lastNight();
    simulator.clock.advance(30 * MINUTE_MS);
    const second = await receive();
    for (const events of [first, second]) {
      const ofNight = events.filter(({ id }) => id === pending?.key);
      assert.deepEqual(typesOf(ofNight), ['recovery.updated', 'sleep.updated']);
    }
    const scored = await lastNight();
    assert.equal(scored?.key, pending?.key);
    assert.deepEqual([pending?.deepMinutes, pending?.heartRateVariability], [null, null]);
    assert.ok((scored?.deepMinutes ?? 0) > 0 && (scored?.heartRateVariability ?? 0) > 0);
    const [delivered] = webhooksByResource(webhook, receiver).sleep ?? [];
    assert.ok(delivered?.kind === 'changed' && delivered.id !== null);
    assert.equal(delivered.providerUserId, connection.account.providerUserId);
    const fetched = await connection.readOneWithMore(sleepResource, delivered.id);
    assert.deepEqual(
      fetched.flatMap(({ sleep }) => sleep),
      [scored],
    );
  });

  it('verify with the secret of the client, for five minutes', async () => {
    const at = simulator.clock.now();
    const later = new Date(at.getTime() + 6 * MINUTE_MS);
    assert.ok(receiver.webhooks.length > 0);
    for (const one of receiver.webhooks) {
      assert.equal(webhook.verify(one, secrets, at), 'genuine');
      assert.equal(webhook.verify(one, secrets, later), 'stale');
      assert.equal(webhook.verify(one, { ...secrets, clientSecret: 'x' }, at), 'forged');
    }
  });

  it('report a changed night and a deleted one', async () => {
    const before = (await lastNight()) ?? assert.fail('no night');
    const healChanged = simulator.fault({ kind: 'changed_record', provider: 'whoop' });
    assert.deepEqual(typesOf(await receive()), ['recovery.updated', 'sleep.updated']);
    const changed = await lastNight();
    assert.equal(changed?.key, before.key);
    assert.equal(changed?.heartRateVariability, (before.heartRateVariability ?? 0) - 4);
    healChanged();
    await receive();

    const healLate = simulator.fault({ kind: 'late_night', provider: 'whoop' });
    assert.deepEqual(typesOf(await receive()), ['recovery.deleted', 'sleep.deleted']);
    assert.ok((webhooksByResource(webhook, receiver).sleep ?? []).some(({ kind }) => kind === 'deleted'));
    assert.notEqual((await lastNight())?.key, before.key);
    healLate();
    assert.deepEqual(typesOf(await receive()), ['recovery.updated', 'sleep.updated']);
    assert.deepEqual(await lastNight(), before);
  });

  it('report a new workout, and its deletion', async () => {
    const isOfWorkout = ({ type }: { type: string }) => type === 'workout.updated';
    let received: Awaited<ReturnType<typeof receive>> = [];
    for (let days = 0; days < 7 && !received.some(isOfWorkout); days++) {
      simulator.clock.advance(DAY_MS);
      received = await receive();
    }
    await connection.refresh();
    const { id } = received.findLast(isOfWorkout) ?? assert.fail('no workout in a week');
    const { workouts } = await connection.readOne(resourceOf(whoop, 'workout'), id);
    assert.deepEqual(
      workouts.map(({ key }) => key),
      [id],
    );
    const heal = simulator.fault({ kind: 'deleted_record', provider: 'whoop', record: 'workout' });
    const gone = await receive();
    heal();
    assert.deepEqual(
      gone.map((event) => [event.type, event.id]),
      [['workout.deleted', id]],
    );
  });
});
