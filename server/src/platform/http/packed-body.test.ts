import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import fastify, { type FastifyInstance } from 'fastify';
import { AppError, type Issue } from '../errors.ts';
import { registerBodyParsers } from './body.ts';
import {
  MAX_CONTAINERS,
  PACKED_LIMITS,
  type PackedJson,
  parseJsonBytes,
  readPackedBody,
  registerPackedBodyParsers,
} from './packed-body.ts';

const PACK = { identity: (bytes: Buffer) => bytes, gzip: gzipSync, zstd: zstdCompressSync } as const;
const ENCODINGS = ['identity', 'gzip', 'zstd'] as const;
const MEGABYTE = 1_048_576;

/** A body in pieces, and how much of it was taken. */
function streamOf(bytes: Buffer, pieceBytes = 65_536): { stream: Readable; taken: () => number } {
  let at = 0;
  const stream = new Readable({
    highWaterMark: 1,
    read() {
      const piece = bytes.subarray(at, at + pieceBytes);
      at += piece.length;
      this.push(piece.length === 0 ? null : piece);
    },
  });
  return { stream, taken: () => at };
}

const read = (bytes: Buffer, encoding?: string) => readPackedBody(streamOf(bytes).stream, encoding);

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

describe('readPackedBody', () => {
  it('gives back what was packed, whatever the pieces', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...ENCODINGS),
        fc.uint8Array({ minLength: 1, maxLength: 5_000 }),
        fc.integer({ min: 1, max: 6_000 }),
        async (encoding, data, pieceBytes) => {
          const bytes = Buffer.from(data);
          const { stream } = streamOf(PACK[encoding](bytes), pieceBytes);
          assert.deepEqual(await readPackedBody(stream, encoding), bytes);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('reads large ones, and several members or frames in a row', async () => {
    const bytes = randomBytes(7 * MEGABYTE);
    for (const encoding of ENCODINGS) assert.deepEqual(await read(PACK[encoding](bytes), encoding), bytes);
    for (const encoding of ['gzip', 'zstd'] as const) {
      const [one, other] = ['{"a":', '1}'].map((text) => PACK[encoding](Buffer.from(text)));
      assert.equal(String(await read(Buffer.concat([one as Buffer, other as Buffer]), encoding)), '{"a":1}');
    }
  });

  it('knows encodings in any case, and x-gzip', async () => {
    const bytes = Buffer.from('{}');
    for (const encoding of ['GZIP', ' gzip ', 'x-gzip']) assert.deepEqual(await read(gzipSync(bytes), encoding), bytes);
    for (const encoding of [undefined, '', 'Identity']) assert.deepEqual(await read(bytes, encoding), bytes);
  });

  it('an empty body is no body, whatever the encoding', async () => {
    for (const encoding of [...ENCODINGS, 'br', undefined]) assert.equal(await read(Buffer.alloc(0), encoding), null);
    for (const encoding of ENCODINGS) assert.equal(await read(PACK[encoding](Buffer.alloc(0)), encoding), null);
  });

  it('415 for other encodings, with those it reads, and the body is drained', async () => {
    for (const encoding of ['br', 'deflate', 'compress', 'gzip, zstd', 'gzip, identity', 'x'.repeat(10_000)]) {
      const { stream, taken } = streamOf(deflateSync(randomBytes(MEGABYTE)));
      const error = await refusalOf(readPackedBody(stream, encoding));
      assert.equal(error.code, 'unsupported_media_type');
      assert.equal(error.headers['accept-encoding'], 'identity, gzip, zstd');
      assert.ok(taken() >= MEGABYTE && !stream.errored && stream.readableEnded);
    }
  });

  it('413 past 8 MB as sent; the rest is drained up to 8 MB, then the line is cut', async () => {
    const limit = PACKED_LIMITS.packedBytes;
    assert.equal((await read(Buffer.alloc(limit, 32)))?.length, limit);
    const over = streamOf(Buffer.alloc(limit + 5 * MEGABYTE));
    const error = await refusalOf(readPackedBody(over.stream, undefined));
    assert.deepEqual([error.code, error.details.limit_bytes], ['payload_too_large', limit]);
    assert.equal(over.taken(), limit + 5 * MEGABYTE);
    assert.ok(over.stream.readableEnded);
    const endless = streamOf(Buffer.alloc(40 * MEGABYTE));
    assert.equal((await refusalOf(readPackedBody(endless.stream, 'gzip'))).status, 400); // no gzip at all
    assert.ok(endless.stream.destroyed && endless.taken() < 9 * MEGABYTE);
  });

  for (const encoding of ['gzip', 'zstd'] as const) {
    it(`413 for a ${encoding} bomb, cut as soon as it passes 20 MB`, async () => {
      const limit = PACKED_LIMITS.unpackedBytes;
      assert.equal((await read(PACK[encoding](Buffer.alloc(limit)), encoding))?.length, limit);
      const member = PACK[encoding](Buffer.alloc(50 * MEGABYTE));
      const count = Math.min(2_000, Math.floor((7 * MEGABYTE) / member.length)); // would be gigabytes
      const bomb = streamOf(Buffer.concat(Array(count).fill(member)));
      const memoryBefore = process.memoryUsage().rss;
      const startedMs = performance.now();
      const error = await refusalOf(readPackedBody(bomb.stream, encoding));
      assert.deepEqual([error.code, error.details.limit_bytes], ['payload_too_large', limit]);
      assert.equal(bomb.taken(), member.length * count); // drained, not unpacked
      assert.ok(performance.now() - startedMs < 5_000);
      assert.ok(process.memoryUsage().rss - memoryBefore < 200 * MEGABYTE);
    });

    it(`400 for ${encoding} data that is cut off`, async () => {
      const packed = PACK[encoding](Buffer.from(`{"a": "${randomBytes(500).toString('hex')}"}`));
      for (const length of [1, 5, 20, packed.length - 9, packed.length - 1]) {
        const error = await refusalOf(read(packed.subarray(0, length), encoding));
        assert.equal(error.code, 'invalid_body');
        assert.equal(issueOf(error), `is cut off: the ${encoding} data ends too early`);
      }
    });

    it(`400 for ${encoding} data that is damaged, as far as the format can tell, and never another error`, async () => {
      const bytes = randomBytes(2_000);
      const packed = PACK[encoding](bytes);
      await fc.assert(
        fc.asyncProperty(fc.nat(packed.length - 1), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
          const damaged = Buffer.from(packed);
          damaged[at] = (damaged[at] as number) ^ flip;
          try {
            await read(damaged, encoding); // zstd carries no checksum unless asked: the JSON inside tells then
          } catch (error) {
            assert.ok(error instanceof AppError && error.code === 'invalid_body');
          }
        }),
        { numRuns: 300 },
      );
    });

    it(`400 for what is no ${encoding} data`, async () => {
      const error = await refusalOf(read(Buffer.from('{"samples": []}'), encoding));
      assert.equal(issueOf(error), `is no valid ${encoding} data`);
    });
  }

  it('400 for a zstd window of more than 8 MB: its decoder would reserve it', async () => {
    const packed = zstdCompressSync(Buffer.alloc(19 * MEGABYTE), { params: { [constants.ZSTD_c_windowLog]: 25 } });
    assert.match(issueOf(await refusalOf(read(packed, 'zstd'))) ?? '', /window of more than 8 MB/);
  });

  it('a client that goes away is no fault of the body', async () => {
    const stream = new Readable({ read() {} });
    stream.push(gzipSync('{}').subarray(0, 10));
    setImmediate(() => stream.destroy(new Error('aborted')));
    await assert.rejects(readPackedBody(stream, 'gzip'), /aborted/);
  });
});

