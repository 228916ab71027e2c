import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ByteCollector } from './byte-collector.ts';

const MEGABYTE = 1_048_576;

function usedHeapBytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}

describe('ByteCollector', () => {
  it('returns all bytes in their order, for chunks of any size', () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 31) % 251));
    for (const sizes of [[1], [0, 5], [16_383], [16_384], [16_385, 1], [1, 65_536], [40_000, 3, 20_000], [300_000]]) {
      const collector = new ByteCollector();
      for (let at = 0, index = 0; at < bytes.length; index += 1) {
        const size = sizes[index % sizes.length] as number;
        collector.add(bytes.subarray(at, at + size));
        at += size;
      }
      assert.equal(collector.size, bytes.length);
      assert.ok(collector.take().equals(bytes), `chunks of ${sizes}`);
      assert.deepEqual([collector.size, collector.take().length], [0, 0]);
    }
  });

  it('uses little more memory than it has bytes, however small the chunks are', () => {
    const collector = new ByteCollector();
    const before = usedHeapBytes();
    for (let count = 0; count < MEGABYTE / 4; count += 1) collector.add(Buffer.from('x'));
    assert.ok(usedHeapBytes() - before < 4 * MEGABYTE);
    assert.equal(collector.take().length, MEGABYTE / 4);
  });

  it('copies small chunks, so that the memory around them can be freed', () => {
    const collector = new ByteCollector();
    collector.add(Buffer.from('the first'));
    for (const size of [1, 1_000, 16_383]) {
      const received = Buffer.alloc(65_536, 'a');
      collector.add(received.subarray(0, size));
      received.fill('b');
    }
    assert.ok(!collector.take().includes('b'));
  });
});
