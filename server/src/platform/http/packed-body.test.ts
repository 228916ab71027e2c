import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { constants, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import fastify, { type FastifyInstance } from 'fastify';
import { AppError, type Issue } from '../errors.ts';
import { registerBodyParsers } from './body.ts';
import { createBodyBudget } from './body-budget.ts';
import { UPLOAD_LIMITS } from './json-limits.ts';
import {
  type Encoding,
  MAX_UNPACKED_BYTES,
  type PackedBody,
  parseJsonBytes,
  registerPackedBodyParsers,
  unpackBody,
} from './packed-body.ts';

const PACK = { identity: (bytes: Buffer) => bytes, gzip: gzipSync, zstd: zstdCompressSync } as const;
const ENCODINGS = ['identity', 'gzip', 'zstd'] as const;
const MEGABYTE = 1_048_576;

const unpack = (bytes: Buffer, encoding: Encoding) => unpackBody({ bytes, encoding });

async function refusalOf(reading: Promise<unknown>): Promise<AppError> {
  try {
    await reading;
  } catch (error) {
    assert.ok(error instanceof AppError, String(error));
    return error;
  }
  throw new Error('was not refused');
}

const issueOf = (error: AppError) => (error.details.issues as Issue[])[0]?.message;

describe('unpackBody', () => {
  it('unpacks every encoding', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...ENCODINGS),
        fc.uint8Array({ minLength: 1, maxLength: 5_000 }),
        async (encoding, data) => {
          const bytes = Buffer.from(JSON.stringify(Buffer.from(data).toString('base64')));
          assert.deepEqual(await unpack(PACK[encoding](bytes), encoding), bytes);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('reads large bodies, and several members or frames in a row', async () => {
    const bytes = Buffer.from(JSON.stringify(randomBytes(5 * MEGABYTE).toString('base64')));
    for (const encoding of ENCODINGS) assert.deepEqual(await unpack(PACK[encoding](bytes), encoding), bytes);
    for (const encoding of ['gzip', 'zstd'] as const) {
      const [one, other] = ['{"a":', '1}'].map((text) => PACK[encoding](Buffer.from(text)));
      assert.equal(String(await unpack(Buffer.concat([one as Buffer, other as Buffer]), encoding)), '{"a":1}');
    }
  });

  for (const encoding of ['gzip', 'zstd'] as const) {
    it(`413 for a ${encoding} bomb, cut as soon as it passes 20 MB`, async () => {
      const text = Buffer.alloc(MAX_UNPACKED_BYTES);
      text.write(randomBytes(MEGABYTE).toString('base64')); // compresses badly enough for the rest
      assert.equal((await unpack(PACK[encoding](text), encoding)).length, MAX_UNPACKED_BYTES);
      const member = PACK[encoding](Buffer.alloc(50 * MEGABYTE));
      const count = Math.min(2_000, Math.floor((7 * MEGABYTE) / member.length)); // would be gigabytes
      const memoryBefore = process.memoryUsage().rss;
      const error = await refusalOf(unpack(Buffer.concat(Array(count).fill(member)), encoding));
      assert.deepEqual([error.code, error.details.limit_bytes], ['payload_too_large', MAX_UNPACKED_BYTES]);
      assert.ok(process.memoryUsage().rss - memoryBefore < 200 * MEGABYTE);
    });

    it(`413 or 400 for a ${encoding} bomb of values, objects or keys, long before 20 MB`, async () => {
      const bombs = {
        limit_values: `[${'1,'.repeat(10_000_000)}1]`,
        limit_containers: `["${randomBytes(20_000).toString('base64')}",${'{},'.repeat(6_000_000)}{}]`,
      };
      for (const [limit, text] of Object.entries(bombs)) {
        const error = await refusalOf(unpack(PACK[encoding](Buffer.from(text)), encoding));
        assert.equal(error.code, 'payload_too_large');
        assert.ok(limit in error.details, limit);
      }
      const keys = `{${'"k":1,'.repeat(3_000_000)}"z":1}`;
      assert.match(
        issueOf(await refusalOf(unpack(PACK[encoding](Buffer.from(keys)), encoding))) ?? '',
        /more than 200 keys/,
      );
    });

    it(`400 for truncated ${encoding} data`, async () => {
      const packed = PACK[encoding](Buffer.from(`{"a": "${randomBytes(500).toString('hex')}"}`));
      for (const length of [1, 5, 20, packed.length - 9, packed.length - 1]) {
        const error = await refusalOf(unpack(packed.subarray(0, length), encoding));
        assert.equal(error.code, 'invalid_body');
        assert.equal(issueOf(error), `is truncated: the ${encoding} data ends too early`);
      }
    });

    it(`400 for ${encoding} data that is damaged, as far as the format can say, and never another error`, async () => {
      const packed = PACK[encoding](Buffer.from(JSON.stringify(randomBytes(2_000).toString('base64'))));
      await fc.assert(
        fc.asyncProperty(fc.nat(packed.length - 1), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
          const damaged = Buffer.from(packed);
          damaged[at] = (damaged[at] as number) ^ flip;
          try {
            await unpack(damaged, encoding); // zstd carries no checksum unless asked: the JSON inside shows it then
          } catch (error) {
            assert.ok(error instanceof AppError && error.status < 500);
          }
        }),
        { numRuns: 300 },
      );
    });

    it(`400 for data that is not ${encoding}`, async () => {
      const error = await refusalOf(unpack(Buffer.from('{"samples": []}'), encoding));
      assert.equal(issueOf(error), `is not valid ${encoding} data`);
    });
  }

  it('400 for a zstd window of more than 8 MB', async () => {
    const packed = zstdCompressSync(Buffer.alloc(19 * MEGABYTE), { params: { [constants.ZSTD_c_windowLog]: 25 } });
    assert.match(issueOf(await refusalOf(unpack(packed, 'zstd'))) ?? '', /window of more than 8 MB/);
  });

  it('413 for 2 kB that expand further than samples can, even below the absolute limits', async () => {
    const [values, text] = [`[${'1,'.repeat(10_000_000)}1]`, `"${'a'.repeat(20_000_000)}"`].map((json) =>
      zstdCompressSync(json),
    ) as [Buffer, Buffer];
    assert.equal((await refusalOf(unpack(values, 'zstd'))).details.limit_values, values.length * 64);
    assert.equal((await refusalOf(unpack(text, 'zstd'))).details.limit_bytes, MEGABYTE);
  });

  it('accepts the most compressible samples: equal except for the time', async () => {
    const start = Date.UTC(2026, 0, 1);
    const samples = Array.from({ length: 20_000 }, (_, index) => ({
      metric: 'heart_rate',
      start: new Date(start + index * 1_000).toISOString(),
      value: 60,
      unit: 'bpm',
      recording_method: 'automatic',
      metadata: { 'a key of some length': 'and a value of some length that says the same each time' },
    }));
    const json = Buffer.from(JSON.stringify(samples));
    const packed = {
      gzip: gzipSync(json, { level: 9 }),
      zstd: zstdCompressSync(json, { params: { [constants.ZSTD_c_compressionLevel]: 15 } }),
    };
    for (const encoding of ['gzip', 'zstd'] as const)
      assert.equal((await unpack(packed[encoding], encoding)).length, json.length);
  });

  it('accepts 20 MB of the smallest useful samples', async () => {
    const sample = '{"metric":"REM","start":"2026-01-01T00:00:00Z","value":1}';
    const count = Math.floor(MAX_UNPACKED_BYTES / (sample.length + 1)) - 1;
    const bytes = Buffer.from(`[${`${sample},`.repeat(count - 1)}${sample}]`);
    assert.ok(count < UPLOAD_LIMITS.containers);
    assert.equal((parseJsonBytes(await unpack(bytes, 'identity')) as unknown[]).length, count);
  });
});

describe('parseJsonBytes', () => {
  it('parses JSON, with a byte order mark or without', () => {
    assert.deepEqual(parseJsonBytes(Buffer.from('{"a":"ü"}')), { a: 'ü' });
    assert.deepEqual(parseJsonBytes(Buffer.from('\ufeff[1]')), [1]);
  });

  it('400 for invalid JSON and for text that is not UTF-8', async () => {
    const refuse = (bytes: Buffer) => refusalOf((async () => parseJsonBytes(bytes))());
    for (const text of ['{"a":', '{"a": NaN}'])
      assert.match(issueOf(await refuse(Buffer.from(text))) ?? '', /^is not valid JSON: /);
    assert.equal(issueOf(await refuse(Buffer.from([0x22, 0xff, 0x22]))), 'is not valid UTF-8');
  });
});

describe('registerPackedBodyParsers', () => {
  let app: FastifyInstance;
  let port: number;

  before(async () => {
    app = fastify({ bodyLimit: Number.MAX_SAFE_INTEGER });
    const budget = createBodyBudget();
    app.decorateRequest('response', null);
    app.decorateRequest('route', null);
    app.decorateRequest('caller', null);
    app.addHook('onRequest', async (request, reply) => {
      request.response = reply.raw;
    });
    registerBodyParsers(app, budget);
    app.setErrorHandler((error, _request, reply) => {
      const { status, code } = error as AppError;
      return reply.code(status ?? 500).send({ error: code });
    });
    app.post('/plain', (request) => ({ body: request.body ?? null }));
    await app.register(async (scope) => {
      registerPackedBodyParsers(scope, budget);
      scope.post('/packed', async (request) => {
        const body = request.body as PackedBody | undefined;
        return { json: body === undefined ? null : parseJsonBytes(await unpackBody(body)) };
      });
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    const address = app.server.address();
    port = typeof address === 'object' && address ? address.port : 0;
  });
  after(() => app.close());

  const post = (url: string, payload: Buffer | string, headers: Record<string, string> = {}) =>
    app.inject({ method: 'POST', url, payload, headers: { 'content-type': 'application/json', ...headers } });

  it('unpacks bodies on the routes of its scope', async () => {
    for (const encoding of ENCODINGS) {
      const answer = await post('/packed', PACK[encoding](Buffer.from('{"a":1}')), { 'content-encoding': encoding });
      assert.deepEqual(answer.json(), { json: { a: 1 } });
    }
  });

  it('does not change other routes: no compression, a few kB', async () => {
    assert.equal((await post('/plain', '{"a":1}')).statusCode, 200);
    assert.equal((await post('/plain', gzipSync('{"a":1}'), { 'content-encoding': 'gzip' })).statusCode, 415);
    const large = JSON.stringify({ a: 'x'.repeat(20_000) });
    assert.equal((await post('/plain', large)).statusCode, 413);
    assert.equal((await post('/packed', large)).statusCode, 200);
  });

  it('415 for another content type, unless the body is empty', async () => {
    assert.equal((await post('/packed', 'a=1', { 'content-type': 'text/plain' })).statusCode, 415);
    assert.equal((await post('/packed', '', { 'content-type': 'text/plain' })).statusCode, 200);
    assert.deepEqual((await post('/packed', '', { 'content-encoding': 'gzip' })).json(), { json: null });
  });

  it('415 for an unsupported encoding, with the supported ones', async () => {
    for (const encoding of ['br', 'deflate', 'gzip, zstd', 'nonsense']) {
      const answer = await post('/packed', 'x', { 'content-encoding': encoding });
      assert.equal(answer.statusCode, 415, encoding);
    }
  });

  it('a client that sends 12 MB over a real connection receives 413', async () => {
    const socket = connect(port, '127.0.0.1');
    const length = 12 * MEGABYTE;
    socket.write(
      `POST /packed HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`,
    );
    socket.write(Buffer.alloc(length, 32));
    const [first] = (await once(socket, 'data')) as [Buffer];
    assert.match(String(first), /^HTTP\/1\.1 413 /);
    socket.destroy();
  });
});
