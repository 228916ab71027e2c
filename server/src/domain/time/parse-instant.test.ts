import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../../test/support/any-text.ts';
import { DAY_MS, MINUTE_MS } from './durations.ts';
import { parseInstant, readOffsetMinutes } from './parse-instant.ts';

const RUNS = 20_000;

function temporalMs(text: string): number {
  try {
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    return Number.NaN;
  }
}

const number = (digits: number, max: number) =>
  fc
    .oneof(
      { arbitrary: fc.integer({ min: digits === 4 ? 0 : 1, max }), weight: 9 },
      { arbitrary: fc.integer({ min: 0, max: 10 ** digits - 1 }), weight: 1 },
    )
    .map((value) => pad(value, digits));
const pad = (value: number, digits: number) => String(value).padStart(digits, '0');
const fraction = fc.oneof(
  fc.constant(''),
  fc.stringMatching(/^[0-9]{1,10}$/).map((digits) => `.${digits}`),
);
const zone = fc.oneof(
  fc.constant('Z'),
  fc
    .tuple(fc.constantFrom('+', '-'), number(2, 23), number(2, 59))
    .map(([sign, hours, minutes]) => `${sign}${hours}:${minutes}`),
);
/** Mostly valid: months up to 12, days up to 31, and sometimes beyond. */
const shaped = fc
  .tuple(number(4, 9999), number(2, 12), number(2, 31), number(2, 23), number(2, 59), number(2, 59), fraction, zone)
  .map(
    ([year, month, day, hour, minute, second, rest, offset]) =>
      `${year}-${month}-${day}T${hour}:${minute}:${second}${rest}${offset}`,
  );

describe('parseInstant', () => {
  it('agrees with Temporal on every text of the format, real or impossible', () => {
    let taken = 0;
    fc.assert(
      fc.property(shaped, (text) => {
        const time = parseInstant(text);
        if (!Number.isNaN(time)) taken += 1;
        if (text.slice(17, 19) === '60')
          assert.ok(Number.isNaN(time), text); // Temporal makes 59 of it
        else assert.equal(time, temporalMs(text), text);
      }),
      { numRuns: RUNS },
    );
    assert.ok(taken > RUNS / 10, `only ${taken} were real`);
  });

  it('finds every day of 800 years', () => {
    for (let day = Date.UTC(1600, 0, 1); day < Date.UTC(2400, 0, 1); day += DAY_MS) {
      const text = new Date(day).toISOString();
      assert.equal(parseInstant(text), day, text);
    }
  });

  it('parses any moment written with any offset, and the offset', () => {
    const moment = fc.integer({ min: -62_135_596_800_000 + DAY_MS, max: 253_402_300_799_999 - DAY_MS });
    fc.assert(
      fc.property(moment, fc.integer({ min: -1_439, max: 1_439 }), (ms, offset) => {
        const sign = offset < 0 ? '-' : '+';
        const minutes = Math.abs(offset);
        const wall = new Date(ms + offset * MINUTE_MS).toISOString().slice(0, -1);
        const text = `${wall}${sign}${pad(Math.floor(minutes / 60), 2)}:${pad(minutes % 60, 2)}`;
        assert.equal(parseInstant(text), ms);
        assert.equal(readOffsetMinutes(text), offset);
      }),
      { numRuns: RUNS },
    );
  });

  it('accepts nothing that Temporal does not, whatever is changed in a valid text', () => {
    const good = fc.constantFrom(
      '2026-01-31T07:05:09Z',
      '2024-02-29T23:59:59.123+05:30',
      '1999-12-31T00:00:00.1-11:00',
    );
    const piece = fc.oneof(anyText({ maxLength: 2 }), fc.constantFrom('t', 'z', ' ', '٣', '０', '-', ':', '.'));
    fc.assert(
      fc.property(good, fc.nat(34), fc.nat(2), piece, (text, at, removed, inserted) => {
        const changed = text.slice(0, at) + inserted + text.slice(at + removed);
        const time = parseInstant(changed);
        if (!Number.isNaN(time)) assert.equal(time, temporalMs(changed), changed);
      }),
      { numRuns: RUNS },
    );
  });

  const refused: Readonly<Record<string, string>> = {
    'no zone': '2026-01-31T07:05:09',
    'no time': '2026-01-31',
    'no seconds': '2026-01-31T07:05Z',
    'hour 24': '2026-01-31T24:00:00Z',
    'second 60': '2016-12-31T23:59:60Z',
    '30 February': '2026-02-30T00:00:00Z',
    '29 February of a common year': '2026-02-29T00:00:00Z',
    '29 February of 1900': '1900-02-29T00:00:00Z',
    'month 0': '2026-00-10T00:00:00Z',
    'month 13': '2026-13-10T00:00:00Z',
    'day 0': '2026-01-00T00:00:00Z',
    'lower case t': '2026-01-31t07:05:09Z',
    'lower case z': '2026-01-31T07:05:09z',
    'a space': '2026-01-31 07:05:09Z',
    'a comma': '2026-01-31T07:05:09,5Z',
    'a point without digits': '2026-01-31T07:05:09.Z',
    'ten digits of a second': '2026-01-31T07:05:09.1234567890Z',
    'a year of five digits': '12026-01-31T07:05:09Z',
    'a signed year': '+002026-01-31T07:05:09Z',
    'an offset without colon': '2026-01-31T07:05:09+0100',
    'an offset of hours only': '2026-01-31T07:05:09+01',
    'an offset of 24 hours': '2026-01-31T07:05:09+24:00',
    'an offset with 60 minutes': '2026-01-31T07:05:09+01:60',
    'Z and more': '2026-01-31T07:05:09Z+01:00',
    'a zone name': '2026-01-31T07:05:09Z[Europe/Berlin]',
    'digits of another script': '2026-01-31T07:05:0٩Z',
    nothing: '',
    'white space around': ' 2026-01-31T07:05:09Z',
  };
  for (const [what, text] of Object.entries(refused)) {
    it(`refuses ${what}`, () => assert.ok(Number.isNaN(parseInstant(text))));
  }

  it('accepts leap days, truncates below the millisecond, and has no negative zero', () => {
    assert.equal(parseInstant('2024-02-29T12:00:00Z'), Date.UTC(2024, 1, 29, 12));
    assert.equal(parseInstant('2000-02-29T12:00:00Z'), Date.UTC(2000, 1, 29, 12));
    assert.equal(parseInstant('2026-01-01T00:00:00.999999999Z'), Date.UTC(2026, 0, 1, 0, 0, 0, 999));
    assert.equal(parseInstant('1969-12-31T23:59:59.9999Z'), -1);
    assert.ok(Object.is(readOffsetMinutes('2026-01-01T00:00:00-00:00'), 0));
    assert.equal(readOffsetMinutes('2026-01-01T00:00:00-09:30'), -570);
  });
});
