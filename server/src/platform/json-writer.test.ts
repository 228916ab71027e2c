import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { roundTo } from '../domain/round-to.ts';
import { JsonWriter } from './json-writer.ts';

const rounded = (value: number, decimals: number): string => {
  const writer = new JsonWriter(1);
  writer.writeRounded(value, decimals);
  return writer.toBody().toString();
};

describe('writeRounded', () => {
  it('rounds half away from zero', () => {
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

  it('writes the same as JSON.stringify of the rounded number', () => {
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
  const written = (write: (writer: JsonWriter) => void) => {
    const writer = new JsonWriter(1);
    write(writer);
    return String(writer.toBody());
  };

  it('writes numbers as JSON does', () => {
    const number = fc.oneof(
      fc.integer(),
      fc.integer({ min: 0, max: 300 }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    );
    fc.assert(
      fc.property(number, (value) => {
        assert.equal(
          written((writer) => writer.writeNumber(value)),
          JSON.stringify(value),
        );
      }),
    );
  });

  it('writes text of any length unchanged', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), (texts) => {
        for (const write of [
          (writer: JsonWriter, text: string) => writer.writeText(text),
          (writer: JsonWriter, text: string) => writer.writeBytes(Buffer.from(text)),
        ])
          assert.equal(
            written((writer) => {
              for (const text of texts) write(writer, text);
            }),
            texts.join(''),
          );
      }),
    );
  });

  it('starts again when its text is taken, and never changes what was taken', () => {
    const writer = new JsonWriter(4);
    writer.writeText('"°" first');
    const first = writer.takeText();
    assert.equal(writer.length, 0);
    for (const byte of Buffer.from('second')) writer.writeByte(byte);
    assert.equal(writer.length, 6);
    const second = writer.takeText();
    assert.deepEqual([first, second, writer.toBody()], ['"°" first', 'second', '']);
  });

  it('returns a long body as bytes and a short one as text', () => {
    const writer = new JsonWriter();
    writer.writeText('"°"');
    assert.equal(writer.toBody(), '"°"');
    writer.writeText('x'.repeat(70_000));
    const body = writer.toBody();
    assert.ok(Buffer.isBuffer(body));
    assert.equal(body.toString(), `"°"${'x'.repeat(70_000)}`);
  });

  it('grows with what is written', () => {
    const writer = new JsonWriter(2);
    const values = Float64Array.from({ length: 3_000 }, (_, index) => (index === 1 ? Number.NaN : index / 8));
    for (const text of ['"°C"', '[']) writer.writeText(text);
    writer.writeRoundedList(values, 1);
    writer.writeBytes(Buffer.from(`]${' '.repeat(100)}`));
    const text = writer.toBody().toString();
    assert.ok(text.startsWith('"°C"[0,null,0.3,0.4,'));
    assert.deepEqual(
      JSON.parse(text.slice(4)),
      Array.from(values, (value) => (Number.isNaN(value) ? null : roundTo(value, 1))),
    );
  });
});