describe('parseJsonBytes', () => {
  it('parses JSON, with a byte order mark or without', () => {
    assert.deepEqual(parseJsonBytes(Buffer.from('{"a":"ü"}')), { a: 'ü' });
    assert.deepEqual(parseJsonBytes(Buffer.from('\ufeff[1]')), [1]);
  });

  it('400 for broken JSON, and for text that is not UTF-8', async () => {
    assert.match(
      issueOf(await refusalOf((async () => parseJsonBytes(Buffer.from('{"a":')))())) ?? '',
      /^is not valid JSON: /,
    );
    assert.match(
      issueOf(await refusalOf((async () => parseJsonBytes(Buffer.from('{"a": NaN}')))())) ?? '',
      /^is not valid JSON: /,
    );
    assert.equal(
      issueOf(await refusalOf((async () => parseJsonBytes(Buffer.from([0x22, 0xff, 0x22])))())),
      'is not valid UTF-8',
    );
  });

  it('413 for millions of tiny objects or brackets, before they take memory', async () => {
    for (const text of [`[${'{},'.repeat(2_000_000)}{}]`, '['.repeat(20 * MEGABYTE)]) {
      const error = await refusalOf((async () => parseJsonBytes(Buffer.from(text)))());
      assert.deepEqual([error.code, error.details], ['payload_too_large', { limit_containers: MAX_CONTAINERS }]);
    }
  });

  it('takes as many of the smallest useful samples as 20 MB hold', () => {
    const sample = '{"metric":"REM","start":"2026-01-01T00:00:00Z","value":1}';
    const count = Math.floor(PACKED_LIMITS.unpackedBytes / (sample.length + 1)) - 1;
    const parsed = parseJsonBytes(Buffer.from(`[${`${sample},`.repeat(count - 1)}${sample}]`));
    assert.equal((parsed as unknown[]).length, count);
  });
});

