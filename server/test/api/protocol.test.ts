// Tests rules for every call: credentials, routes, methods, bodies, headers, and errors.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { MAX_JSON_BYTES as LIMIT } from '../../src/platform/http/body.ts';
import { MAX_PIPELINED } from '../../src/platform/http/pipelined-requests.ts';
import { callRaw, sendBytes } from '../support/raw-http.ts';
import type { Answer } from '../support/test-api.ts';
import { startTestService } from '../support/test-service.ts';
import { createUser, issuePaths, newReference } from '../support/test-users.ts';

const logLines: string[] = [];
const service = await startTestService({ logLines });
after(() => service.stop());
const api = service.api();
const anonymous = service.api(null);
const authorization = `Bearer ${service.keys.live}`;

function assertError(answer: Answer, status: number, code: string): void {
  assert.equal(answer.status, status, answer.text.slice(0, 500));
  assert.equal(answer.body.error, code);
}

/** A create whose body has exactly that many bytes. */
function bodyOf(bytes: number): string {
  const [head, tail] = [`{"external_ref":"${newReference()}","padding":"`, '"}'];
  return head + 'x'.repeat(bytes - head.length - tail.length) + tail;
}

describe('credentials', () => {
  it('401 missing_token without the header, with a challenge', async () => {
    const answer = await anonymous.get('/v1/users');
    assertError(answer, 401, 'missing_token');
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
  });

  it('401 invalid_token for a header that is not a bearer token', async () => {
    const headers = [
      'Bearer',
      'Bearer ',
      `Basic ${btoa('a:b')}`,
      service.keys.live,
      `Token ${service.keys.live}`,
      `Bearer ${service.keys.live} x`,
      `Bearer ${service.keys.live}, Bearer x`,
      'Bearer ü',
      'Bearer null',
    ];
    for (const header of headers) {
      const answer = await callRaw(`${service.url}/v1/users`, { method: 'GET', headers: { authorization: header } });
      assert.equal(answer.status, 401, header);
      assert.equal(JSON.parse(answer.text).error, 'invalid_token', header);
      assert.equal(answer.headers['www-authenticate'], 'Bearer error="invalid_token"');
    }
  });

  it('401 invalid_token names the mistake in the header', async () => {
    for (const [header, message] of [
      [service.keys.live, /has no "Bearer" before the token/],
      [`Token ${service.keys.live}`, /must use the Bearer scheme/],
      [`Bearer "${service.keys.live}"`, /in quotes or brackets/],
      ['Bearer', /no token after "Bearer"/],
      ['Bearer sk_live_unknown', /^The token is malformed, unknown or revoked\. Check it/],
    ] as const) {
      const { text } = await callRaw(`${service.url}/v1/users`, { method: 'GET', headers: { authorization: header } });
      assert.match(JSON.parse(text).message, message);
      assert.ok(!text.includes(service.keys.live));
    }
  });

  it('200 for the scheme in any letter case, 401 for a key in the query or a cookie', async () => {
    assert.equal(
      (await anonymous.get('/v1/users', { headers: { authorization: `bEARER ${service.keys.live}` } })).status,
      200,
    );
    assertError(await anonymous.get(`/v1/users?access_token=${service.keys.live}`), 401, 'missing_token');
    assertError(
      await anonymous.get('/v1/users', { headers: { cookie: `token=${service.keys.live}` } }),
      401,
      'missing_token',
    );
  });
});

