import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { assertEvery } from '../../../../test/support/assert-every.ts';
import { cellsArbitrary, cellsOf, type Placed, sheetOf } from '../../../../test/support/generate-sheets.ts';
import { runsOf } from '../../../../test/support/property-runs.ts';
import type { MetricNumber } from '../../metrics/index.ts';
import {
  createSheet,
  decodeSheet,
  encodeSheet,
  listOpenedMetrics,
  MAX_DAYS,
  MonthSheetError,
  openSheet,
  readNotes,
  readSomeValues,
  readValues,
} from './index.ts';

const RUNS = { numRuns: runsOf(1_000) };
const STEPS = 1 as MetricNumber;
const DISTANCE = 2 as MetricNumber;
const UNKNOWN = 32_767 as MetricNumber;

const sorted = (cells: readonly Placed[]) => [...cells].sort((a, b) => a.metric - b.metric || a.day - b.day);

/** Whatever the bytes, decoding throws our error or returns a sheet that can be encoded again. */
function decodeOrRefuse(bytes: Uint8Array): void {
  try {
    const again = encodeSheet(decodeSheet(bytes));
    assert.deepStrictEqual(encodeSheet(decodeSheet(again)), again);
  } catch (error) {
    assert.ok(error instanceof MonthSheetError, String(error));
  }
}

describe('a month sheet', () => {
  it('reports whether a cell changed', () => {
    const sheet = createSheet();
    assert.equal(sheet.isEmpty, true);
    assert.equal(sheet.set(STEPS, 31, { value: 0, note: 'a' }), true);
    assert.equal(sheet.set(STEPS, 31, { value: 0, note: 'a' }), false);
    assert.equal(sheet.set(STEPS, 31, { value: -0, note: 'a' }), true);
    assert.equal(sheet.set(STEPS, 31, { value: -0, note: 'b' }), true);
    assert.deepStrictEqual(sheet.get(STEPS, 31), { value: -0, note: 'b' });
    assert.equal(sheet.get(STEPS, 30), null);
    assert.equal(sheet.get(DISTANCE, 31), null);
    assert.equal(sheet.isEmpty, false);
    assert.equal(sheet.set(STEPS, 30, null), false);
    assert.equal(sheet.set(STEPS, 31, null), true);
    assert.equal(sheet.set(STEPS, 31, null), false);
    assert.deepStrictEqual([sheet.isEmpty, sheet.metrics(), [...sheet.cells(STEPS)]], [true, [], []]);
  });

  it('rejects an invalid number, day or metric', () => {
    const sheet = createSheet();
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY])
      assert.throws(() => sheet.set(STEPS, 1, { value, note: '' }), MonthSheetError);
    for (const day of [0, 32, 1.5]) assert.throws(() => sheet.set(STEPS, day, { value: 1, note: '' }), MonthSheetError);
    for (const metric of [0, 32_768, 1.5])
      assert.throws(() => sheet.set(metric as MetricNumber, 1, { value: 1, note: '' }), MonthSheetError);
    assert.equal(sheet.isEmpty, true);
  });

  it('rejects a note that is too long or not text', () => {
    for (const note of ['x'.repeat(8_193), '\ud800'])
      assert.throws(() => encodeSheet(sheetOf([{ metric: STEPS, day: 1, cell: { value: 1, note } }])), MonthSheetError);
  });
});

describe('encodeSheet and decodeSheet', () => {
  it('restore every cell, bit for bit', () => {
    fc.assert(
      fc.property(cellsArbitrary, (cells) => {
        assert.deepStrictEqual(cellsOf(decodeSheet(encodeSheet(sheetOf(cells)))), sorted(cells));
      }),
      RUNS,
    );
  });

  it('give the same bytes for the same cells, whatever came before', () => {
    fc.assert(
      fc.property(cellsArbitrary, cellsArbitrary, (cells, others) => {
        const bytes = encodeSheet(sheetOf(cells));
        assert.deepStrictEqual(encodeSheet(sheetOf(cells.toReversed())), bytes);
        const sheet = sheetOf(others);
        for (const { metric, day } of others) sheet.set(metric, day, null);
        for (const { metric, day, cell } of cells) sheet.set(metric, day, cell);
        assert.deepStrictEqual(encodeSheet(sheet), bytes);
        assert.deepStrictEqual(encodeSheet(decodeSheet(bytes)), bytes);
      }),
      RUNS,
    );
  });

  it('take a few bytes per day', () => {
    const sheet = createSheet();
    const note = 'samples automatic count';
    for (let day = 1; day <= 31; day += 1) {
      sheet.set(STEPS, day, { value: 4_000 + day * 531, note });
      sheet.set(DISTANCE, day, { value: (17 * day) / 60, note }); // minutes converted from seconds
    }
    const notes = 1 + 1 + 1 + note.length;
    const directory = 1 + 2 + 2;
    const columns = 4 + 1 + 2 + 2 * 31 + 1 + (4 + 1 + 1 + 2 * 31 + 1);
    assert.equal(encodeSheet(sheet).length, 1 + notes + directory + columns);
  });
});

