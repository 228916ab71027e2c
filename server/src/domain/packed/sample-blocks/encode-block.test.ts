import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { columnsArbitrary, sampleAt, samplesArbitrary } from '../../../../test/support/generate-samples.ts';
import { runsOf } from '../../../../test/support/property-runs.ts';
import { type EpochMs, RECORDING_METHODS, type Sample } from '../../records/records.ts';
import { MAX_BLOCK_SAMPLES } from './block-format.ts';
import { decodeBlock, decodeSamples } from './decode-block.ts';
import { encodeBlock } from './encode-block.ts';
import { columnsOfSamples, type SampleColumns, samplesOfColumns } from './sample-columns.ts';

const DAY = Date.UTC(2026, 0, 2);

const encodeSamples = (samples: readonly Sample[]) => encodeBlock(columnsOfSamples(samples));

/** `deepStrictEqual` compares numbers by Object.is, so -0 is not 0. */
const assertThereAndBack = (samples: readonly Sample[]) =>
  assert.deepStrictEqual(decodeSamples(encodeSamples(samples)), samples);

describe('encodeBlock and decodeBlock', () => {
  it('restore every sample, bit for bit', () => {
    fc.assert(
      fc.property(samplesArbitrary, (samples) => {
        const columns = columnsOfSamples(samples);
        const byStart = new Map(samples.map((sample) => [sample.start, sample]));
        assert.deepStrictEqual(
          decodeSamples(encodeBlock(columns)),
          [...byStart.values()].sort((a, b) => a.start - b.start),
        );
      }),
      { numRuns: runsOf(6_000) },
    );
  });

  it('restore columns as columns, and encode to the same bytes again', () => {
    fc.assert(
      fc.property(columnsArbitrary, (columns) => {
        const bytes = encodeBlock(columns);
        const decoded = decodeBlock(bytes);
        assert.deepStrictEqual(decoded, columns);
        assert.deepStrictEqual(encodeBlock(decoded), bytes);
      }),
      { numRuns: runsOf(2_000) },
    );
  });

  it('keep numbers that are easily lost', () => {
    const values = [-0, 0, 1e-300, 5e-324, -1.7976931348623157e308, 2 ** 53 + 2, 0.1, 0.30000000000000004, 1e15, 1e22];
    for (const value of values) assertThereAndBack([sampleAt(DAY, { value })]);
    assertThereAndBack(values.map((value, index) => sampleAt(DAY + index, { value })));
    assertThereAndBack([2 ** 50, -(2 ** 50), 2 ** 50].map((value, index) => sampleAt(DAY + index, { value })));
  });

  it('keep a change of unit, offset and method at its sample', () => {
    const samples = RECORDING_METHODS.flatMap((method, index) => [
      sampleAt(DAY + index * 4_000, { method }),
      sampleAt(DAY + index * 4_000 + 1_000, { method, offsetMinutes: 120 }),
      sampleAt(DAY + index * 4_000 + 2_000, { method, unit: 'Hz', value: 1.2 }),
      sampleAt(DAY + index * 4_000 + 3_000, { method, end: (DAY + index * 5_000 + 3_000) as EpochMs }),
    ]);
    assertThereAndBack(samples);
    assert.equal(decodeBlock(encodeSamples(samples)).runs.length, 16);
  });

  it('take next to nothing for a regular series, and one byte for a value that varies', () => {
    const dense = Array.from({ length: 2_160 }, (_, index) => sampleAt(DAY + index * 10_000));
    assert.ok(encodeSamples(dense).length < 40);
    const wandering = dense.map((sample, index) => ({ ...sample, value: 70 + (index % 3) }));
    assert.ok(encodeSamples(wandering).length < 2_160 + 40);
  });
});

describe('encodeBlock', () => {
  const refuse = (change: Partial<SampleColumns>, message: RegExp) => {
    const columns = { ...columnsOfSamples([sampleAt(DAY), sampleAt(DAY + 1)]), ...change };
    assert.throws(() => encodeBlock(columns), { name: 'PackedBytesError', message });
  };

  it('rejects an empty block, and one with too many samples', () => {
    assert.throws(() => encodeSamples([]), /at least one sample/);
    const starts = Float64Array.from({ length: MAX_BLOCK_SAMPLES + 1 }, (_, index) => DAY + index);
    refuse({ starts, values: starts }, /at most/);
  });

  it('rejects columns that are not a block', () => {
    refuse({ starts: Float64Array.of(DAY, DAY) }, /ascend/);
    refuse({ starts: Float64Array.of(DAY, DAY + 0.5) }, /whole millisecond/);
    refuse({ starts: Float64Array.of(DAY, Number.NaN) }, /whole millisecond/);
    refuse({ ends: Float64Array.of(DAY, DAY) }, /an end/);
    refuse({ values: Float64Array.of(1, Number.POSITIVE_INFINITY) }, /not a number/);
    refuse({ values: Float64Array.of(1) }, /length/);
    refuse({ runs: [{ count: 1, unit: 'bpm', offsetMinutes: 0, method: 'manual' }] }, /length/);
    refuse({ runs: [{ count: 2, unit: '\ud800', offsetMinutes: 0, method: 'manual' }] }, /unit/);
    refuse({ runs: [{ count: 2, unit: 'bpm', offsetMinutes: 1.5, method: 'manual' }] }, /offset/);
    refuse({ runs: [{ count: 2, unit: 'bpm', offsetMinutes: 0, method: 'guessed' as 'manual' }] }, /method/);
  });
});

describe('columnsOfSamples and samplesOfColumns', () => {
  it('sort, and keep the later of two samples with the same start', () => {
    const samples = [sampleAt(3), sampleAt(1), sampleAt(3, { value: 5 }), sampleAt(2)];
    assert.deepStrictEqual(samplesOfColumns(columnsOfSamples(samples)), [
      sampleAt(1),
      sampleAt(2),
      sampleAt(3, { value: 5 }),
    ]);
  });
});
