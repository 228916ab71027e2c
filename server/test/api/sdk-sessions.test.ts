// Tests SDK sessions: idempotent creation, single-use tokens, rotation, revocation.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/time/durations.ts';
import { tidySdkSessionsJob } from '../../src/features/tenancy/sdk-sessions/index.ts';
import type { Answer, JsonBody } from '../support/test-api.ts';
import { createMovableClock } from '../support/test-clock.ts';
import { startTestService } from '../support/test-service.ts';
import { ABSENT_ID, createAccount, createUser, issuePaths } from '../support/test-users.ts';

const clock = createMovableClock();
const service = await startTestService({ clock });
after(() => service.stop());
const api = service.api();
const phone = service.api(null);

const PARALLEL = 100;

async function create(userId: string, fields: object = {}, key: string | null = randomUUID()): Promise<Answer> {
  const body = { installation_id: 'phone-1', platform: 'ios', ...fields };
  return api.post(`/v1/users/${userId}/sdk-sessions`, body, {
    headers: key === null ? {} : { 'idempotency-key': key },
  });
}

const exchange = (token: string, fields: object = {}) =>
  phone.post('/v1/sdk/sessions/exchange', { client_token: token, ...fields });
const refresh = (token: string) => phone.post('/v1/sdk/sessions/refresh', { refresh_token: token });
const endCurrent = (token: string) => service.api(token).delete('/v1/sdk/sessions/current');
const list = async (userId: string): Promise<JsonBody[]> =>
  (await api.get(`/v1/users/${userId}/sdk-sessions`)).body.data;

