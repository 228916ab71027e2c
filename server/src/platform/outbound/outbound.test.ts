import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { answerRaw, startRawEndpoint } from '../../../test/support/raw-endpoint.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import { createOutbound, type Outbound, type OutboundOptions } from './outbound.ts';
import type { OutboundAnswer } from './outbound-answer.ts';

const FIXTURES = join(import.meta.dirname, '../../../test/fixtures');
const CERTIFICATE = readFileSync(join(FIXTURES, 'localhost-cert.pem'), 'utf8');
const KEY = readFileSync(join(FIXTURES, 'localhost-key.pem'), 'utf8');
const CHUNK = Buffer.alloc(65_536, 'x');

function makeOutbound(t: TestContext, options: Partial<OutboundOptions> = {}): Outbound {
  const outbound = createOutbound({ allowLoopback: true, ...options });
  t.after(() => outbound.close());
  return outbound;
}

async function listen(t: TestContext, server: Server & { closeAllConnections(): void }): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function startHttp(t: TestContext, listener: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listen(t, createServer(listener))}`;
}

async function startHttps(t: TestContext): Promise<number> {
  const listener: RequestListener = (_request, response) => void response.end('secure');
  return listen(t, createSecureServer({ cert: CERTIFICATE, key: KEY }, listener));
}

function countTimers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
}

function reasonOf(answer: OutboundAnswer): string {
  return answer.ok ? `answered ${answer.status}` : answer.reason;
}

async function post(t: TestContext, onConnection: (socket: Socket) => void, timeoutMs = 5_000) {
  const endpoint = await startRawEndpoint(t, onConnection);
  const outbound = makeOutbound(t);
  const answer = await outbound.post(`${endpoint.origin}/`, { body: '{}', timeoutMs });
  return { endpoint, outbound, answer };
}

describe('outbound requests', () => {
  it('send method, path, headers and body, and give back status, headers and body', async (t) => {
    const origin = await startHttp(t, async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      const { 'content-type': type, 'webhook-id': id } = request.headers;
      response.writeHead(201, { 'x-two': ['a', 'b'] });
      response.end(JSON.stringify([request.method, request.url, type, id, body]));
    });
    const outbound = makeOutbound(t);
    const read = (answer: OutboundAnswer) => (answer.ok ? JSON.parse(answer.body.toString()) : answer);
    const posted = await outbound.post(`${origin}/a/b?c=d`, { headers: { 'webhook-id': '1' }, body: 'text' });
    assert.deepEqual(read(posted), ['POST', '/a/b?c=d', null, '1', 'text']);
    assert.ok(posted.ok);
    assert.equal(posted.status, 201);
    assert.deepEqual(posted.headers['x-two'], ['a', 'b']);
    const json = await outbound.request('PUT', origin, { json: { n: 1 } });
    assert.deepEqual(read(json), ['PUT', '/', 'application/json', null, '{"n":1}']);
    const head = await outbound.request('HEAD', origin);
    assert.equal(head.ok && head.body.length, 0);
    assert.deepEqual(read(await outbound.request('GET', `${origin}/x`)), ['GET', '/x', null, null, '']);
  });

  it('never follow a redirect', async (t) => {
    const paths: (string | undefined)[] = [];
    const origin = await startHttp(t, (request, response) => {
      paths.push(request.url);
      response.writeHead(Number(request.url?.slice(1)), { location: '/elsewhere' }).end();
    });
    const outbound = makeOutbound(t);
    for (const status of [301, 302, 303, 307, 308]) {
      const answer = await outbound.post(`${origin}/${status}`, { body: '{}' });
      assert.equal(reasonOf(answer), `answered ${status}`);
    }
    assert.deepEqual(paths, ['/301', '/302', '/303', '/307', '/308']);
  });

  it('use a connection again', async (t) => {
    const endpoint = await startRawEndpoint(t, (socket) => {
      socket.on('data', () => socket.write('HTTP/1.1 204 No Content\r\n\r\n'));
    });
    const outbound = makeOutbound(t);
    for (let round = 0; round < 20; round++)
      assert.equal(reasonOf(await outbound.post(endpoint.origin, { body: '{}' })), 'answered 204');
    assert.ok(endpoint.accepted <= 2, 'a connection is free again only in the round after its response');
  });

  it('never wait for a connection, even if many run at once', async (t) => {
    const waiting: (() => void)[] = [];
    const endpoint = await startRawEndpoint(t, (socket) => {
      socket.on('data', () => waiting.push(() => socket.write('HTTP/1.1 204 No Content\r\n\r\n')));
    });
    const outbound = makeOutbound(t);
    const all = Array.from({ length: 192 }, () => outbound.post(endpoint.origin, { body: '{}' }));
    await waitUntil('192 requests at once', () => waiting.length === 192);
    for (const answer of waiting) answer();
    assert.deepEqual(new Set((await Promise.all(all)).map(reasonOf)), new Set(['answered 204']));
    assert.equal(endpoint.accepted, 192);
  });

  it('are not delayed by a slow origin', async (t) => {
    const slow = await startRawEndpoint(t, () => undefined);
    const origin = await startHttp(t, (_request, response) => void response.end());
    const outbound = makeOutbound(t);
    const stuck = Array.from({ length: 100 }, () => outbound.post(slow.origin, { body: '{}', timeoutMs: 60_000 }));
    assert.equal(reasonOf(await outbound.post(origin, { body: '{}' })), 'answered 200');
    await outbound.close();
    assert.deepEqual(new Set((await Promise.all(stuck)).map(reasonOf)), new Set(['connection']));
  });

  it('reach an exception at any address, but no other port or host', async (t) => {
    const origin = await startHttp(t, (_request, response) => void response.end());
    const { port } = new URL(origin);
    const exceptions = new Set<string>();
    const outbound = makeOutbound(t, { allowLoopback: false, exceptions, resolve: async () => ['127.0.0.1'] });
    assert.equal(reasonOf(await outbound.post(`${origin}/x`, { body: '' })), 'refused_address');
    exceptions.add(origin).add(`http://sim.example.com:${port}`);
    assert.equal(reasonOf(await outbound.post(`${origin}/x`, { body: '' })), 'answered 200');
    assert.equal(reasonOf(await outbound.post(`http://sim.example.com:${port}/`, { body: '' })), 'answered 200');
    assert.equal(reasonOf(await outbound.post(`https://sim.example.com:${port}/`, { body: '' })), 'refused_address');
  });
});