describe('routes and methods', () => {
  it('404 not_found for unknown paths, with and without a credential', async () => {
    for (const path of [
      '/v1',
      '/v1/',
      '/v1/nothing',
      '/v2/users',
      '/v1/users/a/b/c',
      '/V1/users',
      '/v1//users',
      '/admin/accounts',
      '/v1/users/../admin',
    ]) {
      assertError(await api.get(path), 404, 'not_found');
      assertError(await anonymous.get(path), 404, 'not_found');
    }
  });

  it('405 method_not_allowed with Allow', async () => {
    const expected: [string, string, string][] = [
      ['PUT', '/v1/users', 'POST, GET, HEAD, OPTIONS'],
      ['DELETE', '/v1/users', 'POST, GET, HEAD, OPTIONS'],
      ['POST', '/v1/users/x', 'GET, PATCH, DELETE, HEAD, OPTIONS'],
      ['GET', '/v1/auth/user-token', 'POST, OPTIONS'],
      ['POST', '/healthz', 'GET, HEAD'],
    ];
    for (const [method, path, allow] of expected) {
      for (const caller of [api, anonymous]) {
        const answer = await caller.call(method, path);
        assertError(answer, 405, 'method_not_allowed');
        assert.equal(answer.headers.get('allow'), allow, `${method} ${path}`);
      }
    }
  });

  it('404 and 405 before the body is read', async () => {
    for (const headers of [{ 'content-type': 'application/json' }, { 'content-type': 'text/plain' }]) {
      assertError(await anonymous.call('POST', '/v1/nothing', { raw: '{', headers }), 404, 'not_found');
      assertError(await anonymous.call('POST', '/nothing', { raw: '{', headers }), 404, 'not_found');
      assertError(await anonymous.call('PUT', '/v1/users', { raw: '{', headers }), 405, 'method_not_allowed');
    }
  });

  it('405 for methods that no call supports', async () => {
    for (const method of ['TRACE', 'PROPFIND', 'LOCK', 'QUERY']) {
      const answer = await callRaw(`${service.url}/v1/users`, { method, headers: { authorization } });
      assert.equal(answer.status, 405, method);
      assert.equal(JSON.parse(answer.text).error, 'method_not_allowed');
    }
    const unknown = await callRaw(`${service.url}/v1/nothing`, { method: 'PROPFIND' });
    assert.equal(unknown.status, 404);
  });

  it('HEAD returns the response of GET without the body', async () => {
    const { id } = await createUser(api);
    for (const path of ['/v1/users', `/v1/users/${id}`, '/healthz']) {
      const [head, get] = [await api.call('HEAD', path), await api.get(path)];
      assert.equal(head.status, 200);
      assert.equal(head.text, '');
      assert.equal(head.headers.get('content-length'), get.headers.get('content-length'));
      assert.equal(head.headers.get('content-type'), get.headers.get('content-type'));
    }
    const streamed = await api.call('HEAD', `/v1/users/${id}/export?format=ndjson`);
    assert.deepEqual([streamed.status, streamed.headers.get('content-type')], [200, 'application/x-ndjson']);
    assert.equal((await anonymous.call('HEAD', '/v1/users')).status, 401);
    assert.equal((await api.call('HEAD', '/v1/users/nobody')).status, 404);
  });

  it('400 for invalid percent-encoding in a path, 404 for malformed ids', async () => {
    for (const path of ['/v1/users/%zz', '/v1/users/%', '/v1/users/%c0%af', '/v1/%E0%A4%A'])
      assertError(await api.get(path), 400, 'invalid_parameter');
    for (const id of [
      '%00',
      '%F0%9F%98%80',
      '..%2F..%2Fadmin',
      "'%20or%201=1--",
      'x'.repeat(500),
      'x'.repeat(3_000),
      '%22%3E%3Cscript%3E',
    ])
      assertError(await api.get(`/v1/users/${id}`), 404, 'not_found');
    const longest = 'x'.repeat(10_000);
    assertError(await anonymous.get(`/v1/users/${longest}`), 401, 'missing_token');
    assert.ok((await api.get(`/v1/users/${longest}`)).body.message.includes(longest.slice(0, 36)), 'names the id');
  });
});

describe('query', () => {
  it('400 names unknown parameters, including names of JavaScript properties', async () => {
    const answer = await api.get('/v1/users?offset=5&sort=asc&page=1');
    assertError(answer, 400, 'invalid_parameter');
    assert.deepEqual(issuePaths(answer.body), ['offset', 'sort']);
    const { id } = await createUser(api);
    for (const path of ['/v1/users', `/v1/users/${id}`, '/healthz', '/v1/openapi.json']) {
      for (const name of ['nonsense', '__proto__', 'constructor', 'toString', 'api-form', 'Page']) {
        const unknown = await api.get(`${path}?${name}=1`);
        assertError(unknown, 400, 'invalid_parameter');
        assert.deepEqual(issuePaths(unknown.body), [name], `${path}?${name}`);
      }
    }
  });

  it('400 for a parameter given twice', async () => {
    for (const query of ['limit=1&limit=2', 'page=1&page=1', 'external_ref=a&external_ref=b']) {
      const answer = await api.get(`/v1/users?${query}`);
      assertError(answer, 400, 'invalid_parameter');
      assert.deepEqual(issuePaths(answer.body), [query.split('=')[0]]);
    }
  });

  it('400 for text that cannot be stored', async () => {
    assertError(await api.get('/v1/users?external_ref=a%00b'), 400, 'invalid_parameter');
    assert.equal((await api.get('/v1/users?external_ref=%FF')).status, 200);
    assert.equal((await api.get('/v1/users?external_ref=%zz')).status, 200);
  });
});

