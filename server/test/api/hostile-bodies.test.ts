// Sends hostile bodies: unfinished ones, many at once, compression bombs. Other clients are served meanwhile.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, describe, it, type TestContext } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import { MAX_CONCURRENT_UPLOADS } from '../../src/features/intake/uploads/routes.ts';
import { MAX_PIPELINED } from '../../src/platform/http/pipelined-requests.ts';
import { MAX_UNFINISHED_PER_ADDRESS } from '../../src/platform/http/unfinished-requests.ts';
import { startPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { createUser } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';

const service = await startTestService();
after(() => service.stop());
const api = service.api();
const { hostname, port } = new URL(service.url);

/** The system holds a part of the responses of each in its own buffers. */
const UNREAD_CONNECTIONS = 120;

/** Sends the head of a request and a part of its body, and then nothing more. */
async function beginRequest(t: TestContext, path: string, token: string | null): Promise<Socket> {
  const socket = connect(Number(port), hostname);
  t.after(() => socket.destroy());
  await once(socket, 'connect');
  socket.on('error', () => undefined).resume();
  const authorization = token === null ? '' : `authorization: Bearer ${token}\r\n`;
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: x\r\n${authorization}content-type: application/json\r\ncontent-length: 1000\r\n\r\n{"a":`,
  );
  return socket;
}

const post = () => api.post('/v1/users', { reference_id: randomUUID() });
const countBlocked = async () => {
  const [row] = await service.running.services.db.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
  );
  return row?.count ?? 0;
};
const readAnswer = async (socket: Socket) => String((await once(socket, 'data'))[0]);

describe('unfinished requests', () => {
  it('429 above the limit of unfinished requests per address, until some of them end', async (t) => {
    const sockets = await Promise.all(
      Array.from({ length: MAX_UNFINISHED_PER_ADDRESS }, () => beginRequest(t, '/v1/sdk/sessions/exchange', null)),
    );
    await waitUntil('all of them to arrive', async () => (await post()).status === 429);
    const refused = await post();
    assert.deepEqual([refused.status, refused.body.error], [429, 'rate_limited']);
    assert.equal(refused.headers.get('retry-after'), '1');
    assert.equal((await api.get('/v1/users')).status, 200); // a request without a body is never unfinished
    for (const socket of sockets) socket.destroy();
    await waitUntil('them to end', async () => (await post()).status === 201);
  });

  it('429 for one more upload of a session than it may have in progress', async (t) => {
    const user = await createUser(api);
    const phone = await startPhone(service, user.id);
    const token = phone.accessToken;
    const begin = () => beginRequest(t, '/v1/sdk/uploads', token);
    const sockets = await Promise.all(Array.from({ length: MAX_CONCURRENT_UPLOADS + 1 }, begin));
    const answer = await Promise.race(sockets.map(readAnswer)); // the others wait for their bodies
    assert.match(answer, /^HTTP\/1\.1 429 .*retry-after: 1\r\n.*"rate_limited"/s);
    const sample = { metric: 'steps', start: '2026-01-01T00:00:00Z', value: 5 };
    const body = () => ({ upload_id: randomUUID(), source: { provider: 'apple_health' }, samples: [sample] });
    assert.equal((await phone.send(body())).status, 429);
    const another = await startPhone(service, user.id);
    assert.equal((await another.send(body())).status, 200);
    for (const socket of sockets) socket.destroy();
    await waitUntil('them to end', async () => (await phone.send(body())).status === 200);
  });

  it('200 after clients disconnected during the lookup of their credential', async (t) => {
    const phone = await startPhone(service, (await createUser(api)).id);
    const { db } = service.running.services;
    const release = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const holder = db.transaction(async (tx) => {
      await tx.query('lock table sdk_sessions in access exclusive mode');
      held.resolve();
      await release.promise;
    });
    await held.promise;
    const sockets = await Promise.all([1, 2].map(() => beginRequest(t, '/v1/sdk/uploads', phone.accessToken)));
    await waitUntil('both to wait for the table', async () => (await countBlocked()) >= 2);
    await Promise.all(sockets.map((socket) => once(socket.destroy(), 'close')));
    release.resolve();
    await holder;
    const sample = { metric: 'steps', start: '2026-01-01T00:00:00Z', value: 5 };
    const all = Array.from({ length: MAX_CONCURRENT_UPLOADS }, () => phone.upload({ samples: [sample] }));
    await Promise.all(all); // one that still counts would make one of them fail
  });

  it('400 for a malformed path with an unfinished body, and the connection is closed', async (t) => {
    const socket = await beginRequest(t, '/%zz', null);
    const closed = once(socket, 'close');
    assert.match(await readAnswer(socket), /^HTTP\/1\.1 400 .*connection: close/s);
    await closed;
  });

  it('responds before the body if the body is not needed', async (t) => {
    const socket = await beginRequest(t, '/v1/users', 'sk_live_wrong');
    assert.match(await readAnswer(socket), /^HTTP\/1\.1 401 /);
  });
});

describe('compression bombs', () => {
  const bombs = {
    values: `{"samples":[[${'1,'.repeat(5_000_000)}1]]}`,
    objects: `{"samples":[${'{},'.repeat(5_000_000)}{}]}`,
    keys: `{${Array.from({ length: 300_000 }, (_, index) => `"key${index}":1`).join(',')}}`,
    'one long text': `{"samples":["${'x'.repeat(19_000_000)}"]}`,
  };

  it('are rejected with a reason, whatever their kind', async () => {
    const phone = await startPhone(service, (await createUser(api)).id);
    for (const [name, text] of Object.entries(bombs)) {
      const raw = zstdCompressSync(text);
      const answer = await phone.api.call('POST', '/v1/sdk/uploads', { raw, headers: { 'content-encoding': 'zstd' } });
      assert.ok([400, 413].includes(answer.status), `${name}: ${answer.text}`);
    }
  });
});

describe('the size of a body', () => {
  const paddedTo = (bytes: number) => `{"padding":"${'x'.repeat(bytes - '{"padding":""}'.length)}"}`;
  const calls = [
    ['/v1/sdk/sessions/exchange', service.api(null)],
    ['/v1/sdk/sessions/refresh', service.api(null)],
    ['/v1/auth/user-token', api],
    ['/v1/webhooks', api],
    ['/v1/users', api],
  ] as const;

  it('400 up to 1 MiB, whatever the call expects, with or without a credential', async () => {
    for (const [path, caller] of calls) {
      const answer = await caller.call('POST', path, { raw: paddedTo(1_048_576) });
      assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_body'], path);
    }
  });

  it('413 beyond 1 MiB', async () => {
    for (const [path, caller] of calls) {
      const answer = await caller.call('POST', path, { raw: paddedTo(1_048_577) });
      assert.deepEqual([answer.status, answer.body.error], [413, 'payload_too_large'], path);
      assert.deepEqual(answer.body.details, { limit_bytes: 1_048_576 });
    }
  });
});

describe('responses that nobody reads', () => {
  it('503 for large ones beyond a share of the memory', async (t) => {
    const get = 'GET /v1/openapi.json HTTP/1.1\r\nhost: x\r\n';
    const sockets = await Promise.all(
      Array.from({ length: UNREAD_CONNECTIONS }, async () => {
        const socket = connect(Number(port), hostname).pause();
        t.after(() => socket.destroy());
        await once(socket, 'connect');
        socket.write(`${`${get}\r\n`.repeat(MAX_PIPELINED - 1)}${get}connection: close\r\n\r\n`);
        return socket;
      }),
    );
    assert.equal((await api.get('/v1/users')).status, 200); // by then all of them are answered
    let refused = 0;
    for (const socket of sockets)
      for await (const chunk of socket) refused += String(chunk).split('HTTP/1.1 503 ').length - 1;
    assert.ok(refused > 100, `${refused} of ${sockets.length * MAX_PIPELINED}`);
    assert.equal((await service.api(null).get('/v1/openapi.json')).status, 200);
  });
});
