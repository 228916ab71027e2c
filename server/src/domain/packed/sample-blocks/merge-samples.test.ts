import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { columnsArbitrary, sampleAt, samplesArbitrary } from '../../../../test/support/generate-samples.ts';
import type { Sample } from '../../records/records.ts';
import { mergeSamples } from './merge-samples.ts';
import { removeInterval } from './remove-interval.ts';
import { columnsOfSamples, type SampleColumns, samplesOfColumns, sliceColumns } from './sample-columns.ts';

const RUNS = { numRuns: 1_500 };

const mergeAll = (uploads: readonly (readonly Sample[])[]) =>
  uploads
    .filter((upload) => upload.length > 0)
    .reduce<SampleColumns | null>((merged, upload) => mergeSamples(merged, columnsOfSamples(upload)).columns, null);

/** Samples distributed over several uploads. */
const dealtArbitrary = fc
  .tuple(columnsArbitrary, fc.array(fc.nat({ max: 3 }), { minLength: 40, maxLength: 40 }))
  .map(([columns, hands]) => {
    const uploads: Sample[][] = [[], [], [], []];
    for (const [index, sample] of samplesOfColumns(columns).entries()) uploads[hands[index] ?? 0]?.push(sample);
    return { columns, uploads };
  });

describe('mergeSamples', () => {
  it('gives the same result for the parts of a series in any order', () => {
    fc.assert(
      fc.property(
        dealtArbitrary,
        fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }),
        ({ columns, uploads }, order) => {
          assert.deepStrictEqual(mergeAll(order.map((index) => uploads[index] ?? [])), columns);
        },
      ),
      RUNS,
    );
  });

  it('gives the same result if an upload is split, including corrections and repetitions', () => {
    fc.assert(
      fc.property(samplesArbitrary, samplesArbitrary, fc.nat({ max: 40 }), (first, second, cut) => {
        const whole = mergeAll([first, second]);
        assert.deepStrictEqual(mergeAll([first, second.slice(0, cut), second.slice(cut)]), whole);
        assert.deepStrictEqual(mergeAll([[...first, ...second]]), whole);
      }),
      RUNS,
    );
  });

  it('changes nothing the second time, and reports that', () => {
    fc.assert(
      fc.property(columnsArbitrary, columnsArbitrary, (existing, incoming) => {
        const once = mergeSamples(existing, incoming);
        const twice = mergeSamples(once.columns, incoming);
        assert.deepStrictEqual(twice, { ...once, added: 0, replaced: 0, equal: incoming.starts.length });
        assert.equal(once.added, once.columns.starts.length - existing.starts.length);
        assert.equal(once.added + once.replaced + once.equal, incoming.starts.length);
      }),
      RUNS,
    );
  });

  it('counts added, replaced and unchanged samples', () => {
    const existing = columnsOfSamples([sampleAt(10), sampleAt(20), sampleAt(30), sampleAt(40, { value: 0 })]);
    const incoming = [
      sampleAt(5),
      sampleAt(10),
      sampleAt(20, { value: 72 }),
      sampleAt(30, { method: 'manual' }),
      sampleAt(40, { value: -0 }),
      sampleAt(50),
    ];
    const merged = mergeSamples(existing, columnsOfSamples(incoming));
    assert.deepStrictEqual(samplesOfColumns(merged.columns), incoming);
    assert.deepStrictEqual([merged.added, merged.replaced, merged.equal], [2, 3, 1]);
  });

  it('merges nothing into nothing', () => {
    const existing = columnsOfSamples([sampleAt(10)]);
    const empty = columnsOfSamples([]);
    assert.deepStrictEqual(mergeSamples(existing, empty), { columns: existing, added: 0, replaced: 0, equal: 0 });
    assert.equal(mergeSamples(null, existing).added, 1);
  });
});

describe('removeInterval', () => {
  it('removes samples that start within, both ends included, and nothing else', () => {
    fc.assert(
      fc.property(
        columnsArbitrary,
        fc.nat({ max: 41 }),
        fc.nat({ max: 41 }),
        fc.constantFrom(0, 1),
        (columns, i, j, by) => {
          const from = (columns.starts.at(i % columns.starts.length) ?? 0) + by;
          const to = (columns.starts.at(j % columns.starts.length) ?? 0) - by;
          const kept = samplesOfColumns(columns).filter(({ start }) => start < from || start > to);
          const result = removeInterval(columns, from, to);
          assert.deepStrictEqual(result.columns, kept.length === 0 ? null : columnsOfSamples(kept));
          assert.equal(result.removed, columns.starts.length - kept.length);
        },
      ),
      RUNS,
    );
  });

  it('is undone by sending the samples again', () => {
    fc.assert(
      fc.property(columnsArbitrary, fc.nat({ max: 40 }), (columns, from) => {
        const removed = sliceColumns(columns, from, from + 5);
        if (removed.starts.length === 0) return;
        const left = removeInterval(columns, removed.starts.at(0) ?? 0, removed.starts.at(-1) ?? 0);
        assert.deepStrictEqual(mergeSamples(left.columns, removed).columns.starts, columns.starts);
      }),
      RUNS,
    );
  });
});
