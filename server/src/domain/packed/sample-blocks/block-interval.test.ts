import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { columnsArbitrary, sampleAt } from '../../../../test/support/generate-samples.ts';
import type { EpochMs } from '../../records/records.ts';
import { BLOCK_LENGTH_MS, blockStartOf, splitIntoBlocks } from './block-interval.ts';
import { mergeSamples } from './merge-samples.ts';
import { columnsOfSamples, type SampleColumns } from './sample-columns.ts';
import { summarizeBlock } from './summarize-block.ts';

describe('blockStartOf', () => {
  it('begins at 00, 06, 12 and 18 hours of UTC, also before 1970', () => {
    const blockOf = (time: string) => new Date(blockStartOf(Date.parse(time) as EpochMs)).toISOString();
    assert.equal(blockOf('2026-03-29T05:59:59.999Z'), '2026-03-29T00:00:00.000Z');
    assert.equal(blockOf('2026-03-29T06:00:00.000Z'), '2026-03-29T06:00:00.000Z');
    assert.equal(blockOf('1969-12-31T23:59:59.999Z'), '1969-12-31T18:00:00.000Z');
  });
});

describe('splitIntoBlocks', () => {
  it('puts every sample into its block, and the blocks add up to the whole', () => {
    fc.assert(
      fc.property(columnsArbitrary, (columns) => {
        const parts = splitIntoBlocks(columns);
        for (const part of parts)
          for (const start of part.columns.starts) assert.equal(blockStartOf(start as EpochMs), part.blockStart);
        assert.equal(new Set(parts.map(({ blockStart }) => blockStart)).size, parts.length);
        const together = parts.reduce<SampleColumns | null>(
          (all, part) => mergeSamples(all, part.columns).columns,
          null,
        );
        assert.deepStrictEqual(together?.starts, columns.starts);
        assert.deepStrictEqual(together?.values, columns.values);
        assert.deepStrictEqual(together?.runs, columns.runs);
      }),
      { numRuns: 1_000 },
    );
  });

  it('returns nothing for no samples', () => assert.deepStrictEqual(splitIntoBlocks(columnsOfSamples([])), []));
});

describe('summarizeBlock', () => {
  it('counts, compares and adds up', () => {
    const columns = columnsOfSamples([
      sampleAt(BLOCK_LENGTH_MS, { value: 36.5 }),
      sampleAt(BLOCK_LENGTH_MS + 5, { value: 37.5 }),
    ]);
    const expected = {
      count: 2,
      min: 36.5,
      max: 37.5,
      sum: 74,
      firstStart: BLOCK_LENGTH_MS,
      lastStart: BLOCK_LENGTH_MS + 5,
    };
    assert.deepStrictEqual(summarizeBlock(columns), expected);
  });
});
