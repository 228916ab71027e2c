import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { columnsArbitrary, sampleAt } from '../../../../test/support/generate-samples.ts';
import { BLOCK_VERSION, MAX_BLOCK_SAMPLES, SampleBlockError } from './block-format.ts';
import { decodeBlock } from './decode-block.ts';
import { encodeBlock } from './encode-block.ts';
import { columnsOfSamples } from './sample-columns.ts';

/** Whatever the bytes, decoding throws our error or returns a block that can be encoded again. */
function decodeOrRefuse(bytes: Uint8Array): void {
  try {
    const columns = decodeBlock(bytes);
    assert.ok(columns.starts.length <= MAX_BLOCK_SAMPLES);
    encodeBlock(columns);
  } catch (error) {
    assert.ok(error instanceof SampleBlockError, String(error));
  }
}

const bytesOf = (...numbers: number[]) => Uint8Array.from(numbers);
const LARGEST_VARINT = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f];
const ONE_RUN = [1, 0, 1, 0, 0, 0]; // one unit of no bytes; one run of it at offset 0

describe('decodeBlock', () => {
  it('rejects an unknown version', () => {
    const bytes = encodeBlock(columnsOfSamples([sampleAt(5)]));
    for (const version of [0, BLOCK_VERSION + 1, 255]) {
      bytes[0] = version;
      assert.throws(() => decodeBlock(bytes), new RegExp(`sample block version ${version} is not supported`));
    }
  });

  it('rejects a block that is truncated anywhere or followed by more bytes', () => {
    fc.assert(
      fc.property(columnsArbitrary, fc.nat(), (columns, index) => {
        const bytes = encodeBlock(columns);
        assert.throws(() => decodeBlock(bytes.subarray(0, index % bytes.length)), SampleBlockError);
        assert.throws(() => decodeBlock(bytesOf(...bytes, 0)), SampleBlockError);
      }),
      { numRuns: 1_000 },
    );
  });

  it('survives changed bytes', () => {
    const change = fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }));
    fc.assert(
      fc.property(columnsArbitrary, fc.array(change, { minLength: 1, maxLength: 4 }), (columns, changes) => {
        const bytes = encodeBlock(columns);
        for (const [index, byte] of changes) bytes[index % bytes.length] = byte;
        decodeOrRefuse(bytes);
      }),
      { numRuns: 2_000 },
    );
  });

  it('survives bytes that never were a block', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        decodeOrRefuse(bytes);
        decodeOrRefuse(bytesOf(BLOCK_VERSION, ...bytes));
      }),
      { numRuns: 5_000 },
    );
  });

  it('never allocates for lengths that its bytes cannot hold', () => {
    const refuse = (numbers: number[], message: RegExp) =>
      assert.throws(() => decodeBlock(bytesOf(BLOCK_VERSION, 0, ...numbers)), message);
    refuse(LARGEST_VARINT, /impossible count/);
    refuse([9, ...LARGEST_VARINT], /end too early/); // units
    refuse([9, 1, ...LARGEST_VARINT], /too long/); // bytes of a unit
    refuse([9, 1, 0, ...LARGEST_VARINT], /impossible count of runs/);
    refuse([0xc0, 0x97, 0x0d, ...ONE_RUN, 0, 1, 1], /end too early/); // 216,000 starts
    refuse([9, ...ONE_RUN, 0, 0, 0], /do not ascend/);
    refuse([9, ...ONE_RUN, 0, ...LARGEST_VARINT, 0], /out of range/);
    refuse([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], /too many bytes/);
  });
});
