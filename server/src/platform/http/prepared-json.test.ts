import assert from 'node:assert/strict';
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
  it('is passed on as it is, or streamed', async () => {
    assert.equal(await openContent(preparedJson('{}')), '{}');
    const stream = await openContent(preparedJson(pieces('[1,', '2]')));
    assert.equal(await read(stream as AsyncIterable<unknown>), '[1,2]');
    assert.equal(await read((await openContent(preparedJson(pieces()))) as AsyncIterable<unknown>), '');
  });

  it('fails as a whole when the first piece fails, and in the middle when a later one does', async () => {
    await assert.rejects(openContent(preparedJson(pieces(new Error('first')))), /first/);
    const stream = await openContent(preparedJson(pieces('[1,', new Error('later'))));
    await assert.rejects(read(stream as AsyncIterable<unknown>), /later/);
  });

  it('stops reading when nobody listens any more', async () => {
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
});
