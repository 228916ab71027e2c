// Exports: lost answers, files that break off, slow readers and abort.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { waitUntil } from '../../../server/test/support/wait-until.ts';
import { ConnectionError, NotFoundError, TimeoutError, Tributary, UnavailableError } from '../src/index.ts';
import { type Answering, error, hang, lose, startFaultyServer } from './faulty-server.ts';

const QUERY = { format: 'ndjson', resources: ['daily', 'sleep'] } as const;
const NDJSON = { 'content-type': 'application/x-ndjson' };
/** Without compression, so that it arrives in several chunks. */
const PACKED = gzipSync(Buffer.alloc(200_000, 'abcdefg'), { level: 0 });
const file: Answering = (response) => response.writeHead(200, NDJSON).end('{"a":1}\n');

async function open(t: TestContext, options: { timeoutMs?: number; maxRetries?: number } = {}) {
  const server = await startFaultyServer(t);
  const base = { baseUrl: server.url, apiKey: 'sk_test', form: 2, retryDelayMs: 1 } as const;
  return { server, client: new Tributary({ ...base, ...options }) };
}

async function readText(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of stream) text += decoder.decode(chunk, { stream: true });
  return text;
}

/** Sends the beginning of a file. */
function begin(headers: Record<string, string> = {}, content: string | Buffer = '{"a":1}\n'): Begun {
  const begun: { response: ServerResponse | null } = { response: null };
  const answer: Answering = (response) => {
    begun.response = response;
    response.writeHead(200, { ...NDJSON, ...headers }).write(content);
  };
  return { answer, response: () => begun.response as ServerResponse };
}
type Begun = { readonly answer: Answering; response(): ServerResponse };

