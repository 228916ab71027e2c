// Samples longer than an hour that cross midnight, together with finer data of other devices.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createZone } from '../time/day.ts';
import { HOUR_MS } from '../time/durations.ts';
import { QUARTER_HOUR_MS, quarterHourOf, type SampleSeries } from '../time/quarter-hours.ts';
import { listHours, type MergedDay, mergeDay } from './merge-day.ts';
import { openSeriesDays } from './series-days.ts';

const DAYS = ['2026-01-10', '2026-01-11', '2026-01-12', '2026-01-13'] as const;
const ORIGIN = Date.parse(DAYS[0]);
type Row = readonly [startHour: number, hours: number, value: number];
type Device = { readonly rows: readonly Row[]; readonly heartRateHours?: readonly number[] };

function toSeries(rows: readonly Row[]): SampleSeries {
  const sorted = rows.toSorted(([a], [b]) => a - b);
  return {
    starts: sorted.map(([start]) => ORIGIN + start * HOUR_MS),
    ends: sorted.map(([start, hours]) => ORIGIN + (start + hours) * HOUR_MS),
    values: sorted.map(([, , value]) => value),
  };
}

/** Hours count from the start of the first of `DAYS`. */
function mergeDays(devices: readonly Device[], zone = createZone(null)): MergedDay[] {
  const days = openSeriesDays(
    devices.map(({ rows, heartRateHours = [] }) => ({
      series: toSeries(rows),
      wornHoursOf: (date) => {
        const { start, end } = zone.dayOf(date);
        return listHours(
          heartRateHours.map((hour) => ORIGIN + hour * HOUR_MS),
          start,
          end,
        );
      },
    })),
    zone,
  );
  return DAYS.map((text) => mergeDay(days.read(zone.dayAt(Date.parse(text) + 12 * HOUR_MS))));
}

/** The contribution of each device by day. */
function give(devices: readonly Device[], zone = createZone(null)): number[][] {
  return mergeDays(devices, zone).map((merged) => {
    const parts = devices.map(() => 0);
    for (const quarter of merged.quarters()) {
      const index = merged.ownerOf(quarter);
      parts[index] = (parts[index] ?? 0) + merged.amountOf(quarter);
    }
    return parts.map((part) => Math.round(part * 1e6) / 1e6);
  });
}

const totalOf = (given: readonly (readonly number[])[]) => given.flat().reduce((sum, part) => sum + part, 0);
/** The same amount in every quarter hour. */
const quarters = (fromHour: number, toHour: number, value: number): Row[] =>
  Array.from({ length: (toHour - fromHour) * 4 }, (_, index): Row => [fromHour + index / 4, 0.25, value]);