describe('TLS', () => {
  it('accepts a trusted certificate, by name and by address', async (t) => {
    const port = await startHttps(t);
    const outbound = makeOutbound(t, { ca: CERTIFICATE });
    assert.equal(reasonOf(await outbound.post(`https://localhost:${port}/`, { body: '' })), 'answered 200');
    assert.equal(reasonOf(await outbound.post(`https://127.0.0.1:${port}/`, { body: '' })), 'answered 200');
  });

  it('rejects another name, a self-signed certificate and a server without TLS', async (t) => {
    const port = await startHttps(t);
    const trusting = makeOutbound(t, { ca: CERTIFICATE, resolve: async () => ['127.0.0.1'] });
    const otherName = await trusting.post(`https://other.example.com:${port}/`, { body: '' });
    assert.deepEqual(
      [reasonOf(otherName), !otherName.ok && otherName.message],
      ['tls', 'The certificate is not trusted (ERR_TLS_CERT_ALTNAME_INVALID).'],
    );
    const outbound = makeOutbound(t);
    const selfSigned = await outbound.post(`https://localhost:${port}/`, { body: '' });
    assert.deepEqual(
      [reasonOf(selfSigned), !selfSigned.ok && selfSigned.message],
      ['tls', 'The certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT).'],
    );
    const plain = new URL(await startHttp(t, (_request, response) => void response.end()));
    assert.equal(reasonOf(await outbound.post(`https://127.0.0.1:${plain.port}/`, { body: '' })), 'tls');
    await waitUntil('no socket', () => outbound.readLoad().sockets === 0 && trusting.readLoad().sockets === 0);
  });

  it('checks certificates even if the environment disables it', async (t) => {
    const port = await startHttps(t);
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    t.after(() => delete process.env.NODE_TLS_REJECT_UNAUTHORIZED);
    assert.equal(reasonOf(await makeOutbound(t).post(`https://localhost:${port}/`, { body: '' })), 'tls');
  });
});