async function activate(userId: string, fields: object = {}): Promise<JsonBody> {
  const answer = await exchange((await create(userId, fields)).body.client_token);
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

describe('POST /v1/users/{id}/sdk-sessions', () => {
  it('201 with a bootstrap whose defaults follow the platform', async () => {
    const user = await createUser(api);
    const answer = await create(user.id);
    assert.equal(answer.status, 201);
    assert.match(answer.body.client_token, /^ct_/);
    assert.equal(answer.body.user_id, user.id);
    assert.equal(answer.body.status, 'pending');
    assert.deepEqual(answer.body.sources, ['apple_health']);
    assert.equal(answer.body.scopes.length, 6);
    assert.equal(answer.body.endpoints.exchange, `${service.url}/v1/sdk/sessions/exchange`);
    const lifeMs = Date.parse(answer.body.client_token_expires_at) - clock.now().getTime();
    assert.ok(lifeMs > 9 * MINUTE_MS && lifeMs <= 10 * MINUTE_MS);
    const android = await create(user.id, { platform: 'android', installation_id: 'phone-2', scopes: ['sleep'] });
    assert.deepEqual(android.body.sources, ['health_connect', 'samsung_health']);
    assert.deepEqual(android.body.scopes, ['sleep']);
  });

  it('200 with the same response for the same key and body', async () => {
    const user = await createUser(api);
    const key = randomUUID();
    const first = await create(user.id, {}, key);
    const again = await create(user.id, {}, key.toUpperCase());
    assert.equal(first.status, 201);
    assert.equal(again.status, 200);
    assert.deepEqual(again.body, first.body);
  });

  it('201 once and 200 otherwise for 100 parallel requests of one key, all with one token', async () => {
    const user = await createUser(api);
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: PARALLEL }, () => create(user.id, {}, key)));
    assert.equal(answers.filter((answer) => answer.status === 201).length, 1);
    assert.equal(answers.filter((answer) => answer.status === 200).length, PARALLEL - 1);
    assert.equal(new Set(answers.map((answer) => answer.body.client_token)).size, 1);
    assert.equal((await list(user.id)).length, 1);
  });

  it('200 recovers the session of an installation with a new token, and invalidates the earlier one', async () => {
    const user = await createUser(api);
    const first = await create(user.id);
    const second = await create(user.id);
    assert.equal(second.status, 200);
    assert.equal(second.body.session_id, first.body.session_id);
    assert.notEqual(second.body.client_token, first.body.client_token);
    assert.equal((await exchange(first.body.client_token)).status, 401);
    assert.equal((await exchange(second.body.client_token)).status, 200);
  });

  it('200 with a new token when the replayed one was used or has expired', async () => {
    const user = await createUser(api);
    const key = randomUUID();
    const first = await create(user.id, {}, key);
    assert.equal((await exchange(first.body.client_token)).status, 200);
    const used = await create(user.id, {}, key);
    assert.equal(used.status, 200);
    assert.notEqual(used.body.client_token, first.body.client_token);
    clock.advance(11 * MINUTE_MS);
    const repeated = await exchange(used.body.client_token);
    assert.equal(repeated.status, 401);
    assert.match(repeated.body.message, /was used before\. Get a new one from your backend\.$/);
    const expired = await create(user.id, {}, key);
    assert.equal(expired.status, 200);
    assert.equal((await exchange(expired.body.client_token)).status, 200);
  });

  it('200 with the same revoked session for a repeat that arrives after the revocation, and opens nothing', async () => {
    const user = await createUser(api);
    const key = randomUUID();
    const first = await create(user.id, {}, key);
    const path = `/v1/users/${user.id}/sdk-sessions/${first.body.session_id}`;
    assert.equal((await api.delete(path)).status, 204);
    const late = await create(user.id, {}, key);
    assert.equal(late.status, 200);
    assert.deepEqual(late.body, { ...first.body, status: 'revoked' });
    assert.equal((await exchange(late.body.client_token)).status, 401);
    assert.deepEqual(await list(user.id), []);

    const next = await create(user.id);
    assert.equal(next.status, 201);
    assert.deepEqual(
      (await create(user.id, {}, key)).body,
      late.body,
      'also beside a later session of the installation',
    );
    assert.equal((await exchange(next.body.client_token)).status, 200, 'whose token stays valid');
  });

  it('404 for a repeat whose revoked session has been removed', async () => {
    const user = await createUser(api);
    const key = randomUUID();
    const { session_id } = (await create(user.id, {}, key)).body;
    await api.delete(`/v1/users/${user.id}/sdk-sessions/${session_id}`);
    await service.running.services.db.query('delete from sdk_sessions where id = $1', [session_id]);
    const late = await create(user.id, {}, key);
    assert.deepEqual([late.status, late.body.details], [404, { session_id }]);
    assert.deepEqual(await list(user.id), []);
  });

  it('200 recovers a session with its sources and scopes, unless the request names others', async () => {
    const user = await createUser(api);
    const given = ({ body }: Answer) => [body.sources, body.scopes];
    const narrow = { platform: 'android', sources: ['health_connect'], scopes: ['sleep'] };
    assert.deepEqual(given(await create(user.id, narrow)), [['health_connect'], ['sleep']]);
    assert.deepEqual(given(await create(user.id, { platform: 'android' })), [['health_connect'], ['sleep']]);
    const wider = { platform: 'android', scopes: ['sleep', 'vitals'] };
    assert.deepEqual(given(await create(user.id, wider)), [['health_connect'], ['sleep', 'vitals']]);
    assert.deepEqual(given(await create(user.id, { platform: 'ios' })), [['apple_health'], ['sleep', 'vitals']]);
  });

  it('409 idempotency_conflict for the same key with another body, until a day has passed', async () => {
    const user = await createUser(api);
    const key = randomUUID();
    await create(user.id, {}, key);
    const other = await create(user.id, { installation_id: 'phone-9' }, key);
    assert.deepEqual([other.status, other.body.error], [409, 'idempotency_conflict']);
    clock.advance(DAY_MS + MINUTE_MS);
    assert.equal((await create(user.id, { installation_id: 'phone-9' }, key)).status, 201);
  });

  it('400 invalid_idempotency_key without a UUID', async () => {
    const user = await createUser(api);
    for (const key of [null, 'x', '123']) {
      const answer = await create(user.id, {}, key);
      assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_idempotency_key']);
    }
  });

  it('400 names the invalid fields of the body', async () => {
    const user = await createUser(api);
    const answer = await create(user.id, {
      platform: 'symbian',
      installation_id: '',
      sources: ['oura'],
      scopes: ['scores'],
      extra: 1,
    });
    assert.equal(answer.status, 400);
    assert.deepEqual(issuePaths(answer.body).sort(), [
      'extra',
      'installation_id',
      'platform',
      'scopes[0]',
      'sources[0]',
    ]);
  });

  it('404 for an unknown user, and for one of another environment', async () => {
    assert.equal((await create(ABSENT_ID)).status, 404);
    const sandboxUser = await createUser(service.api(service.keys.sandbox));
    assert.equal((await create(sandboxUser.id)).status, 404);
  });

  it('works while the account is past due', async () => {
    const account = await createAccount(service);
    const user = await createUser(service.api(account.live));
    await service
      .operator()
      .patch(`/admin/accounts/${encodeURIComponent(account.name)}`, { billing_status: 'suspended' });
    const body = { installation_id: 'a', platform: 'ios' };
    const answer = await service
      .api(account.live)
      .post(`/v1/users/${user.id}/sdk-sessions`, body, { headers: { 'idempotency-key': randomUUID() } });
    assert.equal(answer.status, 201, answer.text);
  });
});

