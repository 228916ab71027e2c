import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DeviceNumber } from '../../../domain/tenancy.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import { createZone } from '../../../domain/time/day.ts';
import { markCoverage } from './coverage.ts';
import { toRuns } from './source-runs.ts';
import { toSampleChart } from './thin-samples.ts';

const zone = createZone('Europe/Berlin');
const day = zone.dayOf('2026-03-10' as LocalDate);
const HOUR = 3_600_000;

describe('the half hours of a day', () => {
  it('are marked by instants and by the whole time of intervals', () => {
    const instant = { starts: [day.start], ends: null, values: [60] };
    const interval = { starts: [day.start + 2 * HOUR], ends: [day.start + 4 * HOUR], values: [100] };
    assert.equal(markCoverage([instant, interval], day), '8f0000000000');
  });

  it('are not marked by zeros, nor by samples of other days', () => {
    const samples = { starts: [day.start - HOUR, day.start + HOUR, day.end], ends: null, values: [60, 0, 60] };
    assert.equal(markCoverage([samples], day), null);
  });

  it('are 46 on a day of 23 hours and 50 on a day of 25 hours', () => {
    for (const [date, digits] of [
      ['2026-03-29', 12],
      ['2026-10-25', 13],
    ] as const) {
      const short = zone.dayOf(date as LocalDate);
      const samples = { starts: [short.end - 1], ends: null, values: [60] };
      assert.equal(markCoverage([samples], short)?.length, digits);
    }
  });
});

describe('the chart of a level', () => {
  const range = { fromMs: day.start, toMs: day.end, decimals: 0 };

  it('has seconds between samples and rounded values', () => {
    const series = { starts: [day.start, day.start + 61_400, day.start + 120_000], ends: null, values: [60.4, 61, 62] };
    assert.deepEqual(toSampleChart(series, range), { t0: day.start / 1000, dt: [0, 61, 59], v: [60, 61, 62] });
  });

  it('keeps the extremes of each minute of dense samples', () => {
    const starts = Array.from({ length: 8_000 }, (_, index) => day.start + index * 1_000);
    const values = starts.map((_, index) => (index === 4_321 ? 180 : 60 + (index % 10)));
    const chart = toSampleChart({ starts, ends: null, values }, range);
    assert.ok(chart !== null && chart.v.length < 300);
    assert.equal(Math.max(...(chart?.v ?? [])), 180);
  });

  it('is null without samples', () => {
    assert.equal(toSampleChart({ starts: [day.end], ends: null, values: [60] }, range), null);
  });
});

describe('runs of sources', () => {
  it('join equal neighbours', () => {
    const [ring, watch] = [1, 2] as DeviceNumber[];
    assert.deepEqual(toRuns([ring, ring, null, watch] as DeviceNumber[]), [
      { device: ring, quarters: 2 },
      { device: null, quarters: 1 },
      { device: watch, quarters: 1 },
    ]);
  });
});
