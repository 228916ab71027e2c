import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ownDailyTotal, totalDays } from './daily-totals.ts';
import { createZone } from './day.ts';
import type { SampleSeries } from './quarter-hours.ts';

const at = (text: string) => Date.parse(text);
const columns = (...rows: [string, string | null, number][]): SampleSeries => ({
  starts: Float64Array.from(rows, ([start]) => at(start)),
  ends: Float64Array.from(rows, ([start, end]) => at(end ?? start)),
  values: Float64Array.from(rows, ([, , value]) => value),
});
const berlin = createZone('Europe/Berlin');
const days = (...args: Parameters<typeof totalDays>) => Object.fromEntries(totalDays(...args));

describe('the daily total of one device', () => {
  it('sum and duration: intervals that cross midnight are split pro rata', () => {
    const samples = columns(
      ['2026-01-10T10:00:00Z', '2026-01-10T10:05:00Z', 100],
      ['2026-01-10T22:45:00Z', '2026-01-10T23:45:00Z', 80],
      ['2026-01-11T12:00:00Z', null, 7],
    );
    assert.deepEqual(days('sum', samples, berlin), { '2026-01-10': 120, '2026-01-11': 67 });
    assert.deepEqual(days('duration', samples, berlin), { '2026-01-10': 120, '2026-01-11': 67 });
  });

  it('sum: the day of 25 hours keeps all its hours', () => {
    const samples = columns(['2026-10-24T22:30:00Z', null, 1], ['2026-10-25T22:30:00Z', null, 2]);
    assert.deepEqual(days('sum', samples, berlin), { '2026-10-25': 3 });
  });

  it('mean: plain where samples are moments, weighted by time where they last', () => {
    assert.deepEqual(
      days('mean', columns(['2026-01-10T10:00:00Z', null, 60], ['2026-01-10T10:00:05Z', null, 90]), berlin),
      { '2026-01-10': 75 },
    );
    const lasting = columns(
      ['2026-01-10T10:00:00Z', '2026-01-10T10:30:00Z', 60],
      ['2026-01-10T11:00:00Z', '2026-01-10T11:10:00Z', 100],
    );
    assert.deepEqual(days('mean', lasting, berlin), { '2026-01-10': 70 });
  });

  it('mean: plain where some samples of the day are moments', () => {
    const mixed = columns(['2026-01-10T10:00:00Z', '2026-01-10T10:30:00Z', 60], ['2026-01-10T11:00:00Z', null, 100]);
    assert.deepEqual(days('mean', mixed, berlin), { '2026-01-10': 80 });
  });

  it('last, min and max of the day on which samples began', () => {
    const samples = columns(
      ['2026-01-10T08:00:00Z', null, 71],
      ['2026-01-10T20:00:00Z', null, 70],
      ['2026-01-10T22:59:00Z', '2026-01-10T23:10:00Z', 72],
      ['2026-01-11T08:00:00Z', null, 69],
    );
    assert.deepEqual(days('last', samples, berlin), { '2026-01-10': 72, '2026-01-11': 69 });
    assert.deepEqual(days('min', samples, berlin), { '2026-01-10': 70, '2026-01-11': 69 });
    assert.deepEqual(days('max', samples, berlin), { '2026-01-10': 72, '2026-01-11': 69 });
  });

  it('a day without samples has no value, an explicit 0 stays', () => {
    const samples = columns(['2026-01-10T10:00:00Z', null, 0], ['2026-01-12T10:00:00Z', null, 5]);
    for (const kind of ['sum', 'duration', 'mean', 'last', 'min', 'max'] as const)
      assert.deepEqual(days(kind, samples, berlin), { '2026-01-10': 0, '2026-01-12': 5 });
    assert.deepEqual(days('sum', columns(), berlin), {});
  });

  it('what the device said of the day wins over its samples, 0 too', () => {
    assert.equal(ownDailyTotal(0, 500), 0);
    assert.equal(ownDailyTotal(null, 500), 500);
    assert.equal(ownDailyTotal(null, null), null);
  });

  it('sum: nothing is lost or made at midnights, in any zone', () => {
    const zone = fc.constantFrom('Asia/Kathmandu', 'Australia/Lord_Howe', 'America/St_Johns', 'Pacific/Apia', 'UTC');
    const sample = fc.tuple(
      fc.integer({ min: 0, max: 400 * 86_400_000 }),
      fc.integer({ min: 0, max: 60 * 3_600_000 }),
      fc.integer({ min: 0, max: 10_000 }),
    );
    fc.assert(
      fc.property(zone, fc.array(sample, { maxLength: 40 }), (name, rows) => {
        const sorted = rows.toSorted(([a], [b]) => a - b);
        const samples = {
          starts: sorted.map(([start]) => at('2011-06-01') + start),
          ends: sorted.map(([start, length]) => at('2011-06-01') + start + length),
          values: sorted.map(([, , value]) => value),
        };
        const whole = sorted.reduce((sum, [, , value]) => sum + value, 0);
        const total = totalDays('sum', samples, createZone(name))
          .values()
          .reduce((sum, value) => sum + value, 0);
        assert.ok(Math.abs(total - whole) <= 1e-9 * Math.max(1, whole));
      }),
      { numRuns: 1_000 },
    );
  });
});
