// Lost, slow, broken and refused answers.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { waitUntil } from '../../../server/test/support/wait-until.ts';
import {
  ApiError,
  ConnectionError,
  InvalidTokenError,
  NotFoundError,
  OverloadedError,
  RateLimitedError,
  TimeoutError,
  Tributary,
  UnavailableError,
} from '../src/index.ts';
import { breakOff, error, hang, json, lose, startFaultyServer } from './faulty-server.ts';

const USER = { external_ref: 'r1' };
const OK = json(200, { data: [], next_cursor: null });

async function open(t: TestContext, options: { timeoutMs?: number; maxRetries?: number; retryDelayMs?: number } = {}) {
  const server = await startFaultyServer(t);
  const base = { baseUrl: server.url, apiKey: 'sk_test', form: 2, retryDelayMs: 1 } as const;
  return { server, client: new Tributary({ ...base, ...options }) };
}

async function findClosedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('a read', () => {
  for (const [name, fault] of Object.entries({
    'a lost answer': lose,
    'half an answer': breakOff,
    '429': error(429, 'rate_limited', { 'retry-after': '0' }),
    '500': error(500, 'internal'),
    '502 of a proxy': json(502, 'bad gateway'),
    '503': error(503, 'unavailable'),
  }))
    it(`is sent again after ${name}`, async (t) => {
      const { server, client } = await open(t);
      server.answer(fault, fault, OK);
      assert.deepEqual(await client.users.list(), { data: [], next_cursor: null });
      assert.equal(server.received.length, 3);
    });

  it('fails with the last error after all retries', async (t) => {
    const { server, client } = await open(t, { maxRetries: 2 });
    server.answer(error(503, 'unavailable'));
    await assert.rejects(client.users.list(), (failure) => {
      assert.ok(failure instanceof UnavailableError && failure instanceof ApiError);
      assert.deepEqual([failure.code, failure.status, failure.attempts], ['unavailable', 503, 3]);
      assert.deepEqual([failure.requestId, failure.message], ['req_1', 'It is unavailable.']);
      return true;
    });
    assert.equal(server.received.length, 3);
  });

  it('fails at once if the service asks for a longer delay than allowed', async (t) => {
    const { server, client } = await open(t);
    server.answer(error(429, 'rate_limited', { 'retry-after': '31' }));
    await assert.rejects(client.users.list(), RateLimitedError);
    assert.equal(server.received.length, 1);
  });

  it('ends an attempt after timeoutMs', async (t) => {
    const { server, client } = await open(t, { timeoutMs: 100, maxRetries: 10 });
    server.answer(hang);
    await assert.rejects(client.users.list({}, { maxRetries: 1 }), TimeoutError);
    assert.equal(server.received.length, 2);
    server.answer(hang, OK);
    await client.users.list();
  });

  it('ends all requests that share a time limit, closes their connections, and no other', async (t) => {
    const { server, client } = await open(t, { timeoutMs: 200, maxRetries: 0 });
    let closed = 0;
    server.answer((response) => void response.on('close', () => (closed += 1)));
    const late = await Promise.allSettled([client.users.list(), client.users.list(), client.users.list()]);
    for (const { status, reason } of late as PromiseRejectedResult[])
      assert.deepEqual([status, reason instanceof TimeoutError], ['rejected', true]);
    await waitUntil('the connections close', () => closed === 3);
    server.answer(OK);
    await client.users.list({}, { maxRetries: 10 });
  });

  it('joins the chunks of a response, also within a character', async (t) => {
    const { server, client } = await open(t);
    const bytes = Buffer.from(JSON.stringify({ data: ['Grüße, 健康'], next_cursor: null }));
    server.answer(async (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      for (const byte of bytes) await new Promise((resolve) => response.write(Buffer.of(byte), resolve));
      response.end();
    });
    assert.deepEqual((await client.users.list()).data, ['Grüße, 健康']);
  });

  it('fails if the answer is not JSON, and reads a fetch without streams', async (t) => {
    const { server, client } = await open(t, { maxRetries: 0 });
    server.answer((response) => response.writeHead(200).end('<html>'));
    await assert.rejects(client.users.list(), ConnectionError);
    const fetch = async () => ({ ok: true, status: 200, json: async () => ({ data: [] }) }) as unknown as Response;
    const other = new Tributary({ baseUrl: server.url, apiKey: 'sk_test', form: 2, fetch });
    assert.deepEqual(await other.users.list(), { data: [] });
  });

  it('ends an attempt whose response stops halfway', async (t) => {
    const { server, client } = await open(t, { timeoutMs: 200, maxRetries: 0 });
    server.answer((response) => response.writeHead(200, { 'content-length': '100' }).write('{"data":'));
    await assert.rejects(client.users.list(), TimeoutError);
  });

  it('ends by its signal: before, during and between attempts', async (t) => {
    const { server, client } = await open(t, { retryDelayMs: 30_000 });
    await assert.rejects(client.users.list({}, { signal: AbortSignal.abort(new Error('mine')) }), /mine/);
    assert.equal(server.received.length, 0);
    const during = new AbortController();
    server.answer(() => during.abort(new Error('mine')));
    await assert.rejects(client.users.list({}, { signal: during.signal }), /mine/);
    const between = new AbortController();
    server.answer((response) => {
      response.on('close', () => setImmediate(() => between.abort(new Error('mine'))));
      response.destroy();
    });
    await assert.rejects(client.users.list({}, { signal: between.signal }), /mine/);
    assert.equal(server.received.length, 2);
  });

  it('does not follow a redirect', async (t) => {
    const { server, client } = await open(t, { maxRetries: 0 });
    server.answer((response) => response.writeHead(301, { location: 'http://127.0.0.1:1/' }).end());
    await assert.rejects(client.users.list(), /redirected/);
  });

  it('shows what was wrong in the message of its error', async (t) => {
    const { server, client } = await open(t);
    const issues = ['a', '', 'c[0]', 'd'].map((path) => ({ path, message: 'is bad' }));
    const fail = (details: object) => json(400, { error: 'e', message: 'It is invalid. See details.issues.', details });
    for (const [details, message] of [
      [{ issues: issues.slice(0, 2) }, 'It is invalid. a: is bad; is bad'],
      [{ issues }, 'It is invalid. a: is bad; is bad; c[0]: is bad and 1 more'],
      [{ unsupported: ['stepz'] }, 'It is invalid. stepz'],
      [{ issues: [] }, 'It is invalid. See details.issues.'],
      [{}, 'It is invalid. See details.issues.'],
    ] as const) {
      server.answer(fail(details));
      await assert.rejects(client.users.list(), { name: 'ApiError', message, details });
    }
  });

  it('has a code for an answer that is not ours', async (t) => {
    const { server, client } = await open(t, { maxRetries: 0 });
    server.answer((response) => response.writeHead(418).end('<html>'));
    await assert.rejects(client.users.list(), { name: 'ApiError', code: 'http_418', status: 418 });
    server.answer(error(400, 'constructor'));
    await assert.rejects(client.users.list(), { name: 'ApiError', code: 'constructor' });
  });
});

