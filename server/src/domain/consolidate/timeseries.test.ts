// The timeseries and the merged total of a day come from the same ownership of quarter hours.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { EpochMs } from '../records/records.ts';
import type { DeviceId } from '../tenancy.ts';
import { createZone, type Day, type Zone } from '../time/day.ts';
import { HOUR_MS } from '../time/durations.ts';
import { NO_QUARTER_HOURS, quarterHourOf, type SampleSeries } from '../time/quarter-hours.ts';
import { totalDays } from './daily-totals.ts';
import { addDayOfDevice } from './day-value.ts';
import {
  type Candidate,
  consolidate,
  type DayOfDevice,
  findQuarterHourOwners,
  hourOf,
  mergeSeries,
  openSeriesDays,
  selectSamples,
} from './index.ts';
import type { RankedDevice } from './ranking.ts';

const at = (text: string) => Date.parse(text);
const utc = createZone(null);
const WHOLE_TIME = { fromMs: at('2000-01-01'), toMs: at('2040-01-01'), zone: utc };

/** The selected samples of each device, best first. */
function selectSeries(
  ranked: readonly SampleSeries[],
  isAdditive: boolean,
  range = WHOLE_TIME,
  worn: readonly ReadonlySet<number>[] = [],
): SampleSeries[] {
  const merged = mergeSeries(
    ranked.map((series, index) => ({ series, wornHoursOf: () => worn[index] })),
    range.zone,
  );
  const owners = findQuarterHourOwners(
    ranked.map(({ starts }) => ({ device: null, indexes: Array.from(starts, quarterHourOf) })),
  );
  return ranked.map((samples, position) =>
    selectSamples(samples, {
      ...range,
      isAdditive,
      isSelected: (quarter, atMs) =>
        isAdditive ? merged.isSelected(position, quarter, atMs) : owners.get(quarter) === position,
      takePart: (index, partStart, partEnd) => merged.takePart(position, index, partStart, partEnd),
    }),
  );
}

const moments = (...times: string[]): SampleSeries => ({
  starts: times.map(at),
  ends: times.map(at),
  values: times.map((_, index) => index),
});

describe('the timeseries', () => {
  it('takes each quarter hour from the highest-ranked device with a sample in it', () => {
    const watch = moments('2026-01-10T10:00:00Z', '2026-01-10T10:29:59Z');
    const phone = moments('2026-01-10T10:14:59Z', '2026-01-10T10:20:00Z', '2026-01-10T10:30:00Z');
    const [fromWatch, fromPhone] = selectSeries([watch, phone], false);
    assert.deepEqual(fromWatch, watch);
    assert.deepEqual(fromPhone?.starts, [at('2026-01-10T10:30:00Z')]);
  });

  it('puts a level entirely into the quarter hour it began in', () => {
    const watch = { starts: [at('2026-01-10T10:10:00Z')], ends: [at('2026-01-10T10:20:00Z')], values: [60] };
    const phone = moments('2026-01-10T10:18:00Z');
    assert.deepEqual(selectSeries([watch, phone], false), [watch, phone]);
  });

  it("reduces a total's interval pro rata where another device owns the time", () => {
    const watch = { starts: [at('2026-01-10T10:20:00Z')], ends: [at('2026-01-10T10:25:00Z')], values: [70] };
    const phone = { starts: [at('2026-01-10T10:10:00Z')], ends: [at('2026-01-10T10:20:00Z')], values: [400] };
    const [, fromPhone] = selectSeries([watch, phone], true);
    assert.deepEqual(fromPhone, {
      starts: [at('2026-01-10T10:10:00Z')],
      ends: [at('2026-01-10T10:15:00Z')],
      values: [200],
    });
  });

  it('splits hourly samples of two devices: the higher-ranked one keeps its quarter hours, the other its share of the rest', () => {
    const watch = { starts: [at('2026-01-10T10:30:00Z')], ends: [at('2026-01-10T11:30:00Z')], values: [300] };
    const phone = { starts: [at('2026-01-10T10:00:00Z')], ends: [at('2026-01-10T11:00:00Z')], values: [400] };
    assert.deepEqual(selectSeries([watch, phone], true), [
      watch,
      { starts: [at('2026-01-10T10:00:00Z')], ends: [at('2026-01-10T10:30:00Z')], values: [200] },
    ]);
    assert.deepEqual(selectSeries([phone, watch], true), [
      phone,
      { starts: [at('2026-01-10T11:00:00Z')], ends: [at('2026-01-10T11:30:00Z')], values: [150] },
    ]);
  });

  it('spreads the rest of a sample longer than an hour over the time without finer data', () => {
    const watch = { starts: [at('2026-01-10T11:00:00Z')], ends: [at('2026-01-10T12:00:00Z')], values: [300] };
    const phone = { starts: [at('2026-01-10T10:00:00Z')], ends: [at('2026-01-10T13:00:00Z')], values: [400] };
    for (const ranked of [
      [watch, phone],
      [phone, watch],
    ]) {
      const series = selectSeries(ranked, true);
      assert.deepEqual(series[ranked.indexOf(watch)], watch);
      assert.deepEqual(series[ranked.indexOf(phone)], {
        starts: [at('2026-01-10T10:00:00Z'), at('2026-01-10T12:00:00Z')],
        ends: [at('2026-01-10T11:00:00Z'), at('2026-01-10T13:00:00Z')],
        values: [50, 50],
      });
    }
  });

  it('keeps an interval as it was sent if all of it is selected', () => {
    const samples = { starts: [at('2026-01-10T10:07:00Z')], ends: [at('2026-01-10T13:13:00Z')], values: [401] };
    assert.deepEqual(selectSeries([samples], true), [samples]);
  });
});