describe('bodies', () => {
  const post = (raw: string, contentType = 'application/json') =>
    api.call('POST', '/v1/users', { raw, headers: { 'content-type': contentType } });

  it('400 for exactly 1 MiB: the size is accepted, the field is not', async () => {
    const answer = await post(bodyOf(LIMIT));
    assertError(answer, 400, 'invalid_body');
    assert.deepEqual(issuePaths(answer.body), ['padding']);
  });

  it('413 payload_too_large for one byte more; with 5 MB the client still gets the response', async () => {
    for (const bytes of [LIMIT + 1, 5_000_000]) {
      const answer = await post(bodyOf(bytes));
      assertError(answer, 413, 'payload_too_large');
      assert.deepEqual(answer.body.details, { limit_bytes: LIMIT });
      const raw = await callRaw(`${service.url}/v1/users`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: Buffer.alloc(bytes, 0x20),
      });
      assert.equal(raw.status, 413);
    }
    assertError(await post('x'.repeat(LIMIT + 1), 'text/plain'), 413, 'payload_too_large');
  });

  it('401 for 5 MB without a credential; the client gets the response', async () => {
    for (let time = 0; time < 3; time += 1)
      assertError(await anonymous.call('POST', '/v1/users', { raw: bodyOf(5_000_000) }), 401, 'missing_token');
  });

  it('415 unsupported_media_type for another type, or none', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'text/json',
      'application/jsonp',
      'application/problem+json',
      'nonsense',
      'application/xml; charset=utf-8',
    ])
      assertError(await post('{}', type), 415, 'unsupported_media_type');
    const untyped = await callRaw(`${service.url}/v1/users`, {
      method: 'POST',
      headers: { authorization, 'content-length': '2' },
      body: '{}',
    });
    assert.equal(untyped.status, 415);
  });

  it('201 for application/json with parameters and in any case', async () => {
    for (const type of ['application/json; charset=utf-8', 'Application/JSON', 'application/json;charset="UTF-8"'])
      assert.equal((await post(JSON.stringify({ external_ref: newReference() }), type)).status, 201, type);
  });

  it('an empty body counts as no body, whatever its type: 202 where none is needed, 400 where one is', async () => {
    for (const type of [
      'application/json',
      'text/plain',
      'application/x-www-form-urlencoded',
      'nonsense',
      'image/png',
    ]) {
      const { id } = await createUser(api);
      const headers = { authorization, 'content-type': type };
      const chunked = { ...headers, 'transfer-encoding': 'chunked' };
      assert.equal(
        (
          await callRaw(`${service.url}/v1/users/${id}`, {
            method: 'DELETE',
            headers: { ...headers, 'content-length': '0' },
          })
        ).status,
        202,
        type,
      );
      assert.equal(
        (await callRaw(`${service.url}/v1/users/${id}`, { method: 'DELETE', headers: chunked })).status,
        404,
        type,
      );
      const post = await callRaw(`${service.url}/v1/users`, {
        method: 'POST',
        headers: { ...headers, 'content-length': '0' },
      });
      assert.equal(post.status, 400, type);
      assert.equal(JSON.parse(post.text).error, 'invalid_body');
    }
  });

  it('400 for a body where none is allowed', async () => {
    const { id } = await createUser(api);
    assertError(await api.call('DELETE', `/v1/users/${id}`, { body: { force: true } }), 400, 'invalid_body');
    assert.equal((await api.get(`/v1/users/${id}`)).status, 200);
  });

  it('400 for malformed JSON, with the position', async () => {
    for (const raw of [
      '{',
      '{"external_ref":}',
      "{'a':1}",
      '{"a":1,}',
      'nonsense',
      ' ',
      '{"a":NaN}',
      '{"a":01}',
      '{}{}',
      '\u0000',
    ]) {
      const answer = await post(raw);
      assertError(answer, 400, 'invalid_body');
      assert.match(answer.body.details.issues[0].message, /^is not valid JSON: /);
    }
  });

  it('400 for JSON that is not an object', async () => {
    for (const raw of ['null', '[]', '5', '"text"', 'true', `[${'1,'.repeat(100_000)}1]`])
      assertError(await post(raw), 400, 'invalid_body');
  });

  it('400 for bytes that are not UTF-8', async () => {
    for (const bytes of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xc0, 0x80]]) {
      const body = Buffer.concat([Buffer.from('{"external_ref":"a'), Buffer.from(bytes), Buffer.from('"}')]);
      const answer = await callRaw(`${service.url}/v1/users`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body,
      });
      assert.equal(answer.status, 400);
      assert.deepEqual(JSON.parse(answer.text).details.issues, [{ path: '', message: 'is not valid UTF-8' }]);
    }
  });

  it('400 for NUL and lone surrogates, in values and in keys', async () => {
    for (const bad of ['\\u0000', '\\ud800', '\\udc00\\ud800', 'a\\ud83dz']) {
      for (const raw of [
        `{"external_ref":"${bad}"}`,
        `{"external_ref":"x","metadata":{"a":"${bad}"}}`,
        `{"external_ref":"x","metadata":{"${bad}":"a"}}`,
        `{"external_ref":"x","timezone":"${bad}"}`,
      ])
        assertError(await post(raw), 400, 'invalid_body');
    }
  });

  it('400 for __proto__ and constructor.prototype, which change nothing', async () => {
    for (const raw of [
      '{"__proto__":{"polluted":1}}',
      '{"external_ref":"x","metadata":{"__proto__":"a"}}',
      '{"constructor":{"prototype":{"polluted":1}}}',
      '{"\\u005f_proto__":{}}',
    ])
      assertError(await post(raw), 400, 'invalid_body');
    assert.equal(({} as Record<string, unknown>).polluted, undefined);
  });

  it('400 for nesting of 60,000 levels, at any position', async () => {
    const depth = 60_000;
    const arrays = '['.repeat(depth) + ']'.repeat(depth);
    const objects = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
    for (const raw of [
      arrays,
      objects,
      `{"external_ref":"x","metadata":${objects}}`,
      `{"external_ref":"x","metadata":{"a":${arrays}}}`,
      `{"external_ref":"x","profile":{"sex":${arrays}}}`,
      `{"external_ref":${arrays}}`,
    ])
      assertError(await post(raw), 400, 'invalid_body');
  });

  it('400 for thousands of unknown or invalid fields, before they are validated, in bounded time', async () => {
    const many = Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`f${index}`, 1]));
    const before = process.cpuUsage();
    for (const body of [many, { external_ref: 'x', metadata: many }, { external_ref: 'x', profile: many }]) {
      const answer = await api.post('/v1/users', body);
      assertError(answer, 400, 'invalid_body');
      assert.deepEqual(answer.body.details.issues, [{ path: '', message: 'has an object with more than 200 keys' }]);
    }
    const { user, system } = process.cpuUsage(before); // of this process, which runs both the service and the test
    assert.ok(user + system < 2_000_000, `${user + system} µs of CPU time`);
  });
});

