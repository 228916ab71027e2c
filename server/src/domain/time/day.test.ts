import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { runsOf } from '../../../test/support/property-runs.ts';
import type { LocalDate } from './calendar.ts';
import { createZone, splitAtMidnights } from './day.ts';
import { HOUR_MS } from './durations.ts';
import { QUARTER_HOUR_MS } from './quarter-hours.ts';

const ZONES = [...Intl.supportedValuesOf('timeZone'), 'US/Eastern', 'EST5EDT', 'Etc/GMT-14', 'GB'];
const at = (text: string) => Date.parse(text);
const hours = (zone: string, date: string) => {
  const { start, end } = createZone(zone).dayOf(date as LocalDate);
  return (end - start) / HOUR_MS;
};

/** Every clock change of a zone in 2000–2035. */
function listTransitions(zone: string): number[] {
  const found: number[] = [];
  let next = Temporal.Instant.from('2000-01-01T00:00:00Z').toZonedDateTimeISO(zone).getTimeZoneTransition('next');
  while (next !== null && next.epochMilliseconds < at('2036-01-01')) {
    found.push(next.epochMilliseconds);
    next = next.getTimeZoneTransition('next');
  }
  return found;
}

describe('a local day', () => {
  it('is 23, 24 or 25 hours long', () => {
    assert.equal(hours('Europe/Berlin', '2026-03-29'), 23);
    assert.equal(hours('Europe/Berlin', '2026-06-01'), 24);
    assert.equal(hours('Europe/Berlin', '2026-10-25'), 25);
    assert.equal(hours('Australia/Lord_Howe', '2026-04-05'), 24.5);
  });

  it('begins after the gap if midnight does not exist', () => {
    for (const [zone, date, start] of [
      ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00Z'],
      ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00Z'],
      ['Asia/Beirut', '2026-03-29', '2026-03-28T22:00:00Z'],
    ] as const) {
      assert.equal(createZone(zone).dayOf(date as LocalDate).start, at(start), zone);
      assert.equal(hours(zone, date), 23, zone);
    }
  });

  it('has no length if a zone skipped it', () => {
    assert.equal(hours('Pacific/Apia', '2011-12-29'), 24);
    assert.equal(hours('Pacific/Apia', '2011-12-30'), 0);
    assert.equal(hours('Pacific/Apia', '2011-12-31'), 24);
    const parts = splitAtMidnights(createZone('Pacific/Apia'), at('2011-12-30T08:00:00Z'), at('2011-12-30T12:00:00Z'));
    assert.deepEqual(
      parts.map((part) => part.date),
      ['2011-12-29', '2011-12-31'],
    );
  });

  it('continues if clocks go back over midnight, so that days never overlap', () => {
    const zone = createZone('America/St_Johns');
    // 00:00:59 on the 7th is followed by 23:01 on the 6th.
    assert.equal(zone.dayAt(at('2010-11-07T02:30:30Z')).date, '2010-11-07');
    zone.dayAt(0); // so that no cached day is used
    assert.equal(zone.dayAt(at('2010-11-07T02:40:00Z')).date, '2010-11-07');
    assert.equal(hours('America/St_Johns', '2010-11-07'), 25);
  });

  it('is a UTC day without a zone', () => {
    assert.deepEqual(createZone(null).dayAt(at('2026-01-31T23:59:59Z')), {
      date: '2026-01-31',
      start: at('2026-01-31'),
      end: at('2026-02-01'),
    });
  });

  it('equals Temporal around every clock change of every zone in 2000–2035', () => {
    for (const name of ZONES) {
      const zone = createZone(name);
      for (const transition of listTransitions(name)) {
        for (const shiftMs of [-25 * HOUR_MS, -1, 0, 1, 13 * HOUR_MS]) {
          const moment = Temporal.Instant.fromEpochMilliseconds(transition + shiftMs).toZonedDateTimeISO(name);
          zone.dayAt(0); // so that no cached day is used
          const day = zone.dayAt(transition + shiftMs);
          const temporal = Temporal.PlainDate.from(day.date).toZonedDateTime(name);
          assert.equal(day.start, temporal.epochMilliseconds, `${name} ${day.date}`);
          const next = Temporal.PlainDate.from(day.date).add({ days: 1 }).toZonedDateTime(name);
          assert.equal(day.end, next.epochMilliseconds, `${name} ${day.date}`);
          assert.ok(transition + shiftMs >= day.start && transition + shiftMs < day.end, `${name} ${moment}`);
          // A clock that goes back over midnight shows the previous date again, but the day has already begun.
          assert.ok(day.date >= moment.toPlainDate().toString(), `${name} ${moment}`);
        }
      }
    }
  });

  /** Every fourth day in the long stage. */
  const SKIPPED_DAYS = 30_000 / runsOf(10_000);

  it('begins on a UTC quarter hour in every zone since 1980', () => {
    for (const name of ZONES) {
      const zone = createZone(name);
      let day = zone.dayAt(at('1980-01-01T12:00:00Z'));
      while (day.start < at('2036-01-01')) {
        assert.equal(day.start % QUARTER_HOUR_MS, 0, `${name} ${day.date}`);
        day = zone.dayAt(day.end + SKIPPED_DAYS * 24 * HOUR_MS); // a sample; by the test above also every change
      }
    }
  });
});

