import assert from 'node:assert/strict';
import { type Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { describe, it } from 'node:test';
import { openContent, preparedJson } from './prepared-json.ts';

async function* pieces(...list: (string | Error)[]): AsyncGenerator<string> {
  for (const piece of list) {
    if (piece instanceof Error) throw piece;
    yield piece;
  }
}

async function read(stream: AsyncIterable<unknown>): Promise<string> {
  let text = '';
  for await (const piece of stream) text += String(piece);
  return text;
}

describe('prepared JSON', () => {
  it('is sent unchanged or streamed', async () => {
    assert.equal(await openContent(preparedJson('{}')), '{}');
    const stream = await openContent(preparedJson(pieces('[1,', '2]')));
    assert.equal(await read(stream as AsyncIterable<unknown>), '[1,2]');
    assert.equal(await read((await openContent(preparedJson(pieces()))) as AsyncIterable<unknown>), '');
  });

  it('fails as an error response if the first chunk fails, and aborts if a later one fails', async () => {
    await assert.rejects(openContent(preparedJson(pieces(new Error('first')))), /first/);
    const stream = await openContent(preparedJson(pieces('[1,', new Error('later'))));
    await assert.rejects(read(stream as AsyncIterable<unknown>), /later/);
  });

  it('stops its source when the client disconnects', async () => {
    let isStopped = false;
    async function* endless(): AsyncGenerator<string> {
      try {
        for (;;) yield 'x'.repeat(1_000);
      } finally {
        isStopped = true;
      }
    }
    const stream = (await openContent(preparedJson(endless()))) as unknown as {
      destroy(): void;
      once(event: string, done: () => void): void;
    };
    await new Promise<void>((resolve) => {
      stream.once('close', resolve);
      stream.destroy();
    });
    assert.ok(isStopped);
  });

  it('writes at most two chunks ahead of a slow client', async () => {
    let made = 0;
    let received = '';
    async function* counted(): AsyncGenerator<string> {
      for (; made < 20; made += 1) yield `${made},`;
    }
    let taken = 0;
    const slow = new Writable({
      highWaterMark: 1,
      write(chunk: Buffer, _encoding, done) {
        setImmediate(() => {
          received += chunk.toString();
          taken += 1;
          assert.ok(made - taken <= 2, `${made} made, ${taken} taken`);
          done();
        });
      },
    });
    const stream = await openContent(preparedJson(counted()));
    await finished((stream as Readable).pipe(slow));
    assert.equal(received, Array.from({ length: 20 }, (_, index) => `${index},`).join(''));
  });

  it('stops when a chunk fails or the client disconnects', async () => {
    const swallow = () => new Writable({ write: (_chunk, _encoding, done) => done() });
    const failing = (await openContent(preparedJson(pieces('[1,', new Error('later'))))) as Readable;
    failing.pipe(swallow());
    await assert.rejects(finished(failing), /later/);

    let isStopped = false;
    async function* endless(): AsyncGenerator<string> {
      try {
        for (;;) yield 'x';
      } finally {
        isStopped = true;
      }
    }
    const abandoned = (await openContent(preparedJson(endless()))) as Readable;
    abandoned.pipe(new Writable({ write: () => undefined })); // never done with the first
    await new Promise<void>((resolve) => {
      abandoned.once('close', resolve);
      setImmediate(() => abandoned.destroy());
    });
    assert.ok(isStopped);
  });
});