describe('a long sample across midnight', () => {
  /** 10,000 steps from noon to noon. */
  const phone: Device = { rows: [[12, 24, 10_000]] };

  it('is divided by time if no other device has data in its time', () => {
    const elsewhere: Device = { rows: quarters(40, 44, 100) };
    assert.deepEqual(give([phone]).slice(0, 2), [[5_000], [5_000]]);
    assert.deepEqual(give([phone, elsewhere]).slice(0, 2), [
      [5_000, 0],
      [5_000, 1_600],
    ]);
  });

  it('spreads its rest over the time without other devices: 10,000 with 9,000 of the watch are 10,000', () => {
    // The watch counts 9,000 in the nine hours from noon; 15 of the 24 hours are left, 3 of them before midnight.
    const watch: Device = { rows: quarters(12, 21, 250) };
    for (const ranked of [
      [watch, phone],
      [phone, watch],
    ]) {
      const [first = [], second = []] = give(ranked);
      const [ofWatch, ofPhone] = [ranked.indexOf(watch), ranked.indexOf(phone)];
      assert.deepEqual([first[ofWatch], second[ofWatch]], [9_000, 0]);
      assert.deepEqual([first[ofPhone], second[ofPhone]], [200, 800]);
    }
  });

  it('adds nothing on either day if finer data counts more', () => {
    const watch: Device = { rows: quarters(12, 21, 300) };
    assert.deepEqual(give([watch, phone]).slice(0, 2), [
      [10_800, 0],
      [0, 0],
    ]);
  });

  it('gives the whole rest to the day with time left', () => {
    const watch: Device = { rows: quarters(24, 36, 100) };
    assert.deepEqual(give([watch, phone]).slice(0, 2), [
      [0, 5_200],
      [4_800, 0],
    ]);
  });

  it('follows the same rule if it lasts for several days', () => {
    const week: Device = { rows: [[6, 72, 30_000]] };
    const watch: Device = { rows: quarters(24, 48, 200) };
    assert.deepEqual(give([watch, week]), [
      [0, 4_050],
      [19_200, 0],
      [0, 5_400],
      [0, 1_350],
    ]);
  });

  it('yields to shorter long samples that cross midnight', () => {
    const ring: Device = { rows: [[22, 4, 2_000]] };
    const given = give([ring, phone]);
    assert.deepEqual(given.slice(0, 2), [
      [1_000, 4_000],
      [1_000, 4_000],
    ]);
  });

  it('does not replace zeros of a worn watch on either day', () => {
    const zeros = [...quarters(12, 20, 250), ...quarters(22, 36, 0)];
    const worn: Device = { rows: zeros, heartRateHours: Array.from({ length: 24 }, (_, hour) => 12 + hour) };
    // 2,000 are left, and two hours before midnight.
    assert.deepEqual(give([worn, phone]).slice(0, 2), [
      [8_000, 2_000],
      [0, 0],
    ]);
    const unworn: Device = { rows: zeros };
    assert.deepEqual(give([unworn, phone]).slice(0, 2), [
      [8_000, 500],
      [0, 1_500],
    ]);
  });
});

describe('zeros of a worn watch', () => {
  it('keep their time on a day that has a rest to spread only because of evidence on the other day', () => {
    const watch: Device = {
      rows: [...quarters(12, 24, 0), ...quarters(24, 30, 0)],
      heartRateHours: Array.from({ length: 18 }, (_, hour) => 12 + hour),
    };
    const ring: Device = { rows: [[13, 0.25, 1_500]] };
    const phone: Device = { rows: [[12, 24, 1_000]] };
    const [first, second] = mergeDays([watch, ring, phone]);
    const countQuarters = (day: MergedDay | undefined, index: number) =>
      (day?.quarters() ?? []).filter((quarter) => day?.ownerOf(quarter) === index).length;
    // The phone's 1,000 are between 6:00 and noon of the second day.
    assert.deepEqual([countQuarters(first, 0), countQuarters(first, 1), countQuarters(first, 2)], [48, 0, 0]);
    assert.deepEqual([countQuarters(second, 0), countQuarters(second, 2)], [24, 24]);
  });
});

describe('more long samples across midnight than real devices send', () => {
  it('are divided by time, so that a day never merges thousands of samples with each other', () => {
    const watch: Device = { rows: quarters(12, 21, 250) };
    const phone = (count: number): Device => ({
      rows: Array.from({ length: count }, (_, index): Row => [12 + index / 1_000, 24, 10]),
    });
    // 32 samples have 320 together, less than the watch counted, so nothing is left on either day. Of 33, each has half
    // on the second day.
    assert.equal(give([watch, phone(32)])[1]?.[1], 0);
    const second = give([watch, phone(33)])[1]?.[1] ?? 0;
    assert.ok(second > 160 && second < 330, String(second));
  });
});

const anyZone = fc.constantFrom('UTC', 'Asia/Kathmandu', 'America/St_Johns', 'Europe/Berlin').map(createZone);
const anyFine = fc.array(fc.tuple(fc.integer({ min: 16, max: 79 }), fc.integer({ min: 1, max: 900 })), {
  maxLength: 60,
});

