// Tests webhooks: create, list, change, delete, rotate the secret. Deliveries: webhook-deliveries.long.test.ts.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { HOUR_MS, SECOND_MS } from '../../src/domain/time/durations.ts';
import { EVENT_TYPES } from '../../src/features/notify/events/index.ts';
import type { JsonBody, TestApi } from '../support/test-api.ts';
import { startTestService } from '../support/test-service.ts';
import { ABSENT_ID, createAccount, issuePaths } from '../support/test-users.ts';

const service = await startTestService();
after(() => service.stop());

const URL = 'https://hooks.example/in';
const FIELDS = ['id', 'url', 'events', 'status', 'disabled_reason', 'description', 'created_at', 'last_delivery_at'];

async function openAccount() {
  const account = await createAccount(service);
  return { api: service.api(account.live), sandbox: service.api(account.sandbox) };
}

async function register(api: TestApi, fields: object = {}): Promise<JsonBody> {
  const answer = await api.post('/v1/webhooks', { url: URL, events: ['*'], ...fields });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data;
}

async function expectNotFound(call: (id: string) => Promise<{ status: number; body: JsonBody }>, ids: string[]) {
  for (const id of ids) {
    const answer = await call(id);
    assert.deepEqual([answer.status, answer.body.error], [404, 'not_found'], id);
    assert.ok(answer.body.message.includes(id));
  }
}

describe('POST /v1/webhooks', () => {
  it('201 in data in both forms, with the secret', async () => {
    const { api } = await openAccount();
    for (const form of ['1', '2']) {
      const body = { url: URL, events: ['data.updated', 'user.deleted'], description: 'mine' };
      const answer = await api.post('/v1/webhooks', body, { headers: { 'api-form': form } });
      assert.equal(answer.status, 201, answer.text);
      const { data } = answer.body;
      assert.deepEqual(Object.keys(data), [...FIELDS, 'secret']);
      assert.match(data.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
      const { id, created_at, secret, ...rest } = data;
      assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 60_000);
      assert.deepEqual(rest, { ...body, status: 'active', disabled_reason: null, last_delivery_at: null });
    }
  });

  it('201 for every event type, and a repeated type is stored once', async () => {
    const { api } = await openAccount();
    for (const type of [...EVENT_TYPES, '*'])
      assert.deepEqual((await register(api, { events: [type] })).events, [type]);
    const twice = await register(api, { events: ['data.updated', 'score.updated', 'data.updated'] });
    assert.deepEqual(twice.events, ['data.updated', 'score.updated']);
  });

  it('201 with the URL exactly as given', async () => {
    const { api } = await openAccount();
    for (const url of ['https://hooks.example', 'https://HOOKS.example:443/a/../b?c=d%20e'])
      assert.equal((await register(api, { url })).url, url);
  });

  it('201 twice for the same body: creation is not idempotent', async () => {
    const { api } = await openAccount();
    assert.notEqual((await register(api)).id, (await register(api)).id);
  });

  it('400 names fields that are missing, malformed or unknown', async () => {
    const { api } = await openAccount();
    const cases: [object, string][] = [
      [{ events: ['*'] }, 'url'],
      [{ url: URL }, 'events'],
      [{ url: URL, events: [] }, 'events'],
      [{ url: URL, events: ['data.lost'] }, 'events[0]'],
      [{ url: URL, events: 'data.updated' }, 'events'],
      [{ url: 7, events: ['*'] }, 'url'],
      [{ url: URL, events: ['*'], secret: 'whsec_AAAA' }, 'secret'],
      [{ url: URL, events: ['*'], status: 'disabled' }, 'status'],
      [{ url: URL, events: ['*'], description: 'x'.repeat(501) }, 'description'],
    ];
    for (const [body, path] of cases) {
      const answer = await api.post('/v1/webhooks', body);
      assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_body'], answer.text);
      assert.deepEqual([...new Set(issuePaths(answer.body))], [path]);
    }
  });

  it('400 for a URL that does not lead to the public internet, in any notation', async () => {
    const { api } = await openAccount();
    const urls = [
      'http://hooks.example/in',
      'ftp://hooks.example/in',
      'https://user:secret@hooks.example/in',
      'https://localhost/in',
      'https://a.localhost/in',
      'https://printer.local/in',
      'https://metadata.google.internal/in',
      'https://127.0.0.1/in',
      'https://2130706433/in',
      'https://0x7f.1/in',
      'https://0177.0.0.1/in',
      'https://10.0.0.1/in',
      'https://169.254.169.254/latest',
      'https://100.64.0.1/in',
      'https://[::1]/in',
      'https://[::ffff:127.0.0.1]/in',
      'https://[fd00::1]/in',
      'not a url',
      '',
      `https://hooks.example/${'x'.repeat(2_048)}`,
    ];
    for (const url of urls) {
      const answer = await api.post('/v1/webhooks', { url, events: ['*'] });
      assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_body'], url);
      assert.deepEqual([...new Set(issuePaths(answer.body))], ['url'], url);
      const { id } = await register(api);
      assert.equal((await api.patch(`/v1/webhooks/${id}`, { url })).status, 400, url);
    }
  });

  it('409 above a hundred per environment, also for parallel creates', async () => {
    const { api, sandbox } = await openAccount();
    const answers = await Promise.all(
      Array.from({ length: 110 }, () => api.post('/v1/webhooks', { url: URL, events: ['*'] })),
    );
    assert.equal(answers.filter(({ status }) => status === 201).length, 100);
    const refused = answers.filter(({ status }) => status === 409);
    assert.equal(refused.length, 10);
    assert.deepEqual([refused[0]?.body.error, refused[0]?.body.details], ['too_many_webhooks', { limit: 100 }]);
    await register(sandbox);
  });
});

