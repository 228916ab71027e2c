import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createZone } from './day.ts';
import { DAY_MS, HOUR_MS } from './durations.ts';
import { quarterHourOf, sumQuarterHours } from './quarter-hours.ts';

const at = (text: string) => Date.parse(text);
const one = (start: string, end: string, value: number) => ({ starts: [at(start)], ends: [at(end)], values: [value] });

describe('quarter hours', () => {
  it('are counted in UTC from 1970', () => {
    assert.equal(quarterHourOf(at('1970-01-01T00:14:59.999Z')), 0);
    assert.equal(quarterHourOf(at('1970-01-02T00:15:00Z')), 97);
  });

  it('an interval of up to an hour is spread evenly over those it touches, end excluded', () => {
    const first = quarterHourOf(at('2026-01-10T10:00:00Z'));
    const sample = one('2026-01-10T10:10:00Z', '2026-01-10T10:25:00Z', 75);
    assert.deepEqual(sumQuarterHours(sample, at('2026-01-10'), at('2026-01-11')), {
      indexes: [first, first + 1],
      sums: [25, 50],
      long: [],
    });
    const hour = one('2026-01-10T10:10:00Z', '2026-01-10T11:10:00Z', 60);
    assert.deepEqual(sumQuarterHours(hour, at('2026-01-10'), at('2026-01-11')), {
      indexes: [first, first + 1, first + 2, first + 3, first + 4],
      sums: [5, 15, 15, 15, 10],
      long: [],
    });
  });

  it('an hour that crosses midnight is divided between the days, and is long on neither', () => {
    const hour = one('2026-01-10T23:30:00Z', '2026-01-11T00:30:00Z', 60);
    for (const [from, to] of [
      ['2026-01-10', '2026-01-11'],
      ['2026-01-11', '2026-01-12'],
    ] as const) {
      const { sums, long } = sumQuarterHours(hour, at(from), at(to));
      assert.deepEqual([sums, long], [[15, 15], []]);
    }
  });

  it('a sample longer than an hour is in no sum, and keeps its part of the day', () => {
    const barely = one('2026-01-10T10:00:00Z', '2026-01-10T11:00:00.001Z', 400);
    assert.equal(sumQuarterHours(barely, at('2026-01-10'), at('2026-01-11')).long.length, 1);
    const sample = one('2026-01-10T22:00:00Z', '2026-01-11T02:00:00Z', 400);
    assert.deepEqual(sumQuarterHours(sample, at('2026-01-10'), at('2026-01-11')), {
      indexes: [],
      sums: [],
      long: [
        {
          index: 0,
          start: at('2026-01-10T22:00:00Z'),
          end: at('2026-01-11T00:00:00Z'),
          value: 200,
          lengthMs: 4 * HOUR_MS,
        },
      ],
    });
  });

  it('a measured 0 is present, and unmeasured time is absent', () => {
    const sample = one('2026-01-10T10:00:00Z', '2026-01-10T10:00:00Z', 0);
    assert.deepEqual(sumQuarterHours(sample, at('2026-01-10'), at('2026-01-11')).sums, [0]);
    assert.deepEqual(sumQuarterHours(sample, at('2026-01-11'), at('2026-01-12')).sums, []);
  });

  it('an instant at midnight belongs to the day that begins', () => {
    const sample = one('2026-01-10T00:00:00Z', '2026-01-10T00:00:00Z', 3);
    assert.deepEqual(sumQuarterHours(sample, at('2026-01-10'), at('2026-01-11')).sums, [3]);
    assert.deepEqual(sumQuarterHours(sample, at('2026-01-09'), at('2026-01-10')).sums, []);
  });

  it('a midnight inside a quarter hour (Monrovia until 1972) gives each day its part', () => {
    const zone = createZone('Africa/Monrovia');
    const first = zone.dayAt(at('1971-06-01T12:00:00Z'));
    const second = zone.dayAt(first.end);
    assert.notEqual(first.end % 900_000, 0);
    const sample = { starts: [first.end - 20_000], ends: [first.end + 20_000], values: [10] };
    assert.deepEqual(sumQuarterHours(sample, first.start, first.end).sums, [5]);
    assert.deepEqual(sumQuarterHours(sample, second.start, second.end).sums, [5]);
  });

  it('the quarter hours of a day add up to the total of the day', () => {
    const zones = fc.constantFrom('Asia/Kathmandu', 'Australia/Eucla', 'America/St_Johns', 'Europe/Berlin');
    const rows = fc.array(fc.tuple(fc.nat(40 * HOUR_MS), fc.nat(6 * HOUR_MS), fc.nat(1_000)), { maxLength: 50 });
    fc.assert(
      fc.property(zones, rows, fc.nat(720), (name, list, dayOfYear) => {
        const day = createZone(name).dayAt(at('2025-01-01T12:00:00Z') + dayOfYear * DAY_MS);
        const origin = day.start - 8 * HOUR_MS;
        const samples = {
          starts: list.map(([start]) => origin + start),
          ends: list.map(([start, length]) => origin + start + length),
          values: list.map(([, , value]) => value),
        };
        const expected = list.reduce((sum, [offset, length, value]) => {
          const start = origin + offset;
          if (length === 0) return sum + (start >= day.start && start < day.end ? value : 0);
          const inside = Math.max(0, Math.min(start + length, day.end) - Math.max(start, day.start));
          return sum + (value * inside) / length;
        }, 0);
        const { sums, long } = sumQuarterHours(samples, day.start, day.end);
        const total = [...sums, ...long.map(({ value }) => value)].reduce((sum, part) => sum + part, 0);
        assert.ok(Math.abs(total - expected) <= 1e-9 * Math.max(1, expected));
      }),
      { numRuns: 1_000 },
    );
  });
});
