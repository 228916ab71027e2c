import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  addDays,
  dayNumberOf,
  formatInstant,
  isTimeZoneName,
  type LocalDate,
  localDateAt,
  parseLocalDate,
} from './calendar.ts';
import { DAY_MS, HOUR_MS } from './durations.ts';

describe('parseLocalDate', () => {
  it('accepts real days written YYYY-MM-DD', () => {
    for (const text of ['2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31'])
      assert.equal(parseLocalDate(text), text);
  });

  it('rejects days that do not exist, and other formats', () => {
    for (const text of [
      '2023-02-29',
      '1900-02-29',
      '2024-13-01',
      '2024-00-10',
      '2024-04-31',
      '2024-1-1',
      '20240101',
      '2024-01-01Z',
      '2024-01-01T00:00',
      ' 2024-01-01',
      '+002024-01-01',
      '２０２４-01-01',
      '',
    ])
      assert.equal(parseLocalDate(text), null, text);
  });

  it('agrees with Date on every day', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
        (date) => {
          const text = date.toISOString().slice(0, 10);
          assert.equal(parseLocalDate(text), text);
        },
      ),
    );
  });
});

describe('isTimeZoneName', () => {
  it('accepts regions, aliases and fixed zones of the IANA list', () => {
    for (const name of [
      ...Intl.supportedValuesOf('timeZone'),
      'Asia/Calcutta',
      'US/Eastern',
      'UTC',
      'GMT',
      'Etc/GMT-14',
      'EST5EDT',
    ])
      assert.ok(isTimeZoneName(name), name);
  });

  it('rejects offsets and anything else', () => {
    for (const name of [
      '+02:00',
      '-05',
      '+0200',
      'UTC+1',
      'GMT+01:00',
      'Europe',
      'Mars/Olympus',
      'Europe/Berlin ',
      '',
      'Z',
      '\u0000',
    ])
      assert.ok(!isTimeZoneName(name), JSON.stringify(name));
  });
});

describe('localDateAt', () => {
  it('is the day of the zone, UTC without one', () => {
    const late = Date.parse('2026-03-01T23:30:00Z');
    assert.equal(localDateAt(late, null), '2026-03-01');
    assert.equal(localDateAt(late, 'Europe/Berlin'), '2026-03-02');
    assert.equal(localDateAt(late, 'America/New_York'), '2026-03-01');
    assert.equal(localDateAt(Date.parse('2026-03-01T10:00:00Z'), 'Pacific/Kiritimati'), '2026-03-02');
  });

  it('skips no day, including days of 23 and 25 hours and one that a zone skipped', () => {
    for (const [zone, from, hours] of [
      ['Europe/Berlin', '2026-03-28', 23],
      ['Europe/Berlin', '2026-10-24', 25],
      ['America/New_York', '2026-03-07', 23],
    ] as const) {
      const perDay = new Map<string, number>();
      const startMs = Date.parse(`${from}T00:00:00Z`) - DAY_MS;
      for (let ms = startMs; ms < startMs + 5 * DAY_MS; ms += HOUR_MS) {
        const day = localDateAt(ms, zone);
        perDay.set(day, (perDay.get(day) ?? 0) + 1);
      }
      assert.ok([...perDay.values()].slice(1, -1).includes(hours), `${zone} ${from}`);
    }
    assert.equal(localDateAt(Date.parse('2011-12-30T12:00:00Z'), 'Pacific/Apia'), '2011-12-31', 'Samoa had no 30th');
  });

  it('never goes back as time advances', () => {
    const zone = fc.constantFrom('Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu', 'Australia/Lord_Howe', null);
    fc.assert(
      fc.property(
        zone,
        fc.integer({ min: 0, max: 4e12 }),
        fc.integer({ min: 0, max: 3 * DAY_MS }),
        (name, ms, laterMs) => {
          assert.ok(localDateAt(ms, name) <= localDateAt(ms + laterMs, name));
        },
      ),
    );
  });
});

describe('formatInstant', () => {
  it('has milliseconds only if they are not zero', () => {
    assert.equal(formatInstant(new Date('2026-01-31T07:05:09.000Z')), '2026-01-31T07:05:09Z');
    assert.equal(formatInstant(new Date('2026-01-31T07:05:09.120Z')), '2026-01-31T07:05:09.120Z');
  });

  it('there and back', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true }), (date) =>
        assert.equal(Date.parse(formatInstant(date)), date.getTime()),
      ),
    );
  });
});

describe('dayNumberOf', () => {
  it('counts from 1970, consistent with addDays', () => {
    assert.equal(dayNumberOf('1970-01-01' as LocalDate), 0);
    fc.assert(
      fc.property(fc.integer({ min: -30_000, max: 60_000 }), (days) => {
        assert.equal(dayNumberOf(addDays('1970-01-01' as LocalDate, days)), days);
      }),
    );
  });
});
