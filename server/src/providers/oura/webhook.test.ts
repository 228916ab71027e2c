import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readFixture } from '../../../test/support/provider-fixture.ts';
import { ProviderAnswerError, type Resource, type WebhookRequest } from '../contract.ts';
import { oura } from './index.ts';
import { ouraOAuth } from './oauth.ts';
import { OURA_RESOURCES } from './resources/index.ts';
import { ouraSubscriptions } from './subscriptions.ts';
import { metricsOfDocument, ouraWebhook } from './webhook.ts';

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
  it('answers the challenge if the token is right', () => {
    assert.deepEqual(
      ouraWebhook.answerChallenge(requested({ verification_token: 'our-token', challenge: 'a"b' }), secrets),
      { status: 200, body: '{"challenge":"a\\"b"}' },
    );
  });

  it('ignores the challenge if the token is wrong', () => {
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

describe("Oura's webhooks", () => {
  it('deletes sleeps and workouts that Oura deleted', () => {
    assert.deepEqual(ouraWebhook.readWebhookItems(event({ event_type: 'delete', data_type: 'workout' })), [
      {
        kind: 'deleted',
        providerUserId: '8f9a5221-639e-4a85-81cb-4065ef23f979',
        resource: 'workout',
        id: '00000000-0000-4000-8000-000000000002',
      },
    ]);
  });

  it('reconciles the daily values of a deleted document, because its day is unknown', () => {
    const [byId, byDay] = ouraWebhook.readWebhookItems(event({ event_type: 'delete', data_type: 'daily_spo2' }));
    assert.deepEqual([byId?.kind, byDay?.kind], ['deleted', 'reconcile']);
    assert.deepEqual(byDay?.kind === 'reconcile' && [byDay.resource, byDay.of, byDay.interval], [
      'daily_spo2',
      ['sleep_blood_oxygen', 'blood_oxygen', 'breathing_disturbances'],
      null,
    ]);
  });

  it('reconciles all metrics of its documents, and none that another resource reports', () => {
    const reported = new Map(OURA_RESOURCES.map((resource) => [resource.name, listReported(resource)]));
    assert.deepEqual(reported.get('session'), new Set(['mindfulness', 'heart_rate_variability_rmssd']));
    for (const [name, metrics] of reported) {
      const others = [...reported].filter(([other]) => other !== name).map(([, ofOther]) => ofOther);
      const own = [...metrics].filter((metric) => !others.some((ofOther) => ofOther.has(metric)));
      // Heart rate has no documents, so none of it is deleted.
      assert.deepEqual(new Set<string>(metricsOfDocument(name)), new Set(name === 'heartrate' ? [] : own), name);
    }
  });

  it('ignores kinds that are not used', () => {
    assert.deepEqual(ouraWebhook.readWebhookItems(event({ data_type: 'enhanced_tag' })), []);
  });

  it('rejects a webhook without a user', () => {
    assert.throws(() => ouraWebhook.readWebhookItems(event({ user_id: null })), ProviderAnswerError);
  });
});

describe("Oura's subscriptions", () => {
  it('subscribes to each kind and event', () => {
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

  it('reads the existing subscriptions', () => {
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

  it('sends the client credentials in headers', () => {
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

  it('treats only a revoked grant as a definite refusal', () => {
    const refusal = (error: string) => ouraOAuth.readTokens({ status: 400, headers: {}, body: { error } });
    assert.deepEqual(refusal('invalid_grant'), { refused: 'invalid_grant', isDefinite: true });
    assert.deepEqual(refusal('invalid_client'), { refused: 'invalid_client', isDefinite: false });
  });

  it('reads the user id', () => {
    const [step] = ouraOAuth.afterConnect;
    const answer = { status: 200, headers: {}, body: readFixture('oura', 'personal_info') };
    assert.equal(step?.readUserId(answer), '8f9a5221-639e-4a85-81cb-4065ef23f979');
  });
});