describe('GET /v1/webhooks', () => {
  it('200 with the webhooks of the environment, newest first, without secrets', async () => {
    const { api, sandbox } = await openAccount();
    const made = [await register(api), await register(api, { url: 'https://hooks.example/two' })];
    await register(sandbox);
    for (const form of ['1', '2']) {
      const answer = await api.get('/v1/webhooks', { headers: { 'api-form': form } });
      assert.equal(answer.status, 200);
      assert.deepEqual(Object.keys(answer.body), ['data']);
      assert.deepEqual(
        answer.body.data.map(({ id }: JsonBody) => id),
        made.map(({ id }) => id).reverse(),
      );
      for (const webhook of answer.body.data) assert.deepEqual(Object.keys(webhook), FIELDS);
    }
    assert.ok(!(await api.get('/v1/webhooks')).text.includes('whsec_'));
  });
});

describe('PATCH /v1/webhooks/{id}', () => {
  it('200 changes only the given fields', async () => {
    const { api } = await openAccount();
    const { secret, ...made } = await register(api, { description: 'first' });
    const changes: [object, object][] = [
      [{ url: 'https://hooks.example/new' }, { url: 'https://hooks.example/new' }],
      [{ events: ['user.deleted'] }, { events: ['user.deleted'] }],
      [{ description: null }, { description: null }],
      [{ status: 'disabled' }, { status: 'disabled', disabled_reason: 'paused' }],
      [{ status: 'disabled' }, {}],
      [{ status: 'active' }, { status: 'active', disabled_reason: null }],
      [{ status: 'active' }, {}],
    ];
    let expected = made;
    for (const [body, change] of changes) {
      expected = { ...expected, ...change };
      const answer = await api.patch(`/v1/webhooks/${made.id}`, body);
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(answer.body, { data: expected });
      assert.deepEqual((await api.get('/v1/webhooks')).body.data, [expected]);
    }
  });

  it('200 for the id in capital letters', async () => {
    const { api } = await openAccount();
    const { id } = await register(api);
    assert.equal((await api.patch(`/v1/webhooks/${id.toUpperCase()}`, { description: 'x' })).body.data.id, id);
  });

  it('400 for an empty change or an invalid field; nothing changes', async () => {
    const { api } = await openAccount();
    const { id } = await register(api);
    for (const body of [
      {},
      { status: 'paused' },
      { events: [] },
      { url: null },
      { name: 'x' },
      { url: URL, events: ['x'] },
    ])
      assert.equal((await api.patch(`/v1/webhooks/${id}`, body)).body.error, 'invalid_body', JSON.stringify(body));
    assert.deepEqual((await api.get('/v1/webhooks')).body.data[0].url, URL);
  });
});

