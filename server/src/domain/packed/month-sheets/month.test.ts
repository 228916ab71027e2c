import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LocalDate } from '../../time/calendar.ts';
import { DAY_MS } from '../../time/durations.ts';
import { dateOf, dayOfMonth, listDays, listMonths, monthOf } from './month.ts';

const date = (text: string) => text as LocalDate;

describe('month numbers', () => {
  it('count from January 1970, also backwards', () => {
    assert.equal(monthOf(date('1970-01-31')), 0);
    assert.equal(monthOf(date('1969-12-01')), -1);
    assert.equal(monthOf(date('2026-03-29')), 56 * 12 + 2);
    assert.equal(dayOfMonth(date('2026-03-09')), 9);
  });

  it('convert back to the date', () => {
    for (const text of ['0099-02-28', '1969-12-31', '1970-01-01', '2024-02-29', '2026-12-31', '9999-10-10'])
      assert.equal(dateOf(monthOf(date(text)), dayOfMonth(date(text))), text);
  });

  it('are listed including both ends', () => {
    const range = listMonths(date('2025-12-31'), date('2026-02-01'));
    assert.deepEqual(
      range.map((month) => dateOf(month, 1)),
      ['2025-12-01', '2026-01-01', '2026-02-01'],
    );
    assert.deepEqual(listMonths(date('2026-02-01'), date('2026-01-31')), []);
  });

  it('list every day of a range, leap days included', () => {
    const ranges = [
      ['1999-12-30', '2000-03-02'],
      ['1899-01-01', '1901-01-01'],
      ['2023-11-30', '2024-12-31'],
      ['2026-02-28', '2026-02-28'],
    ] as [LocalDate, LocalDate][];
    for (const [from, to] of ranges) {
      const count = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
      const expected = Array.from({ length: count }, (_, index) =>
        new Date(Date.parse(from) + index * DAY_MS).toISOString().slice(0, 10),
      );
      assert.deepEqual(listDays(from, to), expected);
    }
    assert.deepEqual(listDays(date('2026-02-02'), date('2026-02-01')), []);
  });
});
