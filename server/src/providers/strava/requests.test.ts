// Tokens, rate limits, pages and webhooks of Strava.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { FIXTURE_WINDOW, readFixture } from '../../../test/support/provider-fixture.ts';
import type { WebhookRequest } from '../contract.ts';
import { strava } from './index.ts';

const [activities] = strava.resources;
assert.ok(activities && strava.webhook);
const { webhook, oauth } = strava;
const ACCOUNT = { providerUserId: '1', accessToken: 'a', refreshToken: null };

describe('tokens', () => {
  const tokens = { access_token: 'A', refresh_token: 'R', expires_in: 21_600, expires_at: 1_772_456_400 };
  const answer = (status: number, body: unknown) => oauth.readTokens({ status, headers: {}, body });

  it('name the athlete only after the exchange of the code', () => {
    const read = { accessToken: 'A', refreshToken: 'R', expiresInSeconds: 21_600, scopes: null };
    assert.deepEqual(answer(200, { ...tokens, athlete: { id: 134_815 } }), { ...read, providerUserId: '134815' });
    assert.deepEqual(answer(200, tokens), { ...read, providerUserId: null });
  });

  it('are rejected permanently only if the refresh token is invalid', () => {
    const refusal = (resource: string, code: string) =>
      answer(400, { message: 'Bad Request', errors: [{ resource, field: 'x', code }] });
    assert.deepEqual(refusal('RefreshToken', 'invalid'), { refused: 'invalid_grant', isDefinite: true });
    for (const resource of ['Application', 'AuthorizationCode'])
      assert.deepEqual(refusal(resource, 'invalid'), { refused: 'status 400', isDefinite: false });
  });
});

describe('rate limits', () => {
  const left = (headers: Record<string, string>) =>
    strava.budgets.map(({ readLeft }) => readLeft({ status: 200, headers, body: null }));
  const date = 'Mon, 02 Mar 2026 20:11:05 GMT';

  it('count up for reads and for all requests; the smaller remainder applies until the quarter hour and midnight', () => {
    const headers = {
      date,
      'x-ratelimit-limit': '200,2000',
      'x-ratelimit-usage': '120,1990',
      'x-readratelimit-limit': '100,1000',
      'x-readratelimit-usage': '37, 412',
    };
    assert.deepEqual(left(headers), [
      { left: 63, resetSeconds: 235 },
      { left: 10, resetSeconds: 13_735 },
    ]);
  });

  it('are never negative, and unknown without headers', () => {
    const over = { 'x-readratelimit-limit': '100,1000', 'x-readratelimit-usage': '101,1001' };
    assert.deepEqual(left(over), [
      { left: 0, resetSeconds: 900 },
      { left: 0, resetSeconds: 86_400 },
    ]);
    assert.deepEqual(left({ date, 'x-ratelimit-limit': 'many' }), [null, null]);
  });
});

describe('the list of activities', () => {
  const query = (cursor: string | null) => activities.request(FIXTURE_WINDOW, cursor, ACCOUNT).query;
  const at = (...times: readonly string[]) => times.map((time) => ({ start_date: `2026-03-01T${time}:00Z` }));

  it('continues at the last start, in either order, until a page has no more', () => {
    assert.deepEqual(query(null), { after: '1772323199', before: '1772409600', per_page: '200' });
    const next = activities.nextCursor(at('06:00', '08:00'));
    assert.deepEqual(query(next), { after: '1772352000', before: '1772409600', per_page: '200' });
    const previous = activities.nextCursor(at('08:00', '06:00'));
    assert.deepEqual(query(previous), { after: '1772323199', before: '1772344800', per_page: '200' });
    assert.equal(activities.nextCursor([]), null);
    assert.equal(activities.nextCursor(readFixture('strava', 'run')), null);
  });

  it('continues after a page with one activity, in the direction of the page before', () => {
    assert.equal(activities.nextCursor(at('06:00')), 'after 1772344800');
    assert.equal(activities.nextCursor(at('07:00', '07:00')), 'after 1772348400');
    assert.equal(activities.nextCursor(at('06:00'), 'before 1772352000'), 'before 1772344800');
  });

  it('continues with the next page number if no start can be read', () => {
    const unreadable = [{ start_date: 'soon' }, null];
    assert.equal(activities.nextCursor(unreadable), 'page 2');
    assert.equal(activities.nextCursor(unreadable, 'after 1772344800'), 'after 1772344800 page 2');
    const third = activities.nextCursor(unreadable, 'after 1772344800 page 2');
    assert.deepEqual(query(third), { after: '1772344800', before: '1772409600', per_page: '200', page: '3' });
    assert.equal(activities.nextCursor([...unreadable, ...at('06:00')], 'page 2'), 'after 1772344800');
  });

  it('does not stop at an activity with an unreadable start, or out of order', () => {
    assert.equal(activities.nextCursor([...at('06:00', '08:00'), { start_date: 'soon' }]), 'after 1772352000');
    assert.equal(activities.nextCursor(at('06:00', '08:00', '07:00')), 'after 1772352000');
  });
});