describe('openSheet', () => {
  it('reads values and notes of one metric as in the whole sheet', () => {
    fc.assert(
      fc.property(cellsArbitrary, (cells) => {
        const sheet = sheetOf(cells);
        const opened = openSheet(encodeSheet(sheet));
        assert.deepStrictEqual(listOpenedMetrics(opened), sheet.metrics());
        const values = new Float64Array(MAX_DAYS);
        for (const metric of sheet.metrics()) {
          assert.equal(readValues(opened, metric, values), true);
          const days = Array.from(values, (_, index) => sheet.get(metric, index + 1));
          assert.deepStrictEqual(
            [...values],
            days.map((cell) => cell?.value ?? Number.NaN),
          );
          assert.deepStrictEqual(
            readNotes(opened, metric),
            days.map((cell) => cell?.note ?? null),
          );
        }
      }),
      RUNS,
    );
  });

  it('reads some days of a month to any offset, and keeps existing numbers on days without a value', () => {
    const LEFT = -1;
    fc.assert(
      fc.property(cellsArbitrary, fc.nat(30), fc.nat(30), fc.nat(5), (cells, one, other, index) => {
        const opened = openSheet(encodeSheet(sheetOf(cells)));
        const firstDay = Math.min(one, other);
        const days = Math.abs(one - other) + 1;
        const whole = new Float64Array(MAX_DAYS);
        const some = new Float64Array(index + days + 1);
        for (const metric of listOpenedMetrics(opened)) {
          readValues(opened, metric, whole);
          const wanted = [...whole.subarray(firstDay, firstDay + days)];
          const hasAny = readSomeValues(opened, metric, { firstDay, days }, some.fill(LEFT), index);
          assert.equal(
            hasAny,
            wanted.some((value) => !Number.isNaN(value)),
          );
          const around = new Array<number>(index).fill(LEFT);
          assert.deepStrictEqual(
            [...some],
            [...around, ...wanted.map((value) => (Number.isNaN(value) ? LEFT : value)), LEFT],
          );
        }
      }),
      RUNS,
    );
  });

  it('finds nothing for a missing metric', () => {
    const opened = openSheet(encodeSheet(sheetOf([{ metric: DISTANCE, day: 1, cell: { value: 1, note: '' } }])));
    const values = new Float64Array(MAX_DAYS);
    for (const metric of [STEPS, UNKNOWN]) {
      assert.equal(readValues(opened, metric, values.fill(5)), false);
      assertEvery(values, Number.isNaN);
      assertEvery(readNotes(opened, metric), (note) => note === null);
    }
  });
});

describe('damaged bytes', () => {
  it('are rejected when truncated anywhere or followed by more bytes', () => {
    fc.assert(
      fc.property(cellsArbitrary, fc.nat(), (cells, index) => {
        const bytes = encodeSheet(sheetOf(cells));
        assert.throws(() => decodeSheet(bytes.subarray(0, index % bytes.length)), MonthSheetError);
        assert.throws(() => decodeSheet(Uint8Array.of(...bytes, 0)), MonthSheetError);
      }),
      RUNS,
    );
  });

  it('give an error or another sheet when changed', () => {
    const change = fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }));
    fc.assert(
      fc.property(cellsArbitrary, fc.array(change, { minLength: 1, maxLength: 4 }), (cells, changes) => {
        const bytes = encodeSheet(sheetOf(cells));
        for (const [index, byte] of changes) bytes[index % bytes.length] = byte;
        decodeOrRefuse(bytes);
      }),
      { numRuns: runsOf(2_000) },
    );
  });

  it('give an error when they never were a sheet', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        decodeOrRefuse(bytes);
        decodeOrRefuse(Uint8Array.of(1, ...bytes));
      }),
      { numRuns: runsOf(5_000) },
    );
  });

  it('never allocate for lengths that they cannot hold', () => {
    const huge = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f];
    const refuse = (numbers: number[], message: RegExp) =>
      assert.throws(() => decodeSheet(Uint8Array.of(...numbers)), message);
    const oneColumn = (...section: number[]) => [1, 2, 1, 0, 1, 1, section.length, ...section];
    refuse([], /end too early/);
    refuse([2], /month sheet version 2/);
    refuse([1, ...huge], /end too early/); // notes
    refuse([1, 1, 0, ...huge], /end too early/); // metrics
    refuse([1, 1, 0, 1, ...huge, 0], /impossible metric/);
    refuse([1, 1, 0, 1, 0, 0], /impossible metric/);
    refuse([1, 1, 0, 1, 1, ...huge], /end too early/); // length of a column
    refuse(oneColumn(0, 0, 0, 0, 0x00, 0, 1), /no days/);
    refuse(oneColumn(0, 0, 0, 0x80, 0x00, 0, 1), /no days/);
    refuse(oneColumn(1, 0, 0, 0, 0x90, 0, 1), /layout of the values/);
    refuse(oneColumn(1, 0, 0, 0, 0x08, 0, 1), /layout of the values/);
    refuse(oneColumn(1, 0, 0, 0, 0xf8, 0, 0, 0, 0, 0, 0, 0xf0, 0x7f, 1), /not a number/);
    refuse(oneColumn(1, 0, 0, 0, 0x00, ...huge, 1), /too large/);
    refuse(oneColumn(1, 0, 0, 0, 0x00, 0, 3), /a note that it does not have/);
    refuse(oneColumn(1, 0, 0, 0, 0x00, 0, 0, 0), /run of notes is empty/);
    refuse(oneColumn(1, 0, 0, 0, 0x00, 0, 1, 1), /ends at the wrong offset/);
    refuse([1, 3, 1, 1, 0xff, 1, 1, 7, 1, 0, 0, 0, 0x00, 0, 1], /not text/);
  });
});