describe('the days of a long sample together', () => {
  it('add up to the finer data in its time, or to its value if that is larger', () => {
    fc.assert(
      fc.property(
        anyZone,
        fc.integer({ min: 24, max: 80 }),
        fc.integer({ min: 5, max: 160 }),
        fc.nat(20_000),
        fc.array(fc.tuple(fc.integer({ min: 20, max: 300 }), fc.integer({ min: 1, max: 900 })), { maxLength: 120 }),
        fc.boolean(),
        (zone, startQuarter, lengthQuarters, value, fine, isLongFirst) => {
          const long: Device = { rows: [[startQuarter / 4, lengthQuarters / 4, value]] };
          const finer: Device = { rows: fine.map(([quarter, count]): Row => [quarter / 4, 0.25, count]) };
          const isInside = ([quarter]: readonly [number, number]) =>
            quarter >= startQuarter && quarter < startQuarter + lengthQuarters;
          const inside = fine.filter(isInside);
          const outside = fine.filter((row) => !isInside(row));
          const sum = (rows: readonly (readonly [number, number])[]) => rows.reduce((all, [, count]) => all + count, 0);
          const isCovered = new Set(inside.map(([quarter]) => quarter)).size === lengthQuarters;
          const expected = sum(outside) + (isCovered ? sum(inside) : Math.max(value, sum(inside)));
          const total = totalOf(give(isLongFirst ? [long, finer] : [finer, long], zone));
          assert.ok(Math.abs(total - expected) < 1e-3, `${total}, not ${expected}`);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('are at least the finer data and at most the finer data plus all long samples, however these overlap', () => {
    const anyLong = fc.array(
      fc.tuple(fc.integer({ min: 16, max: 80 }), fc.integer({ min: 5, max: 160 }), fc.nat(20_000)),
      { maxLength: 3 },
    );
    fc.assert(
      fc.property(anyZone, fc.array(anyLong, { maxLength: 3 }), anyFine, (zone, longOnes, fine) => {
        const finer: Device = { rows: fine.map(([quarter, count]): Row => [quarter / 4, 0.25, count]) };
        const others = longOnes.map(
          (rows): Device => ({ rows: rows.map(([start, length, value]): Row => [start / 4, length / 4, value]) }),
        );
        const total = totalOf(give([...others, finer], zone));
        const alone = totalOf(give([finer], zone));
        const long = others.flatMap(({ rows }) => rows).reduce((all, [, , value]) => all + value, 0);
        assert.ok(total >= alone - 1e-3 && total <= alone + long + 1e-3, `${total}: ${alone} and ${long}`);
      }),
      { numRuns: 500 },
    );
  });

  it('do not depend on data outside its time', () => {
    const rows = fc.array(fc.tuple(fc.integer({ min: 24, max: 60 }), fc.nat(900)), { maxLength: 20 });
    fc.assert(
      fc.property(rows, fc.nat(20_000), (fine, value) => {
        const long: Device = { rows: [[8, 30, value]] };
        const near = fine.map(([quarter, count]): Row => [quarter / 4 + 10, 0.25, count]);
        const far: Row[] = [[38.25, 0.25, 700], ...quarters(50, 60, 300)];
        const [first, second] = give([{ rows: near }, long]);
        const [firstToo, secondToo] = give([{ rows: [...near, ...far] }, long]);
        assert.deepEqual(firstToo, first);
        assert.equal(secondToo?.[1], second?.[1]);
      }),
    );
  });

  it('uses whole quarter hours, so that a sample which begins within one shares it as on a single day', () => {
    const long: Device = { rows: [[20 + 1 / 12, 8, 4_000]] };
    const watch: Device = { rows: quarters(20, 22, 100) };
    // 5 of the first 15 minutes are outside the long sample.
    const inside = 800 - (100 * 5) / 15;
    assert.ok(Math.abs(totalOf(give([watch, long])) - (800 + 4_000 - inside)) < 1e-3);
    assert.equal(quarterHourOf(ORIGIN) * QUARTER_HOUR_MS, ORIGIN);
  });
});