describe('registerPackedBodyParsers', () => {
  let app: FastifyInstance;
  let port: number;

  before(async () => {
    app = fastify({ bodyLimit: Number.MAX_SAFE_INTEGER });
    registerBodyParsers(app);
    app.setErrorHandler((error, _request, reply) => {
      const { status, code } = error as AppError;
      return reply.code(status ?? 500).send({ error: code });
    });
    app.post('/plain', (request) => ({ body: request.body ?? null }));
    await app.register(async (scope) => {
      registerPackedBodyParsers(scope);
      scope.post('/packed', (request) => {
        const body = request.body as PackedJson | undefined;
        return { json: body?.json ?? null, bytes: body?.bytes.length ?? 0 };
      });
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    const address = app.server.address();
    port = typeof address === 'object' && address ? address.port : 0;
  });
  after(() => app.close());

  const post = (url: string, payload: Buffer | string, headers: Record<string, string> = {}) =>
    app.inject({ method: 'POST', url, payload, headers: { 'content-type': 'application/json', ...headers } });

  it('unpacks on the routes of its scope', async () => {
    for (const encoding of ENCODINGS) {
      const answer = await post('/packed', PACK[encoding](Buffer.from('{"a":1}')), { 'content-encoding': encoding });
      assert.deepEqual(answer.json(), { json: { a: 1 }, bytes: 7 });
    }
  });

  it('leaves the other routes as they are: no packing, 1 MiB', async () => {
    assert.equal((await post('/plain', '{"a":1}')).statusCode, 200);
    assert.equal((await post('/plain', gzipSync('{"a":1}'), { 'content-encoding': 'gzip' })).statusCode, 415);
    const large = JSON.stringify({ a: 'x'.repeat(2 * MEGABYTE) });
    assert.equal((await post('/plain', large)).statusCode, 413);
    assert.equal((await post('/packed', large)).statusCode, 200);
  });

  it('415 for another type, none for an empty body', async () => {
    assert.equal((await post('/packed', 'a=1', { 'content-type': 'text/plain' })).statusCode, 415);
    assert.equal((await post('/packed', '', { 'content-type': 'text/plain' })).statusCode, 200);
    assert.deepEqual((await post('/packed', '', { 'content-encoding': 'gzip' })).json(), { json: null, bytes: 0 });
  });

  it('a client that sends 12 MB over a real line sees its 413', async () => {
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
