// The simulated Suunto, read by the real connector over HTTP.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { listenTo, startWebhookReceiver } from '../../../test/support/provider-webhook-receiver.ts';
import { connectSimulated } from '../../../test/support/simulated-connection.ts';
import { connectPerson } from '../../../test/support/simulated-person.ts';
import { startSimulator } from '../../../test/support/start-simulator.ts';
import { DAY_MS, MINUTE_MS } from '../../domain/time/durations.ts';
import type { ProviderRequest, WebhookSecrets } from '../../providers/contract.ts';
import { suunto } from '../../providers/suunto/index.ts';

const { simulator, connection, read } = await connectPerson({ after }, suunto);
const get = (path: string, query: Record<string, string> = {}, headers: Record<string, string> = {}) => {
  const request: ProviderRequest = { origin: 'api', method: 'GET', path, query, headers, as: 'person' };
  return connection.ask(request);
};

describe('the simulated Suunto', () => {
  it('rejects requests without the subscription key', async () => {
    assert.equal((await get('/v3/workouts')).status, 200);
    assert.equal((await get('/v3/workouts', {}, { 'ocp-apim-subscription-key': 'x' })).status, 401);
  });

  it('answers at most 28 days of 24/7 data', async () => {
    const to = simulator.clock.now().getTime();
    const days = (count: number) => ({ from: String(to - count * 86_400_000), to: String(to) });
    assert.equal((await get('/247samples/sleep', days(28))).status, 200);
    assert.equal((await get('/247samples/sleep', days(29))).status, 400);
  });

  it('has the recording of a workout that ended a while ago', async () => {
    const [workout] = (await read('workouts')).flatMap((page) => page.workouts);
    const answerOf = (key: string) =>
      connection.ask({ origin: 'api', method: 'GET', path: `/v3/workouts/${key}/fit`, accepts: 'file', as: 'person' });
    assert.equal((await answerOf(workout?.key ?? '')).status, 200);
    assert.equal((await answerOf('unknown')).status, 404);
  });

  it('lists a workout that was changed by its modification time only', async () => {
    simulator.clock.advance(MINUTE_MS); // each workout takes two requests of the minute
    const workouts = (await read('workouts')).flatMap((page) => page.workouts);
    assert.ok(workouts.length > 3);
    simulator.clock.advance(MINUTE_MS);
    const changed = async () => (await read('changed-workouts', 1)).flatMap((page) => page.workouts);
    const before = await changed();
    const heal = simulator.fault({ kind: 'changed_record', provider: 'suunto', record: 'workout' });
    const after = await changed();
    heal();
    assert.equal(after.length, before.length + 1);
  });
});

it('sends signed webhooks with the data of 24/7, and the time of a new workout', async (t) => {
  const webhook = suunto.webhook ?? assert.fail('no webhook');
  let webhookUrl: string | null = null;
  const started = await startSimulator({ webhookUrlOf: () => webhookUrl });
  const secrets: WebhookSecrets = {
    ...started.simulator.clientOf('suunto'),
    verificationToken: '',
    publicKeys: {},
  };
  const receiver = await startWebhookReceiver(webhook, secrets);
  t.after(() => Promise.all([started.close(), receiver.close()]));
  webhookUrl = receiver.url;
  const { account } = await connectSimulated(started, suunto, { decision: 'allow', account: 'ann' });
  const { tickAndRead } = listenTo(started, webhook, receiver);
  await tickAndRead();
  const kinds = new Set<string>();
  for (let days = 0; days < 7; days++) {
    started.clock.advance(DAY_MS);
    for (const item of await tickAndRead()) {
      assert.equal(item.providerUserId, account.providerUserId);
      kinds.add(`${item.kind} ${'resource' in item ? item.resource : ''}`);
    }
  }
  assert.deepEqual([...kinds].sort(), ['changed workouts', 'pushed activity', 'pushed sleep']);
  const [one] = receiver.webhooks;
  assert.ok(one);
  assert.equal(webhook.verify(one, secrets, started.clock.now()), 'genuine');
  const other = { ...secrets, extras: { ...secrets.extras, notification_secret: 'x' } };
  assert.equal(webhook.verify(one, other, started.clock.now()), 'forged');
});