describe('headers', () => {
  it('431 header_too_large in the common error shape, with the common headers', async () => {
    const text = await sendBytes(
      service.url,
      `GET /v1/users HTTP/1.1\r\nhost: x\r\nx-long: ${'x'.repeat(20_000)}\r\n\r\n`,
    );
    const [head = '', body = ''] = text.split('\r\n\r\n');
    assert.match(head, /^HTTP\/1\.1 431 /);
    assert.deepEqual(JSON.parse(body), {
      error: 'header_too_large',
      message: 'The request headers are too large. Send at most 16 KiB.',
      details: {},
    });
    for (const header of [/^x-request-id: req_\w+$/im, /^api-form: 1$/im, /^vary: Api-Form, Authorization$/im])
      assert.match(head, header);
  });

  it('400 for bytes that are not HTTP, in the same shape', async () => {
    for (const bytes of [
      'NONSENSE\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      'GET /v1/users HTTP/1.1\r\nhost: x\r\nbad header\r\n\r\n',
    ]) {
      const text = await sendBytes(service.url, bytes);
      assert.match(text, /^HTTP\/1\.1 400 /);
      assert.match(text, /^x-request-id: req_\w+\r$/m);
      assert.equal(JSON.parse(text.split('\r\n\r\n')[1] ?? '').error, 'invalid_parameter');
    }
  });

  it('X-Request-Id is generated by the service and unique', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => api.get('/v1/users', { headers: { 'x-request-id': 'mine' } })),
    );
    const ids = new Set(answers.map((answer) => answer.headers.get('x-request-id')));
    assert.equal(ids.size, 50);
    assert.ok(!ids.has('mine'));
  });
});

