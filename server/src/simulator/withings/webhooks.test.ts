// Subscriptions and webhooks of the simulated Withings, with the rules of the real connector.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { assertEvery } from '../../../test/support/assert-every.ts';
import { nightAfter, todayAt } from '../../../test/support/lived-days.ts';
import { listenTo, startWebhookReceiver } from '../../../test/support/provider-webhook-receiver.ts';
import { connectSimulated, resourceOf, windowOfDays } from '../../../test/support/simulated-connection.ts';
import { startSimulator } from '../../../test/support/start-simulator.ts';
import { DAY_MS, MINUTE_MS } from '../../domain/time/durations.ts';
import type { WebhookSecrets } from '../../providers/contract.ts';
import { withings } from '../../providers/withings/index.ts';

describe("Withings' subscriptions and webhooks", async () => {
  const started = await startSimulator();
  const { webhook } = withings;
  assert.ok(webhook !== null && webhook.subscriptions !== null);
  const { subscriptions } = webhook;
  const client = started.simulator.clientOf('withings');
  const secrets: WebhookSecrets = { ...client, verificationToken: 'a-long-random-part', publicKeys: {} };
  const receiver = await startWebhookReceiver(webhook, secrets);
  const url = `${receiver.url}/${secrets.verificationToken}`;
  after(() => Promise.all([started.close(), receiver.close()]));
  const connected = await connectSimulated(started, withings, { decision: 'allow', account: 'ann' });
  const list = async () => subscriptions.readList(await connected.ask(subscriptions.listRequest(null)));
  const subscribe = async (topic: string, to = url) => {
    const answer = await connected.ask(subscriptions.createRequest(topic, to, secrets, connected.account));
    return subscriptions.readFailure?.(answer) ?? null;
  };
  const { tickAndRead, reportedOf } = listenTo(started, webhook, receiver);

  it('are created after a test of the URL, listed, ended, and created again', async () => {
    for (const topic of subscriptions.wanted) assert.equal(await subscribe(topic), null, topic);
    const made = await list();
    assert.deepEqual(made.map(({ topic }) => topic).sort(), [...subscriptions.wanted].sort());
    assertEvery(made, ({ callbackUrl, endsAt }) => callbackUrl === url && endsAt === null);
    const [first] = made;
    assert.ok(first);
    const end = subscriptions.deleteRequest(first.id, connected.account);
    assert.equal(subscriptions.readFailure?.(await connected.ask(end)), null);
    assert.equal(subscriptions.readFailure?.(await connected.ask(end)), 'bad_request');
    assert.equal((await list()).length, subscriptions.wanted.length - 1);
    assert.equal(await subscribe(first.topic), null);
    assert.equal(await subscribe(first.topic), null);
    assert.equal((await list()).length, subscriptions.wanted.length);
  });

  it('are rejected if the URL does not answer, and belong to one user', async () => {
    assert.equal(await subscribe('44', `${started.url}/nowhere`), 'bad_request');
    assert.equal(await subscribe('17'), 'bad_request');
    const other = await connectSimulated(started, withings);
    assert.deepEqual(subscriptions.readList(await other.ask(subscriptions.listRequest(null))), []);
  });

  it('report the next night in the morning, and only then', async () => {
    assert.deepEqual(await tickAndRead(), []);
    const night = nightAfter('ann', started.clock.now());
    started.clock.advance(night.end - started.clock.now().getTime() + 10 * MINUTE_MS);
    assert.deepEqual(await reportedOf('sleep'), []);
    started.clock.advance(30 * MINUTE_MS);
    const [delivered] = await reportedOf('sleep');
    assert.ok(delivered?.kind === 'changed' && delivered.to !== null);
    assert.equal(delivered.providerUserId, connected.account.providerUserId);
    assert.ok(Math.abs(delivered.to - night.end) < 30 * MINUTE_MS);
    for (const one of receiver.webhooks) {
      assert.equal(webhook.verify(one, secrets, started.clock.now()), 'genuine');
      assert.equal(webhook.verify(one, { ...secrets, verificationToken: 'x' }, started.clock.now()), 'forged');
    }
  });

  it('report measures, and the day once per hour', async () => {
    started.clock.advance(14 * 60 * MINUTE_MS);
    const reported = await tickAndRead();
    assert.ok(reported.some((delivered) => 'resource' in delivered && delivered.resource === 'activity'));
    const bodies = receiver.webhooks.map(({ body }) => Buffer.from(body).toString());
    assert.equal(new Set(bodies).size, bodies.length);
    assert.deepEqual(await tickAndRead(), []);
    started.clock.advance(3 * DAY_MS);
    assert.ok((await reportedOf('measures')).length > 0);
  });

  it('do not report deletions; a late night is reported when it arrives', async () => {
    await connected.refresh();
    const sleep = resourceOf(withings, 'sleep');
    const nights = async () =>
      (await connected.read(sleep, windowOfDays(started.clock.now(), 3))).flatMap((page) => page.sleep);
    const before = (await nights()).at(-1);
    assert.ok(before);
    const heal = started.fault({
      kind: 'late_night',
      provider: 'withings',
      date: todayAt(new Date(before.end)),
    });
    assert.deepEqual(await reportedOf('sleep'), []);
    assert.ok(!(await nights()).some(({ key }) => key === before.key));
    heal();
    assert.equal((await reportedOf('sleep')).length, 1);
    assert.deepEqual((await nights()).at(-1), before);
    const healChanged = started.fault({ kind: 'changed_record', provider: 'withings' });
    assert.equal((await reportedOf('sleep')).length, 1);
    assert.equal((await nights()).at(-1)?.heartRate, (before.heartRate ?? 0) + 3);
    healChanged();
  });

  it('report that the user has disconnected', async () => {
    const heal = started.fault({ kind: 'revoked', provider: 'withings', account: 'ann' });
    const { providerUserId } = connected.account;
    assert.deepEqual(await tickAndRead(), [{ kind: 'deauthorized', providerUserId }]);
    heal();
  });
});
