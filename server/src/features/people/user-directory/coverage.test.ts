import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DeviceNumber, UserId } from '../../../domain/tenancy.ts';
import { DAY_MS, HOUR_MS } from '../../../domain/time/durations.ts';
import { coverageRangeAt, packCoverage } from './coverage.ts';

const NOW = Date.parse('2026-03-11T20:00:00Z');
const range = coverageRangeAt(NOW);
const user = 'u' as UserId;
const watch = 1 as DeviceNumber;

function bitsOf(intervals: readonly (readonly [number, number])[]): number[] {
  const recorded = intervals.map(([startMs, endMs]) => ({ userId: user, device: watch, startMs, endMs }));
  const bytes = Uint8Array.fromBase64(packCoverage(recorded, range).get(user)?.get(watch) ?? '');
  return [...bytes].flatMap((byte, index) =>
    [0, 1, 2, 3, 4, 5, 6, 7].filter((bit) => (byte >> bit) & 1).map((bit) => index * 8 + bit),
  );
}

describe('coverage', () => {
  it('covers seven days and the current six hours', () => {
    assert.equal(new Date(range.fromMs).toISOString(), '2026-03-04T18:00:00.000Z');
    assert.equal(new Date(range.toMs).toISOString(), '2026-03-12T00:00:00.000Z');
  });

  it('sets the bit of a sample, and all bits that a sleep overlaps', () => {
    const { fromMs } = range;
    assert.deepEqual(bitsOf([[fromMs, fromMs]]), [0]);
    assert.deepEqual(bitsOf([[fromMs + 5 * HOUR_MS, fromMs + 13 * HOUR_MS]]), [0, 1, 2]);
    assert.deepEqual(bitsOf([[fromMs + 6 * HOUR_MS, fromMs + 12 * HOUR_MS]]), [1]);
    assert.deepEqual(bitsOf([[NOW, NOW]]), [28]);
  });

  it('cuts sleeps at the limits of the range and ignores what lies outside', () => {
    const { fromMs, toMs } = range;
    assert.deepEqual(bitsOf([[fromMs - 2 * HOUR_MS, fromMs + HOUR_MS]]), [0]);
    assert.deepEqual(bitsOf([[fromMs - DAY_MS, fromMs - HOUR_MS]]), []);
    assert.deepEqual(bitsOf([[toMs, toMs + HOUR_MS]]), []);
  });
});