describe('DELETE /v1/webhooks/{id}', () => {
  it('204, then 404 for every call about it', async () => {
    const { api } = await openAccount();
    const { id } = await register(api);
    const answer = await api.delete(`/v1/webhooks/${id}`);
    assert.deepEqual([answer.status, answer.text], [204, '']);
    assert.deepEqual((await api.get('/v1/webhooks')).body.data, []);
    await expectNotFound((webhookId) => api.delete(`/v1/webhooks/${webhookId}`), [id]);
    await expectNotFound((webhookId) => api.patch(`/v1/webhooks/${webhookId}`, { description: 'x' }), [id]);
  });

  it('204 removes deliveries after the last attempts, by the clock of the database', async (t) => {
    const { api } = await openAccount();
    const { id } = await register(api);
    t.mock.method(Date, 'now', () => performance.timeOrigin + performance.now() + HOUR_MS);
    assert.equal((await api.delete(`/v1/webhooks/${id}`)).status, 204);
    const { db, settings } = service.running.services;
    const [job] = await db.query<{ delay_ms: number }>(
      `select extract(epoch from run_at - created_at)::float * 1000 as delay_ms from graphile_worker._private_jobs
        where payload->>'webhook_id' = $1`,
      [id],
    );
    assert.ok(job);
    assert.ok(job.delay_ms > settings.deliveryTimeoutMs, `${job.delay_ms}`);
    assert.ok(job.delay_ms < settings.deliveryTimeoutMs + 10 * SECOND_MS, `${job.delay_ms}`);
  });
});

describe('a webhook of another account', () => {
  it('404 on every call, as for an unknown one', async () => {
    const { api, sandbox } = await openAccount();
    const foreign = await register((await openAccount()).api);
    const elsewhere = await register(sandbox);
    const ids = [foreign.id, elsewhere.id, ABSENT_ID, 'nothing'];
    await expectNotFound((id) => api.patch(`/v1/webhooks/${id}`, { description: 'x' }), ids);
    await expectNotFound((id) => api.delete(`/v1/webhooks/${id}`), ids);
    await expectNotFound((id) => api.post(`/v1/webhooks/${id}/rotate-secret`), ids);
    await expectNotFound((id) => api.post(`/v1/webhooks/${id}/test`), ids);
    await expectNotFound((id) => api.get(`/v1/webhooks/${id}/deliveries`), ids);
    await expectNotFound((id) => api.post(`/v1/webhooks/${id}/deliveries/${ABSENT_ID}/retry`), ids);
    assert.equal((await sandbox.get('/v1/webhooks')).body.data.length, 1, 'untouched');
  });
});

describe('secrets', () => {
  it('200 with another secret when it is rotated; none is stored in clear text', async () => {
    const { api } = await openAccount();
    const made = await register(api);
    const rotated = await api.post(`/v1/webhooks/${made.id}/rotate-secret`);
    assert.equal(rotated.status, 200, rotated.text);
    assert.deepEqual(Object.keys(rotated.body.data), [...FIELDS, 'secret']);
    assert.notEqual(rotated.body.data.secret, made.secret);
    const [row] = await service.running.services.db.query<{ kept: string }>(
      `select concat(encode(secret, 'escape'), encode(previous_secret, 'escape'), encode(secret, 'base64')) as kept
         from webhooks where id = $1`,
      [made.id],
    );
    for (const secret of [made.secret, rotated.body.data.secret])
      assert.ok(!row?.kept.includes(secret.slice('whsec_'.length)));
  });
});