describe('webhooks', () => {
  const body = Buffer.from('{"object_type":"activity"}');
  const secrets = { clientId: 'id', clientSecret: 'secret', verificationToken: 'token', publicKeys: {} };
  const now = new Date('2026-03-02T07:00:00Z');
  const request = (change: Partial<WebhookRequest>): WebhookRequest => ({
    method: 'POST',
    path: '/provider-webhooks/strava/app/token',
    query: {},
    headers: {},
    body,
    ...change,
  });
  const verify = (header: string) =>
    webhook.verify(request({ headers: { 'x-strava-signature': header } }), secrets, now);
  const sign = (seconds: number, secret = 'secret') =>
    `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex')}`;
  const nowSeconds = now.getTime() / 1_000;

  it('echo the challenge to whoever knows the token', () => {
    const challenge = (token: string) =>
      webhook.answerChallenge(
        request({
          method: 'GET',
          query: { 'hub.mode': 'subscribe', 'hub.challenge': '15f7d1a91c1f40f8', 'hub.verify_token': token },
        }),
        secrets,
      );
    assert.deepEqual(challenge('token'), { status: 200, body: '{"hub.challenge":"15f7d1a91c1f40f8"}' });
    assert.deepEqual(challenge('guess'), { status: 401, body: '' });
    assert.equal(webhook.answerChallenge(request({}), secrets), null);
  });

  it('are checked by their signature if they have one', () => {
    assert.equal(verify(sign(nowSeconds)), 'genuine');
    assert.equal(verify(sign(nowSeconds, 'other')), 'forged');
    assert.equal(verify(sign(nowSeconds - 3_600)), 'stale');
    assert.equal(verify('something else'), 'genuine');
    assert.equal(webhook.verify(request({ path: '/provider-webhooks/strava/app/guess' }), secrets, now), 'forged');
  });

  it('report edits, and ignore other changes of the athlete', () => {
    const items = (event: object) =>
      webhook.readWebhookItems(Buffer.from(JSON.stringify({ owner_id: 1, object_id: 2, ...event })));
    const edited = { object_type: 'activity', aspect_type: 'update', updates: { private: 'true' } };
    assert.equal(items(edited)[0]?.kind, 'changed');
    assert.deepEqual(items({ object_type: 'athlete', aspect_type: 'update', updates: { weight: '70' } }), []);
    assert.deepEqual(items({ object_type: 'club', aspect_type: 'create' }), []);
  });

  it('are subscribed once for the application', () => {
    const rule = webhook.subscriptions;
    const listed = rule?.readList({ status: 200, headers: {}, body: [{ id: 120475, callback_url: 'https://a/b' }] });
    assert.deepEqual(listed, [{ id: '120475', topic: 'all', endsAt: null, callbackUrl: 'https://a/b' }]);
    assert.deepEqual(rule?.createRequest('all', 'https://a/b', secrets, null).form, {
      callback_url: 'https://a/b',
      verify_token: 'token',
    });
  });
});