describe('a call that creates something', () => {
  it('is not sent again after a lost answer', async (t) => {
    const { server, client } = await open(t);
    for (const fault of [lose, error(503, 'unavailable'), error(500, 'internal')]) {
      server.answer(fault);
      await assert.rejects(client.users.create(USER));
    }
    assert.equal(server.received.length, 3);
  });

  it('is sent again where nothing was done: 429 and overloaded', async (t) => {
    const { server, client } = await open(t);
    server.answer(error(429, 'rate_limited'), error(503, 'overloaded'), json(201, { id: 'u1' }));
    assert.equal((await client.users.create(USER)).id, 'u1');
    assert.equal(server.received.length, 3);
    server.answer(error(503, 'overloaded'));
    await assert.rejects(client.users.create(USER, { maxRetries: 0 }), OverloadedError);
  });

  it('is sent again while nobody listens', async (t) => {
    const { server } = await open(t);
    const closed = `http://127.0.0.1:${await findClosedPort()}`;
    let calls = 0;
    const client = new Tributary({
      baseUrl: closed,
      form: 2,
      retryDelayMs: 1,
      fetch: (input, init) => {
        calls += 1;
        return fetch(calls < 3 ? input : String(input).replace(closed, server.url), init);
      },
    });
    server.answer(json(201, { id: 'u1' }));
    assert.equal((await client.users.create(USER)).id, 'u1');
    assert.equal(calls, 3);
    calls = -10;
    await assert.rejects(client.users.create(USER), ConnectionError);
  });

  it('has one idempotency key for all attempts of an SDK session', async (t) => {
    const { server, client } = await open(t);
    server.answer(lose, json(200, { session_id: 's1' }));
    await client.sdkSessions.create('u1', { installation_id: 'i1', platform: 'ios' });
    const keys = server.received.map(({ headers }) => headers['idempotency-key']);
    assert.match(String(keys[0]), /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    assert.equal(keys[0], keys[1]);
  });
});

describe('a deletion', () => {
  it('succeeds if a lost attempt deleted it', async (t) => {
    const { server, client } = await open(t);
    server.answer(lose, error(404, 'not_found'));
    assert.equal(await client.webhooks.delete('w1'), undefined);
    server.answer(lose, error(404, 'not_found'));
    assert.deepEqual(await client.users.delete('u1'), { id: 'u1', status: 'deleting' });
  });

  it('succeeds if a lost attempt ended its own session, and fails if the session had ended before', async (t) => {
    const { server, client } = await open(t);
    server.answer(lose, error(401, 'invalid_token'));
    assert.equal(await client.sdk.revoke(), undefined);
    server.answer(error(401, 'invalid_token'));
    await assert.rejects(client.sdk.revoke(), InvalidTokenError);
  });

  it('fails if there was nothing to delete', async (t) => {
    const { server, client } = await open(t);
    server.answer(error(429, 'rate_limited'), error(404, 'not_found'));
    await assert.rejects(client.webhooks.delete('w1'), NotFoundError);
  });
});

describe('a request', () => {
  it('has the form, the credential, lists and JSON', async (t) => {
    const { server, client } = await open(t);
    server.answer(OK);
    await client.daily.get('u 1', { types: ['steps', 'weight'], include_sources: true });
    await client.users.create(USER);
    const [read, created] = server.received;
    assert.equal(read?.path, '/v1/users/u%201/daily?types=steps%2Cweight&include_sources=true');
    assert.deepEqual([read?.headers['api-form'], read?.headers.authorization], ['2', 'Bearer sk_test']);
    assert.deepEqual([created?.body, created?.headers['content-type']], ['{"external_ref":"r1"}', 'application/json']);
  });

  it('is not sent with an id that names another resource', async (t) => {
    const { server, client } = await open(t);
    for (const id of ['', '.', '..']) await assert.rejects(client.users.delete(id), /user_id must be an id/);
    assert.equal(server.received.length, 0);
  });

  it('gets another token once when its token has expired', async (t) => {
    const { server } = await open(t);
    const tokens = ['old', 'new', 'newer'];
    const client = new Tributary({ baseUrl: server.url, form: 2, token: () => tokens.shift() ?? '' });
    server.answer(error(401, 'token_expired'), OK);
    await client.users.list();
    const sent = server.received.map(({ headers }) => headers.authorization);
    assert.deepEqual(sent, ['Bearer old', 'Bearer new']);
    server.answer(error(401, 'token_expired'));
    await assert.rejects(client.users.list(), { code: 'token_expired', attempts: 2 });
  });

  it('is not sent with a credential that no header can have, which the error does not show', async (t) => {
    const { server } = await open(t);
    const options = { baseUrl: server.url, form: 2 } as const;
    const isRefusal = (failure: unknown) => failure instanceof TypeError && !failure.message.includes('secret');
    for (const key of ['sk_secret\n', 'sk_secret\nX: y', 'sk_secret€']) {
      assert.throws(() => new Tributary({ ...options, apiKey: key }), isRefusal);
      await assert.rejects(new Tributary({ ...options, token: async () => key }).users.list(), isRefusal);
    }
    assert.equal(server.received.length, 0);
  });

  it('is refused at construction with a wrong address or form', () => {
    for (const baseUrl of ['', 'example.com', 'ftp://example.com', 'https://example.com?x=1'])
      assert.throws(() => new Tributary({ baseUrl, form: 2 }), TypeError);
    assert.throws(() => new Tributary({ baseUrl: 'https://example.com', form: 3 as 2 }), TypeError);
  });
});
