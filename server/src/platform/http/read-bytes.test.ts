import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { AppError } from '../errors.ts';
import { readBytes } from './read-bytes.ts';

const MEGABYTE = 1_048_576;
const SOON = { bytes: 1_000, timeMs: 10_000 };

/** A body in pieces, and how much of it was taken. */
function bodyOf(bytes: Buffer, { pieceBytes = 65_536, isEndless = false } = {}) {
  let at = 0;
  const stream = new Readable({
    highWaterMark: 1,
    read() {
      const piece = bytes.subarray(at, at + pieceBytes);
      at += piece.length;
      if (piece.length > 0) this.push(piece);
      else if (!isEndless) this.push(null);
    },
  });
  return { stream: stream as unknown as IncomingMessage, taken: () => at };
}

const refusalOf = (reading: Promise<unknown>) =>
  reading.then(
    () => assert.fail('was not refused'),
    (error: AppError) => error,
  );

describe('readBytes', () => {
  it('gives back the body, whatever the pieces', async () => {
    const bytes = Buffer.from('0123456789'.repeat(50));
    for (const pieceBytes of [1, 7, 1_000])
      assert.deepEqual(await readBytes(bodyOf(bytes, { pieceBytes }).stream, SOON), bytes);
    assert.equal((await readBytes(bodyOf(Buffer.alloc(0)).stream, SOON)).length, 0);
  });

  it('413 for one byte too many; the rest is read, so that the client sees the answer', async () => {
    const body = bodyOf(Buffer.alloc(5 * MEGABYTE));
    const error = await refusalOf(readBytes(body.stream, SOON));
    assert.deepEqual([error.code, error.details], ['payload_too_large', { limit_bytes: 1_000 }]);
    assert.equal(body.taken(), 5 * MEGABYTE);
  });

  it('cuts the connection of whoever goes on and on', async () => {
    const body = bodyOf(Buffer.alloc(40 * MEGABYTE));
    assert.equal((await refusalOf(readBytes(body.stream, SOON))).code, 'payload_too_large');
    assert.ok(body.stream.destroyed && body.taken() < 9 * MEGABYTE);
  });

  it('408 for a body that does not end in time', async () => {
    const body = bodyOf(Buffer.from('{"a":'), { isEndless: true });
    const error = await refusalOf(readBytes(body.stream, { bytes: 1_000, timeMs: 10 }));
    assert.deepEqual([error.code, error.headers.connection], ['request_timeout', 'close']);
  });

  it('asks for every piece, and refuses what is not given', async () => {
    const requested: number[] = [];
    const take = (bytes: number) => {
      requested.push(bytes);
      return requested.length < 3 ? null : new AppError('overloaded');
    };
    const body = bodyOf(Buffer.alloc(500), { pieceBytes: 100 });
    assert.equal((await refusalOf(readBytes(body.stream, { ...SOON, take }))).code, 'overloaded');
    assert.deepEqual(requested, [100, 100, 100]); // what is dropped is not asked for
  });

  it('fails if the client goes away', async () => {
    const { stream } = bodyOf(Buffer.from('{"a":'), { isEndless: true });
    setImmediate(() => stream.destroy());
    await assert.rejects(readBytes(stream, SOON), { code: 'ECONNRESET' });
  });
});