const anyZone = fc.constantFrom(...ZONES).map((name) => createZone(name));
const anyTime = fc.integer({ min: at('2000-01-01'), max: at('2035-12-31') });

describe('dayAt, dayOf, wallMinutes', () => {
  it('agree with each other and with Temporal at any time in any zone', () => {
    fc.assert(
      fc.property(anyZone, anyTime, (zone, ms) => {
        const day = zone.dayAt(ms);
        assert.deepEqual(zone.dayOf(day.date), day);
        const moment = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone.name);
        assert.equal(day.start, Temporal.PlainDate.from(day.date).toZonedDateTime(zone.name).epochMilliseconds);
        const wall = moment.toPlainDateTime().since(Temporal.PlainDate.from(day.date).toPlainDateTime());
        assert.ok(Math.abs(zone.wallMinutes(ms, day.date) - wall.total('minutes')) < 1e-6);
      }),
      { numRuns: runsOf(2_000) },
    );
  });

  it('never go back as time advances', () => {
    fc.assert(
      fc.property(anyZone, anyTime, fc.integer({ min: 0, max: 50 * HOUR_MS }), (zone, ms, laterMs) => {
        assert.ok(zone.dayAt(ms).date <= zone.dayAt(ms + laterMs).date);
      }),
      { numRuns: runsOf(5_000) },
    );
  });

  it('give the local time, negative before midnight, even in the night of a clock change', () => {
    const berlin = createZone('Europe/Berlin');
    const minutes = (text: string, date: string) => berlin.wallMinutes(at(text), date as LocalDate);
    assert.equal(minutes('2026-10-24T21:00:00Z', '2026-10-25'), -60);
    assert.equal(minutes('2026-10-25T06:00:00Z', '2026-10-25'), 7 * 60);
  });
});

describe('a time that is not a number', () => {
  it('is an error', () => {
    const zone = createZone('Europe/Berlin');
    for (const time of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      assert.throws(() => zone.dayAt(time), RangeError);
      assert.throws(() => splitAtMidnights(zone, time, at('2026-03-01')), RangeError);
    }
    assert.throws(() => zone.dayOf('2026-02-32' as LocalDate), RangeError);
  });
});

describe('splitAtMidnights', () => {
  it('returns consecutive parts, each inside its day', () => {
    fc.assert(
      fc.property(anyZone, anyTime, fc.integer({ min: 0, max: 100 * HOUR_MS }), (zone, start, lengthMs) => {
        const parts = splitAtMidnights(zone, start, start + lengthMs);
        let reach = start;
        for (const part of parts) {
          assert.equal(part.start, reach);
          const day = zone.dayOf(part.date);
          assert.ok(part.start >= day.start && part.end <= day.end);
          if (lengthMs > 0) assert.ok(part.end > part.start);
          reach = part.end;
        }
        assert.equal(reach, start + lengthMs);
      }),
      { numRuns: runsOf(2_000) },
    );
  });
});
