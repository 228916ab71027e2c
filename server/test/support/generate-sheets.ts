// Generators of month sheets for tests, both realistic and extreme.

import fc from 'fast-check';
import type { MetricNumber } from '../../src/domain/metrics/index.ts';
import { type Cell, createSheet, type MonthSheet } from '../../src/domain/packed/month-sheets/index.ts';
import { DAY_MS, MINUTE_MS } from '../../src/domain/time/durations.ts';

export type Placed = { readonly metric: MetricNumber; readonly day: number; readonly cell: Cell };

const anyDouble = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(-0, 0, 1e-300, 5e-324, Number.MAX_VALUE, 2 ** 50, -(2 ** 50), 2 ** 53, 0.1 + 0.2, 1 / 3),
);
const decimal = fc
  .tuple(fc.integer({ min: -2_000_000, max: 2_000_000 }), fc.integer({ min: 0, max: 6 }))
  .map(([integer, decimals]) => integer / 10 ** decimals || 0);
const minutes = fc.integer({ min: 0, max: DAY_MS }).map((ms) => ms / MINUTE_MS);
const wide = fc.integer({ min: -(2 ** 50), max: 2 ** 50 });
const note = fc.oneof(
  fc.constantFrom('', '3,1', 'stated automatic bpm'),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
);

/** Columns with one kind of value, as in real data. */
const column = fc
  .tuple(
    fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 32_767 })),
    fc.constantFrom(fc.integer({ min: 0, max: 30_000 }), decimal, minutes, wide, anyDouble, fc.constant(7)),
  )
  .chain(([metric, value]) =>
    fc
      .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 31 }), value, note), {
        minLength: 1,
        maxLength: 31,
        selector: ([day]) => day,
      })
      .map((days) =>
        days.map(([day, value, note]): Placed => ({ metric: metric as MetricNumber, day, cell: { value, note } })),
      ),
  );

/** Each cell once. */
export const cellsArbitrary: fc.Arbitrary<Placed[]> = fc
  .uniqueArray(column, { maxLength: 6, selector: ([first]) => first?.metric })
  .map((columns) => columns.flat());

export function sheetOf(cells: Iterable<Placed>): MonthSheet {
  const sheet = createSheet();
  for (const { metric, day, cell } of cells) sheet.set(metric, day, cell);
  return sheet;
}

/** All cells, by metric and day. */
export function cellsOf(sheet: MonthSheet): Placed[] {
  return sheet.metrics().flatMap((metric) => [...sheet.cells(metric)].map(([day, cell]) => ({ metric, day, cell })));
}
