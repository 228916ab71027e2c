import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  ago,
  calendarDate,
  calendarDaysAgo,
  clock,
  clockSeconds,
  dateTime,
  day,
  duration,
  longDate,
  readerZone,
  shortDate,
  shortDateTime,
  until,
} from './format-time.ts';

const AT = '2026-11-15T23:04:31Z';
const NOW = Date.parse('2026-11-16T00:00:00Z');

describe('times in words', () => {
  it('are in the zone that the caller names', () => {
    assert.equal(clock(AT, 'UTC'), '23:04');
    assert.equal(clockSeconds(AT, 'Europe/Berlin'), '00:04:31');
    assert.equal(day(AT, 'UTC'), '15 November');
    assert.equal(day(AT, 'Europe/Berlin'), '16 November');
    assert.equal(dateTime(AT, 'Asia/Tokyo'), '16 November 2026, 08:04');
    assert.equal(calendarDate(AT, 'America/New_York'), '2026-11-15');
  });

  it('are in the reader’s zone otherwise', () => {
    assert.equal(clock(AT), clock(AT, readerZone()));
  });

  it('name the year only if it is another one', () => {
    assert.equal(shortDateTime(AT, NOW, 'UTC'), '15 November, 23:04');
    assert.equal(shortDateTime('2025-01-02T03:04:00Z', NOW, 'UTC'), '2 January 2025, 03:04');
  });

  it('write calendar dates without a zone', () => {
    assert.equal(longDate('2026-11-15'), 'Sunday 15 November');
    assert.equal(shortDate('2026-11-15'), '15 Nov');
  });

  it('count dates and not hours when clocks change', () => {
    const ago = (days: number, now: string) => calendarDaysAgo(days, 'Europe/Berlin', Date.parse(now));
    assert.equal(ago(1, '2026-03-29T22:30:00Z'), '2026-03-29', 'half past midnight after a day of 23 hours');
    assert.equal(ago(27, '2026-04-14T22:30:00Z'), '2026-03-19');
    assert.equal(ago(1, '2026-10-25T22:30:00Z'), '2026-10-24', 'the last hour of a day of 25 hours');
    assert.equal(ago(0, '2026-10-25T22:30:00Z'), '2026-10-25');
  });

  it('say how long ago and how long until', () => {
    assert.equal(ago(AT, NOW), '55 min ago');
    assert.equal(ago(NOW - 500, NOW), 'just now');
    assert.equal(ago(NOW - 47 * 3_600_000, NOW), '47 h ago');
    assert.equal(until(NOW + 90 * 86_400_000, NOW), 'in 90 days');
    assert.equal(until(NOW - 1, NOW), 'now');
  });

  it('write durations as hours and minutes', () => {
    assert.equal(duration(470), '7 h 50');
    assert.equal(duration(60), '1 h 00');
    assert.equal(duration(0), '0 min');
  });
});