describe('POST /v1/sdk/sessions/exchange', () => {
  it('200 once: of 100 parallel exchanges exactly one succeeds', async () => {
    const user = await createUser(api);
    const { body } = await create(user.id);
    const answers = await Promise.all(Array.from({ length: PARALLEL }, () => exchange(body.client_token)));
    assert.equal(answers.filter((answer) => answer.status === 200).length, 1);
    assert.equal(
      answers.filter((answer) => answer.status === 401 && answer.body.error === 'invalid_token').length,
      PARALLEL - 1,
    );
  });

  it('200 for a mobile token, once, with its scopes; creates the session in one step', async () => {
    const user = await createUser(api);
    const issued = await api.post('/v1/auth/mobile-token', { user_id: user.id, scopes: ['sleep', 'vitals'] });
    const answers = await Promise.all(
      Array.from({ length: PARALLEL }, () =>
        exchange(issued.body.token, { installation_id: 'watch', platform: 'android' }),
      ),
    );
    const good = answers.filter((answer) => answer.status === 200);
    assert.equal(good.length, 1);
    assert.deepEqual(good[0]?.body.scopes, ['sleep', 'vitals']);
    const [session] = await list(user.id);
    assert.deepEqual([session.installation_id, session.status, session.platform], ['watch', 'active', 'android']);
  });

  it('200 for a mobile token of an existing installation: its sources stay, the scopes are those of the token', async () => {
    const user = await createUser(api);
    const { body: first } = await create(user.id, {
      platform: 'android',
      sources: ['samsung_health'],
      scopes: ['sleep'],
    });
    const issued = await api.post('/v1/auth/mobile-token', { user_id: user.id, scopes: ['vitals'] });
    const { body } = await exchange(issued.body.token, { installation_id: 'phone-1', platform: 'android' });
    assert.deepEqual([body.session_id, body.scopes], [first.session_id, ['vitals']]);
    assert.deepEqual((await list(user.id))[0].sources, ['samsung_health']);
  });

  it('200 for several mobile tokens that open one installation at the same time', async () => {
    const user = await createUser(api);
    const issue = async () => (await api.post('/v1/auth/mobile-token', { user_id: user.id })).body.token;
    const tokens = await Promise.all(Array.from({ length: 6 }, issue));
    const answers = await Promise.all(
      tokens.map((token) => exchange(token, { installation_id: 'shared', platform: 'ios' })),
    );
    assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [200]);
    assert.equal((await list(user.id)).length, 1);
  });

  it('401 invalid_token for an unknown, forged or expired token, and for one of a deleted user', async () => {
    const user = await createUser(api);
    const { body } = await create(user.id);
    for (const token of ['ct_x', 'mt_x', 'garbage', body.client_token.slice(0, -1)])
      assert.equal((await exchange(token)).status, 401);
    const mobile = (await api.post('/v1/auth/mobile-token', { user_id: user.id })).body.token;
    await api.delete(`/v1/users/${user.id}`);
    for (const token of [body.client_token, mobile]) {
      const answer = await exchange(token);
      assert.deepEqual([answer.status, answer.body.error], [401, 'invalid_token']);
    }
  });
});

describe('POST /v1/sdk/sessions/refresh', () => {
  it('200 rotates the tokens, and the access token is valid for an hour', async () => {
    const user = await createUser(api);
    const first = await activate(user.id);
    const second = await refresh(first.refresh_token);
    assert.equal(second.status, 200);
    assert.notEqual(second.body.refresh_token, first.refresh_token);
    clock.advance(HOUR_MS + MINUTE_MS);
    const late = await endCurrent(second.body.access_token);
    assert.deepEqual([late.status, late.body.error], [401, 'token_expired']);
    const third = await refresh(second.body.refresh_token);
    assert.equal((await endCurrent(third.body.access_token)).status, 204);
  });

  it('200 with the same successor for a rotated token whose response was lost', async () => {
    const user = await createUser(api);
    const first = await activate(user.id);
    const lost = await refresh(first.refresh_token);
    const again = await refresh(first.refresh_token);
    assert.equal(again.status, 200);
    assert.equal(again.body.refresh_token, lost.body.refresh_token);
    assert.equal((await refresh(again.body.refresh_token)).status, 200);
  });

  it('200 for many parallel refreshes: none locks the phone out', async () => {
    const user = await createUser(api);
    const first = await activate(user.id);
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(first.refresh_token)));
    assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [200]);
    assert.equal(new Set(answers.map((answer) => answer.body.refresh_token)).size, 1);
  });

  it('401 and revokes the session when a rotated token is used after its successor', async () => {
    const user = await createUser(api);
    const first = await activate(user.id);
    const second = (await refresh(first.refresh_token)).body;
    const third = (await refresh(second.refresh_token)).body;
    assert.equal((await refresh(first.refresh_token)).status, 401);
    assert.equal((await refresh(third.refresh_token)).status, 401);
    assert.deepEqual(await list(user.id), []);
  });

  it('401 after 60 days without a refresh, and for other tokens', async () => {
    const user = await createUser(api);
    const first = await activate(user.id);
    for (const token of ['sr_x', first.access_token, 'garbage']) assert.equal((await refresh(token)).status, 401);
    const second = (await refresh(first.refresh_token)).body;
    clock.advance(60 * DAY_MS + MINUTE_MS);
    for (const token of [first.refresh_token, second.refresh_token]) assert.equal((await refresh(token)).status, 401);
    assert.deepEqual(await list(user.id), [], 'a session that cannot be refreshed has ended');
  });
});