const ZONE_NAMES = ['Asia/Kathmandu', 'Australia/Eucla', 'America/St_Johns', 'Europe/Berlin', 'Africa/Cairo'] as const;
const anyDay = fc.tuple(fc.constantFrom(...ZONE_NAMES), fc.nat(730)).map(([name, days]) => ({
  zone: createZone(name),
  day: createZone(name).dayAt(at('2025-01-01T12:00:00Z') + days * 24 * HOUR_MS),
}));
/** Offset from the day's start, length and value of samples that lie in the day or cross its midnights. */
const anyLength = fc.oneof(fc.nat(2 * HOUR_MS), fc.nat(30 * HOUR_MS));
const anyRows = fc.array(
  fc.tuple(fc.integer({ min: -3 * HOUR_MS, max: 26 * HOUR_MS }), anyLength, fc.oneof(fc.constant(0), fc.nat(1_000))),
  { maxLength: 20 },
);
/** Hours from the day's start with a heart-rate measurement. */
const anyWorn = fc.array(fc.nat(25), { maxLength: 10 });

function toCandidate(index: number, samples: SampleSeries, zone: Zone, day: Day, ofDay: DayOfDevice): Candidate {
  const device: RankedDevice = {
    id: `device-${index}` as DeviceId,
    provider: 'any',
    deviceClass: 'wrist',
    transport: 'cloud',
    connectedAt: -index as EpochMs,
  };
  const total = totalDays('sum', samples, zone).get(day.date) ?? null;
  return addDayOfDevice({ device, isEnabled: true, total, quarterHours: NO_QUARTER_HOURS, origin: 'samples' }, ofDay);
}

describe("a day's merged steps", () => {
  it('equal the sum of its timeseries, in zones of any offset and on days of 23 and 25 hours', () => {
    fc.assert(
      fc.property(anyDay, fc.array(fc.tuple(anyRows, anyWorn), { minLength: 1, maxLength: 3 }), (at, devices) => {
        const { zone, day } = at;
        const ranked = devices.map(([rows]) => toColumns(rows, day.start));
        const worn = devices.map(([, hours]) => new Set(hours.map((hour) => hourOf(quarterHourOf(day.start)) + hour)));
        const ofDay = openSeriesDays(
          ranked.map((series, index) => ({ series, wornHoursOf: () => worn[index] })),
          zone,
        ).read(day);
        const candidates = ranked.map((samples, index) =>
          toCandidate(index, samples, zone, day, ofDay[index] as DayOfDevice),
        );
        const { value } = consolidate('merge', [], candidates);
        const series = selectSeries(ranked, true, { fromMs: day.start, toMs: day.end, zone }, worn);
        const values = series.flatMap((samples) => Array.from(samples.values));
        if (value === null) return assert.equal(values.length, 0);
        const sum = values.reduce((total, part) => total + part, 0);
        assert.ok(Math.abs(sum - value) <= 1e-9 * Math.max(1, value), `${sum} ${value}`);
        for (const { starts } of series)
          for (const start of Array.from(starts)) assert.ok(start >= day.start && start < day.end);
      }),
      { numRuns: 3_000 },
    );
  });

  it('no quarter hour is returned twice', () => {
    fc.assert(
      fc.property(fc.array(anyRows, { maxLength: 3 }), fc.boolean(), (devices, isAdditive) => {
        const series = selectSeries(
          devices.map((rows) => toColumns(rows, at('2026-01-10'))),
          isAdditive,
        );
        const seen = new Map<number, number>();
        series.forEach(({ starts }, index) => {
          for (const quarter of Array.from(starts, quarterHourOf)) {
            assert.equal(seen.get(quarter) ?? index, index);
            seen.set(quarter, index);
          }
        });
      }),
      { numRuns: 1_000 },
    );
  });
});

function toColumns(rows: readonly [number, number, number][], originMs: number): SampleSeries {
  const sorted = rows.toSorted(([a], [b]) => a - b);
  return {
    starts: sorted.map(([start]) => originMs + start),
    ends: sorted.map(([start, length]) => originMs + start + length),
    values: sorted.map(([, , value]) => value),
  };
}
