import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createZone } from '../time/day.ts';
import { DAY_MS, HOUR_MS } from '../time/durations.ts';
import type { SampleSeries } from '../time/quarter-hours.ts';
import { deviceDailyTotal, totalDays } from './daily-totals.ts';

const at = (text: string) => Date.parse(text);
const columns = (...rows: [string, string | null, number][]): SampleSeries => ({
  starts: Float64Array.from(rows, ([start]) => at(start)),
  ends: Float64Array.from(rows, ([start, end]) => at(end ?? start)),
  values: Float64Array.from(rows, ([, , value]) => value),
});
const berlin = createZone('Europe/Berlin');
const days = (...args: Parameters<typeof totalDays>) => Object.fromEntries(totalDays(...args));

describe('the daily total of one device', () => {
  it('sum and duration: splits intervals that cross midnight pro rata', () => {
    const samples = columns(
      ['2026-01-10T10:00:00Z', '2026-01-10T10:05:00Z', 100],
      ['2026-01-10T22:45:00Z', '2026-01-10T23:45:00Z', 80],
      ['2026-01-11T12:00:00Z', null, 7],
    );
    assert.deepEqual(days('sum', samples, berlin), { '2026-01-10': 120, '2026-01-11': 67 });
    assert.deepEqual(days('duration', samples, berlin), { '2026-01-10': 120, '2026-01-11': 67 });
  });

  it('sum: keeps all hours of a day of 25 hours', () => {
    const samples = columns(['2026-10-24T22:30:00Z', null, 1], ['2026-10-25T22:30:00Z', null, 2]);
    assert.deepEqual(days('sum', samples, berlin), { '2026-10-25': 3 });
  });

  it('mean: weighs every quarter hour the same, however many samples it has', () => {
    const workout = Array.from({ length: 900 }, (_, second): [string, null, number] => [
      new Date(at('2026-01-10T10:00:00Z') + second * 1_000).toISOString(),
      null,
      150,
    ]);
    const rest: [string, null, number][] = ['11:00', '12:00', '13:00'].map((time) => [
      `2026-01-10T${time}:00Z`,
      null,
      60,
    ]);
    assert.deepEqual(days('mean', columns(...workout, ...rest), berlin), { '2026-01-10': 82.5 });
    const { starts, values } = columns(...workout, ...rest);
    assert.deepEqual(days('mean', { starts, ends: null, values }, berlin), { '2026-01-10': 82.5 });
  });

  it('mean: counts a sample with a duration in every quarter hour it touches', () => {
    const lasting = columns(
      ['2026-01-10T10:00:00Z', '2026-01-10T10:45:00Z', 60],
      ['2026-01-10T11:00:00Z', '2026-01-10T11:10:00Z', 100],
      ['2026-01-10T11:10:00Z', '2026-01-10T11:15:00Z', 40],
    );
    assert.deepEqual(days('mean', lasting, berlin), { '2026-01-10': 65 });
  });

  it('mean: is unweighted within a quarter hour if a sample is an instant', () => {
    const mixed = columns(['2026-01-10T10:00:00Z', '2026-01-10T10:10:00Z', 60], ['2026-01-10T10:12:00Z', null, 100]);
    assert.deepEqual(days('mean', mixed, berlin), { '2026-01-10': 80 });
  });

  it('mean: uses a sample longer than an hour only where there is no finer one, and only until midnight', () => {
    const samples = columns(
      ['2026-01-10T20:00:00Z', '2026-01-11T05:00:00Z', 50], // 21:00 to midnight: 12 quarter hours
      ['2026-01-10T20:00:00Z', null, 98],
    );
    assert.deepEqual(days('mean', samples, berlin), { '2026-01-10': 54 });
  });

  it('mean: equals the mean of a minute-by-minute curve of quarter-hour steps in any zone', () => {
    const zones = fc.constantFrom('Asia/Kathmandu', 'Australia/Eucla', 'Europe/Berlin');
    const levels = fc.array(fc.tuple(fc.nat(95), fc.integer({ min: 40, max: 190 }), fc.integer({ min: 1, max: 60 })), {
      minLength: 1,
      maxLength: 40,
    });
    fc.assert(
      fc.property(zones, levels, (name, list) => {
        const zone = createZone(name);
        const day = zone.dayAt(at('2026-01-10T12:00:00Z'));
        const steps = new Map(list.map(([quarter, value, density]) => [quarter, { value, density }]));
        const rows = [...steps].flatMap(([quarter, { value, density }]) =>
          Array.from({ length: density }, (_, index) => ({
            start: day.start + quarter * 900_000 + index * 15_000,
            value,
          })),
        );
        rows.sort((a, b) => a.start - b.start);
        const samples = { starts: rows.map(({ start }) => start), ends: null, values: rows.map(({ value }) => value) };
        const expected = steps.values().reduce((sum, { value }) => sum + value, 0) / steps.size;
        const mean = totalDays('mean', samples, zone).get(day.date) ?? Number.NaN;
        assert.ok(Math.abs(mean - expected) < 1e-9, `${mean} ${expected}`);
      }),
      { numRuns: 500 },
    );
  });

  it('last, min and max: use the samples that began on the day', () => {
    const samples = columns(
      ['2026-01-10T08:00:00Z', null, 71],
      ['2026-01-10T20:00:00Z', null, 70],
      ['2026-01-10T22:59:00Z', '2026-01-10T23:10:00Z', 72],
      ['2026-01-11T08:00:00Z', null, 69],
    );
    assert.deepEqual(days('last', samples, berlin), { '2026-01-10': 72, '2026-01-11': 69 });
    assert.deepEqual(days('min', samples, berlin), { '2026-01-10': 70, '2026-01-11': 69 });
    assert.deepEqual(days('max', samples, berlin), { '2026-01-10': 72, '2026-01-11': 69 });
  });

  it('has no value for a day without samples, and keeps an explicit 0', () => {
    const samples = columns(['2026-01-10T10:00:00Z', null, 0], ['2026-01-12T10:00:00Z', null, 5]);
    for (const kind of ['sum', 'duration', 'mean', 'last', 'min', 'max'] as const)
      assert.deepEqual(days(kind, samples, berlin), { '2026-01-10': 0, '2026-01-12': 5 });
    assert.deepEqual(days('sum', columns(), berlin), {});
  });

  it('prefers the daily value that the device reported, even 0, over its samples', () => {
    assert.equal(deviceDailyTotal(0, 500), 0);
    assert.equal(deviceDailyTotal(null, 500), 500);
    assert.equal(deviceDailyTotal(null, null), null);
  });

  it('sum: loses and adds nothing at midnight in any zone', () => {
    const zone = fc.constantFrom('Asia/Kathmandu', 'Australia/Lord_Howe', 'America/St_Johns', 'Pacific/Apia', 'UTC');
    const sample = fc.tuple(
      fc.integer({ min: 0, max: 400 * DAY_MS }),
      fc.integer({ min: 0, max: 60 * HOUR_MS }),
      fc.integer({ min: 0, max: 10_000 }),
    );
    fc.assert(
      fc.property(zone, fc.array(sample, { maxLength: 40 }), (name, rows) => {
        const sorted = rows.toSorted(([a], [b]) => a - b);
        const samples = {
          starts: sorted.map(([start]) => at('2011-06-01') + start),
          ends: sorted.map(([start, length]) => at('2011-06-01') + start + length),
          values: sorted.map(([, , value]) => value),
        };
        const whole = sorted.reduce((sum, [, , value]) => sum + value, 0);
        const total = totalDays('sum', samples, createZone(name))
          .values()
          .reduce((sum, value) => sum + value, 0);
        assert.ok(Math.abs(total - whole) <= 1e-9 * Math.max(1, whole));
      }),
      { numRuns: 1_000 },
    );
  });
});