describe('revocation', () => {
  it('204 takes effect on the next request, 404 the second time', async () => {
    const user = await createUser(api);
    const credentials = await activate(user.id);
    const path = `/v1/users/${user.id}/sdk-sessions/${credentials.session_id}`;
    assert.equal((await api.delete(path)).status, 204);
    assert.equal((await endCurrent(credentials.access_token)).status, 401);
    assert.equal((await refresh(credentials.refresh_token)).status, 401);
    assert.equal((await api.delete(path)).status, 404);
    assert.equal((await api.delete(`/v1/users/${user.id}/sdk-sessions/no-uuid`)).status, 404);
  });

  it('404 for the session of another user', async () => {
    const [user, other] = [await createUser(api), await createUser(api)];
    const credentials = await activate(user.id);
    assert.equal((await api.delete(`/v1/users/${other.id}/sdk-sessions/${credentials.session_id}`)).status, 404);
    assert.equal((await list(user.id)).length, 1);
  });

  it('204 with the SDK credential itself; 403 for an API key there, and for the credential on REST', async () => {
    const user = await createUser(api);
    const credentials = await activate(user.id);
    assert.equal((await api.delete('/v1/sdk/sessions/current')).status, 403);
    assert.equal((await service.api(credentials.access_token).get('/v1/users')).status, 403);
    assert.equal((await endCurrent(credentials.access_token)).status, 204);
    const repeated = await endCurrent(credentials.access_token);
    assert.deepEqual([repeated.status, repeated.body.error], [401, 'invalid_token']);
  });
});

describe('GET /v1/users/{id}/sdk-sessions', () => {
  it('200 lists pending and active sessions; a pending one is removed a day after its token expired', async () => {
    const user = await createUser(api);
    await create(user.id, { installation_id: 'pending' });
    await activate(user.id, { installation_id: 'active' });
    const statuses = async () =>
      (await list(user.id)).map((session) => `${session.installation_id} ${session.status}`).sort();
    assert.deepEqual(await statuses(), ['active active', 'pending pending']);
    clock.advance(DAY_MS + 11 * MINUTE_MS);
    assert.deepEqual(await statuses(), ['active active']);
  });
});

it('stores nothing in the database that could open a session', async () => {
  const user = await createUser(api);
  const bootstrap = (await create(user.id)).body;
  const credentials = (await exchange(bootstrap.client_token)).body;
  const rows = await service.running.services.db.query(
    `select s::text as text from sdk_sessions s union all select r::text from sdk_session_requests r`,
  );
  const text = JSON.stringify(rows);
  for (const secret of [bootstrap.client_token, credentials.access_token, credentials.refresh_token])
    assert.ok(!text.includes(secret.slice(3, 40)));
});

it('keeps an old session that was revoked as long as a repeat returns it', async () => {
  const { services } = service.running;
  const user = await createUser(api);
  await activate(user.id);
  clock.advance(3 * DAY_MS);
  const key = randomUUID();
  const { session_id } = (await create(user.id, {}, key)).body;
  assert.equal((await api.delete(`/v1/users/${user.id}/sdk-sessions/${session_id}`)).status, 204);
  await tidySdkSessionsJob.run(services, {});
  const late = await create(user.id, {}, key);
  assert.deepEqual([late.status, late.body.session_id, late.body.status], [200, session_id, 'revoked']);
  clock.advance(DAY_MS + MINUTE_MS);
  await tidySdkSessionsJob.run(services, {});
  assert.deepEqual(await services.db.query('select 1 from sdk_sessions where user_id = $1', [user.id]), []);
});

it('removes sessions that can never be used again, and keeps the others', async () => {
  const user = await createUser(api);
  await activate(user.id, { installation_id: 'alive' });
  await create(user.id, { installation_id: 'never started' });
  clock.advance(2 * DAY_MS);
  await tidySdkSessionsJob.run(service.running.services, {});
  const rows = await service.running.services.db.query<{ installation_id: string }>(
    'select installation_id from sdk_sessions where user_id = $1',
    [user.id],
  );
  assert.deepEqual(
    rows.map((row) => row.installation_id),
    ['alive'],
  );
});