describe('CORS', () => {
  const origin = 'https://app.example';
  const preflight = (path: string, extra: Record<string, string> = {}) =>
    anonymous.call('OPTIONS', path, {
      headers: {
        origin,
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': 'authorization, api-form, content-type',
        ...extra,
      },
    });

  it('204 for a preflight from any origin on /v1, without credentials', async () => {
    for (const path of ['/v1/users', '/v1/users/x', '/v1/auth/user-token', '/v1/openapi.json']) {
      const answer = await preflight(path);
      assert.equal(answer.status, 204);
      assert.equal(answer.headers.get('access-control-allow-origin'), '*');
      assert.equal(answer.headers.get('access-control-allow-credentials'), null);
      for (const method of ['GET', 'POST', 'PATCH', 'DELETE'])
        assert.ok(answer.headers.get('access-control-allow-methods')?.includes(method));
      for (const header of ['authorization', 'api-form', 'content-type'])
        assert.ok(answer.headers.get('access-control-allow-headers')?.includes(header));
    }
  });

  it('responses under /v1 can be read across origins, errors too', async () => {
    const headers = { origin };
    for (const answer of [
      await api.get('/v1/users', { headers }),
      await anonymous.get('/v1/users', { headers }),
      await api.get('/v1/nothing', { headers }),
      await api.call('PUT', '/v1/users', { headers }),
      await api.get('/v1/users?x=1', { headers }),
      await api.get('/v1/users/%zz', { headers }),
    ]) {
      assert.equal(answer.headers.get('access-control-allow-origin'), '*', `${answer.status}`);
      assert.equal(answer.headers.get('access-control-allow-credentials'), null);
      for (const name of ['Api-Form', 'X-Request-Id', 'Retry-After', 'RateLimit'])
        assert.ok(answer.headers.get('access-control-expose-headers')?.includes(name));
    }
  });

  it('has no CORS headers elsewhere', async () => {
    for (const path of ['/healthz', '/metrics', '/docs', '/version', '/nothing']) {
      for (const answer of [await preflight(path), await anonymous.get(path, { headers: { origin } })]) {
        assert.equal(answer.headers.get('access-control-allow-origin'), null);
        assert.ok(answer.headers.get('content-type')?.length);
      }
    }
    const operator = await service
      .operator()
      .call('OPTIONS', '/admin/keys', { headers: { origin, 'access-control-request-method': 'POST' } });
    assert.equal(operator.headers.get('access-control-allow-origin'), null);
  });

  it('OPTIONS without an origin returns the common response shape', async () => {
    const answer = await anonymous.call('OPTIONS', '/v1/users');
    assert.equal(answer.status, 204);
  });
});

describe('the log', () => {
  it('contains neither token nor reference nor metadata nor path, at the finest level', async () => {
    const reference = newReference();
    const secret = newReference();
    const { id } = await createUser(api, {
      external_ref: reference,
      metadata: { secret },
      profile: { weight_kg: 77.125 },
    });
    const { token } = (await api.post('/v1/auth/user-token', { user_id: id })).body;
    const mobile = (await api.post('/v1/auth/mobile-token', { user_id: id })).body.token;
    await service.api(token).get(`/v1/users/${id}`);
    await service.api(mobile).get('/v1/users');
    await api.get(`/v1/users?external_ref=${reference}`);
    await api.post('/v1/users', { external_ref: reference });
    await api.call('POST', '/v1/users', { raw: `{"external_ref":"${reference}` });
    await api.delete(`/v1/users/${id}`);
    const log = logLines.join('');
    assert.match(log, /"route":"\/v1\/users\/:user_id"/);
    for (const text of [
      reference,
      secret,
      token,
      mobile,
      service.keys.live,
      service.keys.sandbox,
      service.operatorToken,
      '77.125',
    ])
      assert.ok(!log.includes(text), `${text} is in the log`);
  });
});

describe('requests on one connection that do not wait for responses', () => {
  const request = (head: string, body = '') =>
    `${head} HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\ncontent-type: application/json\r\n` +
    `content-length: ${body.length}\r\n\r\n${body}`;

  it(`200 for each of ${MAX_PIPELINED}`, async () => {
    const requests = Array<string>(MAX_PIPELINED).fill(request('GET /v1/users'));
    const text = await sendBytes(service.url, requests.join('').replace(/\r\n\r\n$/, '\r\nconnection: close\r\n\r\n'));
    assert.equal(text.split('HTTP/1.1 200 ').length - 1, MAX_PIPELINED);
  });

  it('more close the connection, and are not run', async () => {
    const creations = Array.from({ length: 1_000 }, (_, index) =>
      request('POST /v1/users', `{"reference_id":"piped-${index}"}`),
    );
    await sendBytes(service.url, creations.join('')).catch((error: NodeJS.ErrnoException) =>
      assert.match(error.code ?? '', /^(ECONNRESET|EPIPE)$/),
    );
    const sql = `select count(*)::int as count from users where reference_id like 'piped-%'`;
    const [created] = await service.running.services.db.query<{ count: number }>(sql);
    assert.ok(created && created.count <= MAX_PIPELINED, `${created?.count} users were created`);
    assert.equal((await api.get('/v1/users')).status, 200);
  });
});