describe('an export', () => {
  it('is a stream of bytes that says what was excluded', async (t) => {
    const { server, client } = await open(t);
    const excluded = { providers: [{ provider: 'garmin', restrictions: ['no_export'] }], records: { daily: 3 } };
    server.answer((response) =>
      response.writeHead(200, { ...NDJSON, 'tributary-excluded': JSON.stringify(excluded) }).end('{"a":1}\n'),
    );
    const stream = await client.users.export('u 1', { ...QUERY, from: '2026-03-01' });
    assert.deepEqual(stream.excluded, excluded);
    assert.equal(await readText(stream), '{"a":1}\n');
    assert.equal(
      server.received[0]?.path,
      '/v1/users/u%201/export?format=ndjson&resources=daily%2Csleep&from=2026-03-01',
    );
  });

  it('can be empty, and works with everything that takes a stream', async (t) => {
    const { server, client } = await open(t);
    server.answer((response) => response.writeHead(200, NDJSON).end(), file);
    const empty = await client.users.export('u1', { format: 'ndjson' });
    assert.deepEqual([await readText(empty), empty.excluded], ['', null]);
    assert.equal(await new Response(await client.users.export('u1', { format: 'ndjson' })).text(), '{"a":1}\n');
  });

  for (const [name, fault] of Object.entries({
    'a lost answer': lose,
    'headers without a byte': ((response) => {
      response.writeHead(200, NDJSON).flushHeaders();
      setImmediate(() => response.destroy());
    }) as Answering,
    '429': error(429, 'rate_limited', { 'retry-after': '0' }),
    '503': error(503, 'unavailable'),
  }))
    it(`is sent again after ${name}`, async (t) => {
      const { server, client } = await open(t);
      server.answer(fault, fault, file);
      assert.equal(await readText(await client.users.export('u1', { format: 'ndjson' })), '{"a":1}\n');
      assert.equal(server.received.length, 3);
    });

  it('fails with the class of the code', async (t) => {
    const { server, client } = await open(t, { maxRetries: 1 });
    server.answer(error(404, 'not_found'));
    await assert.rejects(client.users.export('u1', { format: 'ndjson' }), NotFoundError);
    server.answer(error(503, 'unavailable'));
    await assert.rejects(client.users.export('u1', { format: 'ndjson' }), UnavailableError);
    await assert.rejects(client.users.export('', { format: 'ndjson' }), /user_id must be an id/);
    assert.equal(server.received.length, 3);
  });

  for (const [name, begun] of Object.entries({
    'with a length': begin({ 'content-length': '100' }),
    'without a length': begin(),
    'when it is compressed': begin({ 'content-encoding': 'gzip' }, PACKED.subarray(0, PACKED.length / 2)),
  }))
    it(`fails if it breaks off ${name}, and is not sent again`, async (t) => {
      const { server, client } = await open(t);
      server.answer(begun.answer);
      const stream = await client.users.export('u1', { format: 'ndjson' });
      begun.response().destroy();
      await assert.rejects(readText(stream), (failure) => {
        assert.ok(failure instanceof ConnectionError && !(failure instanceof TimeoutError));
        assert.match(failure.message, /^GET \S+\/v1\/users\/u1\/export: the response is incomplete: /);
        return true;
      });
      assert.equal(server.received.length, 1);
    });

  it('limits every wait for data, and not the time of its reader', async (t) => {
    const { server, client } = await open(t, { timeoutMs: 200, maxRetries: 0 });
    server.answer(hang);
    await assert.rejects(client.users.export('u1', { format: 'ndjson' }), TimeoutError);
    const slow = begin();
    server.answer(slow.answer);
    await assert.rejects(readText(await client.users.export('u1', { format: 'ndjson' })), TimeoutError);
    const reader = (await client.users.export('u1', { format: 'ndjson' })).getReader();
    // Three other calls run into their own limit meanwhile.
    server.answer(hang);
    for (let call = 0; call < 3; call += 1) await assert.rejects(client.users.list(), TimeoutError);
    assert.equal(Buffer.from((await reader.read()).value ?? []).toString(), '{"a":1}\n');
    for (let call = 0; call < 3; call += 1) await assert.rejects(client.users.list(), TimeoutError);
    slow.response().end();
    assert.equal((await reader.read()).done, true);
  });

  it('ends by its signal, before and after the first byte, and closes the connection', async (t) => {
    const { server, client } = await open(t);
    const before = new AbortController();
    server.answer(() => before.abort(new Error('mine')));
    await assert.rejects(client.users.export('u1', { format: 'ndjson' }, { signal: before.signal }), /mine/);
    const after = new AbortController();
    const begun = begin();
    server.answer(begun.answer);
    const stream = await client.users.export('u1', { format: 'ndjson' }, { signal: after.signal });
    const text = readText(stream);
    const closed = once(begun.response(), 'close');
    after.abort(new Error('mine'));
    await assert.rejects(text, /mine/);
    await closed;
    assert.equal(server.received.length, 2);
  });

  it('closes the connection when its reader stops', async (t) => {
    const { server, client } = await open(t);
    const begun = begin();
    server.answer(begun.answer);
    for await (const chunk of await client.users.export('u1', { format: 'ndjson' })) {
      assert.ok(chunk.length > 0);
      break;
    }
    await waitUntil('the connection closes', () => begun.response().destroyed);
    const unread = await client.users.export('u1', { format: 'ndjson' });
    assert.equal(begun.response().destroyed, false);
    await unread.cancel();
    await waitUntil('the connection closes', () => begun.response().destroyed);
  });

  it('is read no faster than its reader', async (t) => {
    const { server, client } = await open(t);
    const total = 64 * 1_048_576;
    let sent = 0;
    let waits = false;
    server.answer(async (response) => {
      response.writeHead(200, NDJSON);
      for (; sent < total; sent += 65_536) {
        if (response.write(Buffer.alloc(65_536))) continue;
        waits = true;
        await once(response, 'drain');
        waits = false;
      }
      response.end();
    });
    const stream = await client.users.export('u1', { format: 'ndjson' });
    let before = -1;
    await waitUntil('the server stops', () => {
      const isStopped = waits && sent === before;
      before = sent;
      return isStopped;
    });
    assert.ok(sent < total / 2, `${sent} bytes`);
    let received = 0;
    for await (const chunk of stream) received += chunk.length;
    assert.equal(received, total);
  });
});
