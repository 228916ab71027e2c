import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { AppError } from '../errors.ts';
import { readBytes } from './read-bytes.ts';

const MEGABYTE = 1_048_576;
const SOON = { bytes: 1_000, timeMs: 10_000 };

/** A body in chunks, and how much of it was read. */
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
  it('returns the body for any chunks', async () => {
    const bytes = Buffer.from('0123456789'.repeat(50));
    for (const pieceBytes of [1, 7, 1_000])
      assert.deepEqual(await readBytes(bodyOf(bytes, { pieceBytes }).stream, SOON), bytes);
    assert.equal((await readBytes(bodyOf(Buffer.alloc(0)).stream, SOON)).length, 0);
  });

  it('413 for one byte too many; drains the rest so that the client receives the response', async () => {
    const body = bodyOf(Buffer.alloc(5 * MEGABYTE));
    const error = await refusalOf(readBytes(body.stream, SOON));
    assert.deepEqual([error.code, error.details], ['payload_too_large', { limit_bytes: 1_000 }]);
    assert.equal(body.taken(), 5 * MEGABYTE);
  });

  it('closes the connection of a client that does not stop sending', async () => {
    const body = bodyOf(Buffer.alloc(40 * MEGABYTE));
    assert.equal((await refusalOf(readBytes(body.stream, SOON))).code, 'payload_too_large');
    assert.ok(body.stream.destroyed && body.taken() < 9 * MEGABYTE);
  });

  it('408 for a body that is not complete in time', async () => {
    const body = bodyOf(Buffer.from('{"a":'), { isEndless: true });
    const error = await refusalOf(readBytes(body.stream, { bytes: 1_000, timeMs: 10 }));
    assert.deepEqual([error.code, error.headers.connection], ['request_timeout', 'close']);
  });

  it('reserves every chunk, and rejects the body if a reservation fails', async () => {
    const requested: number[] = [];
    const take = (bytes: number) => {
      requested.push(bytes);
      return requested.length < 3 ? null : new AppError('overloaded');
    };
    const body = bodyOf(Buffer.alloc(500), { pieceBytes: 100 });
    assert.equal((await refusalOf(readBytes(body.stream, { ...SOON, take }))).code, 'overloaded');
    assert.deepEqual(requested, [100, 100, 100]); // dropped chunks are not reserved
  });

  it('fails if the client disconnects', async () => {
    const { stream } = bodyOf(Buffer.from('{"a":'), { isEndless: true });
    setImmediate(() => stream.destroy());
    await assert.rejects(readBytes(stream, SOON), { code: 'ECONNRESET' });
  });
});