describe('faulty endpoints', () => {
  const HEAD = 'HTTP/1.1 200 OK\r\n';

  function writeForEver(socket: Socket, head: string, chunk: Buffer | string): void {
    socket.write(head);
    const more = () => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.on('drain', more);
    more();
  }

  const cases: { title: string; reason: string; act: (socket: Socket) => void; status?: number }[] = [
    { title: 'hang', reason: 'timeout', act: () => undefined },
    {
      title: 'hang after the headers',
      reason: 'timeout',
      act: answerRaw(`${HEAD}content-length: 5\r\n\r\n12`),
      status: 200,
    },
    { title: 'reset at once', reason: 'connection', act: (socket) => void socket.resetAndDestroy() },
    {
      title: 'reset in the middle of the answer',
      reason: 'connection',
      act: (socket) =>
        void socket.on('data', () => socket.write(`${HEAD}content-length: 9\r\n\r\n1`, () => socket.resetAndDestroy())),
    },
    {
      title: 'close without an answer',
      reason: 'connection',
      act: (socket) => void socket.on('data', () => socket.end()),
    },
    {
      title: 'close in the middle of the answer',
      reason: 'connection',
      act: (socket) => void socket.on('data', () => socket.end(`${HEAD}content-length: 9\r\n\r\n1`)),
    },
    { title: 'speak something else', reason: 'protocol', act: answerRaw('220 mail.example.com ESMTP\r\n') },
    { title: 'contradict themselves', reason: 'protocol', act: answerRaw(`${HEAD}content-length: x\r\n\r\n`) },
    {
      title: 'upgrade unasked',
      reason: 'connection',
      act: answerRaw('HTTP/1.1 101 No\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    },
    {
      title: 'announce 10 GB',
      reason: 'too_large',
      act: (socket) =>
        socket.once('data', () => writeForEver(socket, `${HEAD}content-length: 10737418240\r\n\r\n`, CHUNK)),
      status: 200,
    },
    {
      title: 'send without end',
      reason: 'too_large',
      act: (socket) => socket.once('data', () => writeForEver(socket, `${HEAD}connection: close\r\n\r\n`, CHUNK)),
      status: 200,
    },
    {
      title: 'send chunks without end',
      reason: 'too_large',
      act: (socket) =>
        socket.once('data', () =>
          writeForEver(socket, `${HEAD}transfer-encoding: chunked\r\n\r\n`, `3e8\r\n${'x'.repeat(1000)}\r\n`),
        ),
      status: 200,
    },
    {
      title: 'send headers without end',
      reason: 'too_large',
      act: (socket) => socket.once('data', () => writeForEver(socket, HEAD, `x-more: ${'y'.repeat(1000)}\r\n`)),
    },
    {
      title: 'send interim answers without end',
      reason: 'timeout',
      act: (socket) => {
        const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 20);
        socket.on('close', () => clearInterval(timer));
      },
    },
    {
      title: 'flood with interim answers',
      reason: 'protocol',
      act: (socket) =>
        socket.once('data', () => writeForEver(socket, '', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000))),
    },
    {
      title: 'drip headers',
      reason: 'timeout',
      act: (socket) => {
        socket.write(`${HEAD}x: `);
        const timer = setInterval(() => socket.write('y'), 20);
        socket.on('close', () => clearInterval(timer));
      },
    },
    {
      title: 'drip the body',
      reason: 'timeout',
      act: (socket) => {
        socket.once('data', () => {
          socket.write(`${HEAD}content-length: 60000\r\n\r\n`);
          const timer = setInterval(() => socket.write('y'), 20);
          socket.on('close', () => clearInterval(timer));
        });
      },
      status: 200,
    },
  ];

  for (const { title, reason, act, status } of cases)
    it(`that ${title}: ${reason}, and no connection stays`, async (t) => {
      const { endpoint, outbound, answer } = await post(t, act, reason === 'timeout' ? 300 : 10_000);
      assert.equal(reasonOf(answer), reason);
      if (status !== undefined) assert.equal(answer.status, status);
      await waitUntil('closed sockets', () => outbound.readLoad().sockets === 0 && endpoint.open === 0);
    });

  it('fail with a reason: refused connection, missing port, invalid request', async (t) => {
    const outbound = makeOutbound(t);
    const closed = createServer();
    const port = await listen(t, closed);
    closed.close();
    await once(closed, 'close');
    const refused = await outbound.post(`http://127.0.0.1:${port}/`, { body: '' });
    assert.deepEqual(refused, {
      ok: false,
      reason: 'connection',
      message: 'The connection was refused.',
      status: null,
    });
    assert.equal(reasonOf(await outbound.post('http://127.0.0.1:0/', { body: '' })), 'refused_address');
    const split = await outbound.post(`http://127.0.0.1:${port}/`, { headers: { a: 'b\r\nc: d' }, body: '' });
    assert.equal(reasonOf(split), 'protocol');
  });

  it('accept a response of exactly the size limit, and not a byte more', async (t) => {
    const origin = await startHttp(t, (request, response) => {
      response.write('x'.repeat(Number(request.url?.slice(1))));
      response.end();
    });
    const outbound = makeOutbound(t);
    const exact = await outbound.post(`${origin}/65536`, { body: '' });
    assert.equal(exact.ok && exact.body.length, 65_536);
    assert.equal(reasonOf(await outbound.post(`${origin}/65537`, { body: '' })), 'too_large');
    assert.equal(reasonOf(await outbound.post(`${origin}/11`, { body: '', maxResponseBytes: 10 })), 'too_large');
  });

  it('time out while connecting: the request is never sent', async (t) => {
    let received = 0;
    const endpoint = await startRawEndpoint(t, (socket) => void socket.on('data', () => received++));
    let answerName: (addresses: string[]) => void = () => undefined;
    const resolve = () => new Promise<string[]>((done) => (answerName = done));
    const outbound = makeOutbound(t, { resolve });
    const answer = await outbound.post(`http://late.example.com:${endpoint.port}/`, { body: 'late', timeoutMs: 50 });
    assert.equal(reasonOf(answer), 'timeout');
    answerName(['127.0.0.1']);
    await waitUntil('the late connection', () => endpoint.accepted === 1);
    await waitUntil('its end', () => endpoint.open === 0 && outbound.readLoad().sockets === 0);
    assert.equal(received, 0);
  });
});

