import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readFixture } from '../../../test/support/provider-fixture.ts';
import { ProviderAnswerError, type Resource, type WebhookRequest } from '../contract.ts';
import { oura } from './index.ts';
import { ouraOAuth } from './oauth.ts';
import { OURA_RESOURCES } from './resources/index.ts';
import { statedBy } from './stated-metrics.ts';
import { ouraSubscriptions } from './subscriptions.ts';
import { ouraWebhook } from './webhook.ts';

const secrets = { clientId: 'id', clientSecret: 'secret', verificationToken: 'our-token', publicKeys: {} };
const requested = (query: Readonly<Record<string, string>>): WebhookRequest => ({
  method: 'GET',
  path: '/provider-webhooks',
  query,
  headers: {},
  body: new Uint8Array(),
});
const event = (change: object) =>
  Buffer.from(JSON.stringify({ ...(readFixture('oura', 'webhook-event') as object), ...change }));

function listReported({ name, map }: Resource): Set<string> {
  const { daily, samples } = map(readFixture('oura', name), { zone: 'UTC', window: null });
  return new Set([...daily.map(({ metric }) => metric), ...samples.keys()]);
}

describe("Oura's handshake", () => {
  it('answers whoever knows our token', () => {
    assert.deepEqual(
      ouraWebhook.answerChallenge(requested({ verification_token: 'our-token', challenge: 'a"b' }), secrets),
      { status: 200, body: '{"challenge":"a\\"b"}' },
    );
  });

  it('answers nobody else', () => {
    const answer = ouraWebhook.answerChallenge(requested({ verification_token: 'guessed', challenge: 'a' }), secrets);
    assert.deepEqual(answer, { status: 401, body: '' });
    assert.equal(ouraWebhook.answerChallenge(requested({ challenge: 'a' }), secrets), null);
    const unset = { ...secrets, verificationToken: '' };
    assert.equal(
      ouraWebhook.answerChallenge(requested({ verification_token: '', challenge: 'a' }), unset)?.status,
      401,
    );
  });
});

describe("Oura's notices", () => {
  it('deletes what Oura deleted', () => {
    assert.deepEqual(ouraWebhook.readWebhookItems(event({ event_type: 'delete', data_type: 'workout' })), [
      {
        kind: 'deleted',
        providerUserId: '8f9a5221-639e-4a85-81cb-4065ef23f979',
        resource: 'workout',
        id: '00000000-0000-4000-8000-000000000002',
      },
    ]);
  });

  it('looks again at what a deleted document told of days, as its day is not told', () => {
    const [byId, byDay] = ouraWebhook.readWebhookItems(event({ event_type: 'delete', data_type: 'daily_spo2' }));
    assert.deepEqual([byId?.kind, byDay?.kind], ['deleted', 'cleared']);
    assert.deepEqual(byDay?.kind === 'cleared' && [byDay.resource, byDay.of, byDay.interval], [
      'daily_spo2',
      ['sleep_blood_oxygen', 'blood_oxygen', 'breathing_disturbances'],
      null,
    ]);
  });

  it('knows all that its documents tell of days and times, and clears nothing that another resource tells', () => {
    const reported = new Map(OURA_RESOURCES.map((resource) => [resource.name, listReported(resource)]));
    assert.deepEqual(reported.get('session'), new Set(['mindfulness', 'heart_rate_variability_rmssd']));
    for (const [name, metrics] of reported) {
      const others = [...reported].filter(([other]) => other !== name).map(([, ofOther]) => ofOther);
      const own = [...metrics].filter((metric) => !others.some((ofOther) => ofOther.has(metric)));
      // Heart rate comes without documents: none of them goes.
      assert.deepEqual(new Set<string>(statedBy(name)), new Set(name === 'heartrate' ? [] : own), name);
    }
  });

  it('leaves what is not taken', () => {
    assert.deepEqual(ouraWebhook.readWebhookItems(event({ data_type: 'enhanced_tag' })), []);
  });

  it('refuses a notice of nobody', () => {
    assert.throws(() => ouraWebhook.readWebhookItems(event({ user_id: null })), ProviderAnswerError);
  });
});

describe("Oura's subscriptions", () => {
  it('wants each kind of each event', () => {
    assert.equal(ouraSubscriptions.wanted.length, 27);
    const { json, as } = ouraSubscriptions.createRequest('sleep delete', 'https://health.example/n', secrets, null);
    assert.deepEqual(json, {
      callback_url: 'https://health.example/n',
      verification_token: 'our-token',
      event_type: 'delete',
      data_type: 'sleep',
    });
    assert.equal(as, 'application');
  });

  it('finds those that there are', () => {
    const entry = {
      id: 'c534043e-ba54-4131-9dce-e40537823bfd',
      callback_url: 'https://health.example/n',
      event_type: 'create',
      data_type: 'sleep',
      expiration_time: '2026-08-24T14:15:22Z',
    };
    assert.deepEqual(ouraSubscriptions.readList({ status: 200, headers: {}, body: [entry] }), [
      {
        id: entry.id,
        topic: 'sleep create',
        endsAt: new Date(entry.expiration_time),
        callbackUrl: 'https://health.example/n',
      },
    ]);
    assert.throws(() => ouraSubscriptions.readList({ status: 200, headers: {}, body: {} }), ProviderAnswerError);
  });

  it('says who asks in headers of its own', () => {
    assert.deepEqual(oura.applicationHeaders?.(secrets), { 'x-client-id': 'id', 'x-client-secret': 'secret' });
  });
});

describe("Oura's tokens", () => {
  it('reads them', () => {
    assert.deepEqual(ouraOAuth.readTokens({ status: 200, headers: {}, body: readFixture('oura', 'token') }), {
      accessToken: 'example-access',
      refreshToken: 'example-refresh',
      expiresInSeconds: 86_400,
      providerUserId: null,
      scopes: null,
    });
  });

  it('takes only a dead grant for the end', () => {
    const refusal = (error: string) => ouraOAuth.readTokens({ status: 400, headers: {}, body: { error } });
    assert.deepEqual(refusal('invalid_grant'), { refused: 'invalid_grant', isDefinite: true });
    assert.deepEqual(refusal('invalid_client'), { refused: 'invalid_client', isDefinite: false });
  });

  it('learns who it is', () => {
    const [step] = ouraOAuth.afterConnect;
    const answer = { status: 200, headers: {}, body: readFixture('oura', 'personal_info') };
    assert.equal(step?.readUserId(answer), '8f9a5221-639e-4a85-81cb-4065ef23f979');
  });
});
