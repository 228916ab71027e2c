import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { sampleAt } from '../../../../test/support/generate-samples.ts';
import type { EpochMs } from '../../records/records.ts';
import { DAY_MS, HOUR_MS } from '../../time/durations.ts';
import { type QuarterHours, sumQuarterHours } from '../../time/quarter-hours.ts';
import { columnsOfSamples } from './sample-columns.ts';
import { findByTime, sliceByTime } from './slice-by-time.ts';

const FROM = Date.UTC(2026, 2, 29);

describe('the samples of an interval', () => {
  it('give the same quarter hours in place and as a slice', () => {
    const rows = fc.array(
      fc.tuple(
        fc.integer({ min: -DAY_MS, max: 2 * DAY_MS }),
        fc.oneof(fc.constant(0), fc.nat(900_000), fc.nat(30 * HOUR_MS)),
        fc.double({ min: 0, max: 1_000, noNaN: true }),
      ),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(rows, (list) => {
        const columns = columnsOfSamples(
          list.map(([offset, length, value]) => ({
            ...sampleAt(FROM + offset, { value }),
            end: (FROM + offset + length) as EpochMs,
          })),
        );
        const cutOut = sliceByTime(columns, FROM, FROM + DAY_MS);
        const indexes = findByTime(columns, FROM, FROM + DAY_MS);
        const withoutIndex = ({ long, ...sums }: QuarterHours) => ({
          ...sums,
          long: long.map((sample) => ({ ...sample, index: 0 })),
        });
        assert.deepEqual(
          withoutIndex(sumQuarterHours(columns, FROM, FROM + DAY_MS, indexes)),
          withoutIndex(sumQuarterHours(cutOut, FROM, FROM + DAY_MS)),
        );
        assert.deepEqual(
          sumQuarterHours(columns, FROM, FROM + DAY_MS, indexes),
          sumQuarterHours(columns, FROM, FROM + DAY_MS),
        );
      }),
    );
  });
});
