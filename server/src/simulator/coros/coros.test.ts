// The simulated COROS, read by the real connector over HTTP.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { assertEvery } from '../../../test/support/assert-every.ts';
import { listenTo, startWebhookReceiver } from '../../../test/support/provider-webhook-receiver.ts';
import { connectSimulated, resourceOf, windowOfDays } from '../../../test/support/simulated-connection.ts';
import { startSimulator } from '../../../test/support/start-simulator.ts';
import { DAY_MS } from '../../domain/time/durations.ts';
import { coros } from '../../providers/coros/index.ts';

const webhook = coros.webhook ?? assert.fail('no webhook');
let webhookUrl: string | null = null;
const simulator = await startSimulator({ webhookUrlOf: () => webhookUrl });
const secrets = { ...simulator.simulator.clientOf('coros'), verificationToken: '', publicKeys: {} };
const receiver = await startWebhookReceiver(webhook, secrets);
webhookUrl = receiver.url;
after(() => Promise.all([simulator.close(), receiver.close()]));
const connection = await connectSimulated(simulator, coros, { decision: 'allow', account: 'ann' });
const sports = resourceOf(coros, 'sport');
const ask = async (resource = sports, days = 7) => {
  const request = resource.request(windowOfDays(simulator.clock.now(), days), null, connection.account);
  const answer = await connection.ask(request);
  assert.equal(answer.status, 200);
  return resource.readFailure?.(answer) ?? null;
};

describe('the simulated COROS', () => {
  it('answers failures with a result code inside of 200', async () => {
    assert.equal(await ask(), null);
    assert.equal(await ask(sports, 31), 'unavailable', 'more than 30 days');
    const heal = simulator.fault({ kind: 'rate_limited', provider: 'coros', times: 1 });
    assert.equal(await ask(), 'unavailable');
    heal();
    const { account } = connection;
    const wrong = { ...account, providerUserId: 'x' };
    const window = windowOfDays(simulator.clock.now(), 7);
    assert.equal(sports.readFailure?.(await connection.ask(sports.request(window, null, wrong))), 'bad_request');
  });

  it('reads workouts with ids of 63 bits', async () => {
    const pages = await connection.read(sports, windowOfDays(simulator.clock.now(), 28));
    const workouts = pages.flatMap((page) => page.workouts);
    assert.ok(workouts.length > 3);
    assert.ok(workouts.some(({ key }) => BigInt(key) > BigInt(Number.MAX_SAFE_INTEGER)));
    assertEvery(workouts, ({ activeCalories }) => activeCalories === null, 'unconfirmed parts are off');
  });

  it('extends the token that it has, and ends the link permanently', async () => {
    const { accessToken } = connection.account;
    simulator.clock.advance(31 * DAY_MS);
    assert.equal(await ask(), 'unauthorized');
    const { refreshRequest, readTokens } = coros.oauth;
    const request = refreshRequest?.(connection.account.refreshToken ?? '') ?? assert.fail();
    const { clientId, clientSecret } = secrets;
    const form = { ...request.form, client_id: clientId, client_secret: clientSecret };
    const extended = readTokens(await connection.ask({ ...request, form, as: 'nobody' }), accessToken);
    assert.deepEqual(extended, {
      accessToken,
      refreshToken: null,
      expiresInSeconds: 30 * 86_400,
      providerUserId: null,
      scopes: null,
    });
    assert.equal(await ask(), null);
    const linkState = resourceOf(coros, 'bindState');
    assert.equal(await ask(linkState), null);
    const heal = simulator.fault({ kind: 'revoked', provider: 'coros' });
    assert.equal(await ask(linkState), 'unauthorized');
    const refused = readTokens(await connection.ask({ ...request, form, as: 'nobody' }), accessToken);
    assert.deepEqual(refused, { refused: 'result 5006', isDefinite: true });
    heal();
  });

  it('sends new workouts with the credentials of the client', async () => {
    const { tickAndRead } = listenTo(simulator, webhook, receiver);
    await tickAndRead();
    let received: Awaited<ReturnType<typeof tickAndRead>> = [];
    for (let days = 0; days < 7 && received.length === 0; days++) {
      simulator.clock.advance(DAY_MS);
      received = await tickAndRead();
    }
    assert.deepEqual([received[0]?.kind, received[0]?.providerUserId], ['changed', connection.account.providerUserId]);
    const [one] = receiver.webhooks;
    assert.ok(one);
    assert.equal(webhook.verify(one, secrets, simulator.clock.now()), 'genuine');
    assert.deepEqual(webhook.answerChallenge({ ...one, method: 'GET' }, secrets), {
      status: 200,
      body: '{"message":"ok","result":"0000"}',
    });
  });
});
