import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readFixture } from '../../../test/support/provider-fixture.ts';
import { ProviderAnswerError } from '../contract.ts';
import { withings } from './index.ts';
import { withingsOAuth } from './oauth.ts';
import { withingsSubscriptions } from './subscriptions.ts';
import { withingsWebhook } from './webhook.ts';

const read = (name: string) => readFixture('withings', name);
const answer = (body: unknown, status = 200) => ({ status, headers: {}, body });

describe("Withings' tokens", () => {
  it('reads tokens from the nested body', () => {
    assert.deepEqual(withingsOAuth.readTokens(answer(read('token'))), {
      accessToken: 'example-access',
      refreshToken: 'example-refresh',
      expiresInSeconds: 10_800,
      providerUserId: '363',
      scopes: ['user.info', 'user.metrics', 'user.activity', 'user.sleepevents'],
    });
  });

  it('treats only a revoked grant as a definite refusal', () => {
    const isDefinite = (body: unknown, status = 200) => {
      const tokens = withingsOAuth.readTokens(answer(body, status));
      return 'refused' in tokens && tokens.isDefinite;
    };
    assert.equal(isDefinite(read('error')), true);
    assert.equal(isDefinite({ status: 503, body: {}, error: 'Invalid Params: invalid refresh_token' }), true);
    assert.equal(isDefinite({ status: 401, body: {}, error: 'invalid_client: wrong client_secret' }), false);
    assert.equal(isDefinite(read('rate-limited')), false);
    assert.equal(isDefinite({ status: 522, body: {}, error: 'Timeout' }), false);
    assert.equal(isDefinite({ status: 401, body: {}, error: 'invalid_token' }, 503), false);
  });

  it('names its action and its scopes as Withings does', () => {
    assert.equal(withingsOAuth.refreshRequest?.('r').form?.action, 'requesttoken');
    assert.equal(withingsOAuth.scopeSeparator, ',');
  });

  it('revokes with a nonce, signed both times', () => {
    const [requestNonce, revoke] = withingsOAuth.revokeSteps ?? [];
    const reported = {
      account: { providerUserId: '363', accessToken: 'a', refreshToken: null },
      client: { clientId: 'test-client-id', clientSecret: 'test-client-secret' },
      now: new Date(1_772_434_510_999),
    };
    assert.deepEqual(requestNonce?.({ ...reported, before: null }).form, {
      action: 'getnonce',
      client_id: 'test-client-id',
      timestamp: '1772434510',
      signature: '94217a5f29e3afff61c4dc39b89bad3cec7c2cf36c9d96987df7c3379fc674d8',
    });
    const before = answer({ status: 0, body: { nonce: 'example-nonce' } });
    assert.deepEqual(revoke?.({ ...reported, before }).form, {
      action: 'revoke',
      client_id: 'test-client-id',
      nonce: 'example-nonce',
      userid: '363',
      signature: '3904580218bc1c19417285e89762dc03aa972e21f1357162de748f92f9b6282a',
    });
    assert.throws(() => revoke?.({ ...reported, before: answer({ status: 503, body: {} }) }), ProviderAnswerError);
  });

  it('waits as long as the response says', () => {
    const [budget] = withings.budgets;
    assert.deepEqual(budget?.readLeft(answer(read('rate-limited'))), { left: 0, resetSeconds: 30 });
    assert.deepEqual(budget?.readLeft(answer({ status: 601, body: {} })), { left: 0, resetSeconds: 60 });
    assert.equal(budget?.readLeft(answer(read('activity'))), null);
  });
});

describe("Withings' webhooks", () => {
  const webhooks = (form: Readonly<Record<string, string>>) =>
    withingsWebhook.readWebhookItems(Buffer.from(new URLSearchParams(form).toString()));
  const probe = (method: string, body: string) =>
    withingsWebhook.answerChallenge(
      { method, path: '/n', query: {}, headers: {}, body: Buffer.from(body) },
      { clientId: '', clientSecret: '', verificationToken: '', publicKeys: {} },
    );

  it('answers the check of its URL', () => {
    for (const [method, body] of [
      ['HEAD', ''],
      ['GET', ''],
      ['POST', ''],
    ] as const)
      assert.deepEqual(probe(method, body), { status: 200, body: '' });
    assert.equal(probe('POST', 'userid=1&appli=1'), null);
  });

  it('rejects a request without our secret in the path', () => {
    const request = { method: 'POST', path: '/provider-webhooks/', query: {}, headers: {}, body: new Uint8Array() };
    const secrets = { clientId: 'a', clientSecret: 'b', verificationToken: '', publicKeys: {} };
    assert.equal(withingsWebhook.verify(request, secrets, new Date(0)), 'forged');
  });

  it('fetches all activity of a date in every time zone', () => {
    const reported = webhooks({ userid: '363', appli: '16', date: '2026-03-02' });
    assert.deepEqual(
      reported.map((webhook) => (webhook.kind === 'changed' ? webhook.resource : null)),
      ['activity', 'workouts', 'intraday'],
    );
    const [first] = reported;
    assert.ok(first?.kind === 'changed' && first.from !== null && first.to !== null);
    assert.equal(new Date(first.from).toISOString(), '2026-03-01T10:00:00.000Z');
    assert.equal(new Date(first.to).toISOString(), '2026-03-03T12:00:00.000Z');
  });

  it('ends when the user revokes access', () => {
    const ended = read('notification-user') as Record<string, string>;
    assert.deepEqual(webhooks(ended), [{ kind: 'deauthorized', providerUserId: '363' }]);
    assert.deepEqual(webhooks({ ...ended, action: 'update' }), []);
  });

  it('reads its subscriptions and deletes them by their id', () => {
    const [found] = withingsSubscriptions.readList(answer(read('notify-list')));
    assert.deepEqual(found, {
      id: '44 https://health.example/provider-webhooks/secret',
      topic: '44',
      endsAt: null,
      callbackUrl: 'https://health.example/provider-webhooks/secret',
    });
    assert.deepEqual(withingsSubscriptions.deleteRequest(found?.id ?? '', null).form, {
      action: 'revoke',
      callbackurl: 'https://health.example/provider-webhooks/secret',
      appli: '44',
    });
  });

  it('does not read a refusal as an empty list', () => {
    assert.throws(() => withingsSubscriptions.readList(answer(read('rate-limited'))), ProviderAnswerError);
    assert.equal(withingsSubscriptions.readFailure?.(answer(read('error'))), 'unauthorized');
    assert.equal(withingsSubscriptions.readFailure?.(answer({ status: 0, body: {} })), null);
  });
});
