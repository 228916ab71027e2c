import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { EpochMs } from '../records/records.ts';
import { createZone } from '../time/day.ts';
import { dateSleeps, nightOf, SAME_NIGHT_GAP_MS } from './nights.ts';

const QUARTER_MS = 900_000;
const START = Date.parse('2026-03-27T00:00:00Z'); // the clocks of Berlin go forward on March 29
const zone = createZone('Europe/Berlin');

type Row = { id: string; device: number; start: EpochMs; end: EpochMs; duplicateOf: string | null };

const anyRows: fc.Arbitrary<Row[]> = fc
  .array(
    fc.record({
      device: fc.nat(2),
      start: fc.nat(300),
      quarters: fc.integer({ min: 1, max: 40 }),
      original: fc.option(fc.nat(30)),
    }),
    { minLength: 1, maxLength: 25 },
  )
  .map((drawn) =>
    drawn.map(({ device, start, quarters, original }, index) => ({
      id: String(index),
      device,
      start: (START + start * QUARTER_MS) as EpochMs,
      end: (START + (start + quarters) * QUARTER_MS) as EpochMs,
      duplicateOf: original === null ? null : String(original),
    })),
  );

describe('dateSleeps', () => {
  it('equals the definition: the day on which the last sleep of the night ends', () => {
    let joined = 0;
    fc.assert(
      fc.property(anyRows, (rows) => {
        const dates = dateSleeps(rows, zone, ({ duplicateOf }) => duplicateOf);
        const expected = rows.map((row) => zone.dayAt(findEnd(rows, row)).date);
        joined += rows.filter((row) => findEnd(rows, row) > row.end).length;
        assert.deepEqual(
          rows.map((row) => dates.get(row)),
          expected,
        );
      }),
      { numRuns: 1_000 },
    );
    assert.ok(joined > 0);
  });
});

/**
 * The end of the last sleep of its night. Two records belong together if they are in the same night and one device has
 * both less than 90 minutes apart, or if both are records of one sleep. Only the end of a canonical record counts.
 */
function findEnd(rows: readonly Row[], row: Row): number {
  const sleepOf = (one: Row) => {
    const original = rows.find(({ id }) => id === one.duplicateOf);
    return original !== undefined && isSameNight(one, original) ? original : one;
  };
  const isClose = (a: Row, b: Row) =>
    a.device === b.device && Math.max(a.start, b.start) - Math.min(a.end, b.end) < SAME_NIGHT_GAP_MS;
  const belong = (a: Row, b: Row) => isSameNight(a, b) && (isClose(a, b) || sleepOf(a) === sleepOf(b));
  const night = new Set([row]);
  for (const one of night) for (const other of rows) if (belong(one, other)) night.add(other);
  return Math.max(...[...night].map((one) => sleepOf(one).end));
}

function isSameNight(a: Row, b: Row): boolean {
  const night = nightOf(a, zone);
  return a === b || (night !== null && night === nightOf(b, zone));
}
