import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { roundTo } from '../reading/index.ts';
import { createJsonWriter, takeJson, writeEncoded, writeJson, writeRounded, writeRoundedList } from './json-writer.ts';

const rounded = (value: number, decimals: number): string => {
  const writer = createJsonWriter(1);
  writeRounded(writer, value, decimals);
  return takeJson(writer).toString();
};

describe('writeRounded', () => {
  it('writes what rounding half away from zero gives', () => {
    const cases: [value: number, decimals: number, text: string][] = [
      [0, 0, '0'],
      [-0, 1, '0'],
      [-0.04, 1, '0'],
      [-0.05, 1, '-0.1'],
      [8_423, 0, '8423'],
      [71.25, 1, '71.3'],
      [-71.25, 1, '-71.3'],
      [1.005, 2, '1.01'],
      [0.05, 2, '0.05'],
      [10.1, 3, '10.1'],
      [99.96, 1, '100'],
      [2 ** 31, 0, '2147483648'],
      [1e-300, 2, '0'],
    ];
    for (const [value, decimals, text] of cases) assert.equal(rounded(value, decimals), text);
  });

  it('is what JSON.stringify writes of the rounded number', () => {
    const value = fc.oneof(
      fc.double({ min: -3_000, max: 3_000, noNaN: true }),
      fc.integer({ min: -(2 ** 40), max: 2 ** 40 }).map((integer) => integer / 1_000),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    );
    fc.assert(
      fc.property(value, fc.integer({ min: 0, max: 6 }), (value, decimals) => {
        const expected = roundTo(value, decimals);
        fc.pre(Number.isFinite(expected));
        assert.equal(rounded(value, decimals), JSON.stringify(expected));
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('the writer', () => {
  it('grows with what is written', () => {
    const writer = createJsonWriter(2);
    const values = Float64Array.from({ length: 3_000 }, (_, index) => (index === 1 ? Number.NaN : index / 8));
    for (const text of ['"°C"', '[']) writeJson(writer, text);
    writeRoundedList(writer, values, 1);
    writeEncoded(writer, Buffer.from(`]${' '.repeat(100)}`));
    const text = takeJson(writer).toString();
    assert.ok(text.startsWith('"°C"[0,null,0.3,0.4,'));
    assert.deepEqual(
      JSON.parse(text.slice(4)),
      Array.from(values, (value) => (Number.isNaN(value) ? null : roundTo(value, 1))),
    );
  });
});