describe('many origins', () => {
  it('do not accumulate for responses, failures or rejections', async (t) => {
    const origin = await startHttp(t, (_request, response) => void response.end());
    const { port } = new URL(origin);
    const resolve = async (name: string) => (name.startsWith('inner') ? ['169.254.169.254'] : ['127.0.0.1']);
    const outbound = makeOutbound(t, { resolve });
    const hosts = Array.from({ length: 400 }, (_, n) => [`a${n}.example.com:${port}`, `inner${n}.example.com:${port}`]);
    const reasons = new Map<string, number>();
    for (const host of hosts.flat()) {
      const reason = reasonOf(await outbound.post(`http://${host}/`, { body: '' }));
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    }
    assert.deepEqual(Object.fromEntries(reasons), { 'answered 200': 400, refused_address: 400 });
    assert.ok(outbound.readLoad().origins <= 256);
    await waitUntil('few sockets', () => outbound.readLoad().sockets <= 256);
  });

  it('never abort a request in flight, however old it is', async (t) => {
    const held: (() => void)[] = [];
    const slow = await startHttp(t, (_request, response) => void held.push(() => response.end()));
    const { port } = new URL(await startHttp(t, (_request, response) => void response.end()));
    const outbound = makeOutbound(t, { resolve: async () => ['127.0.0.1'] });
    const waiting = outbound.post(slow, { body: '' });
    await waitUntil('the request', () => held.length === 1);
    for (let n = 0; n < 300; n += 1) await outbound.post(`http://a${n}.example.com:${port}/`, { body: '' });
    held[0]?.();
    assert.equal(reasonOf(await waiting), 'answered 200');
  });
});

describe('close', () => {
  it('aborts requests in flight, rejects later ones and leaves no socket', async (t) => {
    const endpoint = await startRawEndpoint(t, () => undefined);
    const timersBefore = countTimers();
    const outbound = makeOutbound(t);
    const requested = outbound.post(endpoint.origin, { body: '' });
    await waitUntil('the connection', () => endpoint.open === 1);
    await outbound.close();
    assert.equal(reasonOf(await requested), 'connection');
    assert.equal(reasonOf(await outbound.post(endpoint.origin, { body: '' })), 'connection');
    await waitUntil('no socket', () => endpoint.open === 0 && outbound.readLoad().sockets === 0);
    assert.equal(countTimers(), timersBefore);
  });
});
