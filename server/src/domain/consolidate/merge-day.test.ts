import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { DAY_MS, MINUTE_MS } from '../time/durations.ts';
import { quarterHourOf, sumQuarterHours } from '../time/quarter-hours.ts';
import { type DayOfDevice, hourOf, listHours, mergeDay, needsWornHours } from './merge-day.ts';

const DAY_START = Date.parse('2026-01-10T00:00:00Z');
const DAY_END = DAY_START + DAY_MS;
const at = (time: string) => Date.parse(`2026-01-10T${time}:00Z`);
type Row = readonly [start: string, minutes: number, value: number];

function day(rows: readonly Row[], heartRates: readonly string[] = []): DayOfDevice {
  const samples = {
    starts: rows.map(([start]) => at(start)),
    ends: rows.map(([start, minutes]) => at(start) + minutes * MINUTE_MS),
    values: rows.map(([, , value]) => value),
  };
  return {
    quarterHours: sumQuarterHours(samples, DAY_START, DAY_END),
    wornHours: listHours(heartRates.map(at), DAY_START, DAY_END),
  };
}

/** The contribution of each device, best first, and the total. */
function give(...ranked: DayOfDevice[]): { total: number; parts: number[] } {
  const merged = mergeDay(ranked);
  const parts = ranked.map(() => 0);
  for (const quarter of merged.quarters()) {
    const index = merged.ownerOf(quarter);
    parts[index] = (parts[index] ?? 0) + merged.amountOf(quarter);
  }
  const rounded = parts.map((part) => Math.round(part * 1e6) / 1e6);
  return { total: rounded.reduce((sum, part) => sum + part, 0), parts: rounded };
}

const clock = (quarter: number) =>
  `${String(Math.floor(quarter / 4)).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}`;
/** 9,000 steps in 30 quarter hours from 8:00 on. */
const WALKS = Array.from({ length: 30 }, (_, index): Row => [clock(32 + index), 15, 300]);

describe('a sample of up to an hour', () => {
  const hours = day([
    ['10:00', 60, 800],
    ['11:00', 60, 400],
  ]);
  const minutes = day([['10:05', 10, 500]]);

  it('of the highest-ranked device takes all of its quarter hours, whatever finer data another device has', () => {
    assert.deepEqual(give(hours, minutes), { total: 1_200, parts: [1_200, 0] });
    assert.deepEqual(mergeDay([hours, minutes]).spreads, [[], []]);
  });

  it('fills the quarter hours without a higher-ranked device, by time', () => {
    assert.deepEqual(give(minutes, hours), { total: 1_500, parts: [500, 1_000] });
  });

  it('is not long: one millisecond more, and it yields', () => {
    const barely = day([['10:00', 60 + 1 / MINUTE_MS, 800]]);
    assert.deepEqual(give(barely, minutes), { total: 800, parts: [300, 500] });
  });

  it('without a step is four zeros, which need evidence of wear like any other', () => {
    const zeros: Row[] = [['10:00', 60, 0]];
    assert.deepEqual(give(day(zeros), minutes), { total: 500, parts: [0, 500] });
    assert.equal(needsWornHours([day(zeros), minutes]), true);
    assert.deepEqual(give(day(zeros, ['10:59']), minutes), { total: 0, parts: [0, 0] });
  });
});

describe('a sample longer than an hour', () => {
  it('does not add to finer data of another device: 10,000 a day and 9,000 by the watch are 10,000', () => {
    const watch = day(WALKS);
    const whole = day([['00:00', 1_440, 10_000]]);
    assert.deepEqual(give(watch, whole), { total: 10_000, parts: [9_000, 1_000] });
    assert.deepEqual(give(whole, watch), { total: 10_000, parts: [1_000, 9_000] });
  });

  it('adds nothing if finer data counts more or covers all of its time', () => {
    const watch = day(WALKS);
    assert.deepEqual(give(watch, day([['00:00', 1_440, 8_000]])), { total: 9_000, parts: [9_000, 0] });
    assert.deepEqual(give(watch, day([['08:00', 450, 12_000]])), { total: 9_000, parts: [9_000, 0] });
  });

  it('yields to shorter long samples of another device, and to equally long ones by rank', () => {
    const hours = day([
      ['08:00', 180, 5_000],
      ['11:00', 180, 4_000],
    ]);
    const whole = day([['00:00', 1_440, 10_000]]);
    for (const ranked of [
      [hours, whole],
      [whole, hours],
    ])
      assert.equal(give(...ranked).total, 10_000);
    const other = day([['00:00', 1_440, 9_000]]);
    assert.deepEqual(give(other, whole), { total: 9_000, parts: [9_000, 0] });
  });

  it('adds to the samples of its own device, even within one quarter hour', () => {
    const phone = day([
      ['08:00', 127, 2_000],
      ['10:07', 5, 300],
      ['10:12', 100, 700],
    ]);
    assert.equal(give(phone).total, 3_000);
    assert.equal(give(phone, day([['20:00', 15, 10]])).total, 3_010);
  });

  it('does not depend on order: a device alone loses and gains nothing', () => {
    const rows = fc.array(fc.tuple(fc.nat(95).map(clock), fc.nat(400), fc.nat(5_000)), { maxLength: 30 });
    fc.assert(
      fc.property(rows, (list) => {
        const { quarterHours } = day(list);
        const inLong = quarterHours.long.reduce((sum, { value }) => sum + value, 0);
        const expected = quarterHours.sums.reduce((sum, value) => sum + value, inLong);
        assert.ok(Math.abs(give({ quarterHours }).total - expected) <= 1e-6 * Math.max(1, expected));
      }),
    );
  });

  it('a merged day is at least the count of the highest-ranked device and at most the sum of all', () => {
    const rows = fc.array(fc.tuple(fc.nat(95).map(clock), fc.nat(400), fc.integer({ min: 1, max: 5_000 })), {
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(rows, rows, (first, second) => {
        const [a, b] = [day(first), day(second)];
        const { total } = give(a, b);
        assert.ok(total <= give(a).total + give(b).total + 1e-3);
        const whole = day([['00:00', 1_440, 1_000_000]]);
        assert.ok(give(a, whole).total <= Math.max(give(a).total, 1_000_000) + 1e-3);
      }),
    );
  });
});

describe('a zero', () => {
  const zeros = (from: string, quarters: number): Row[] => {
    const first = quarterHourOf(at(from)) - quarterHourOf(DAY_START);
    return Array.from({ length: quarters }, (_, index): Row => [clock(first + index), 15, 0]);
  };
  const phone = day([
    ['10:00', 10, 400],
    ['10:50', 10, 600],
  ]);

  it('of a watch that is not worn does not suppress a phone that counts', () => {
    const watch = day(zeros('00:00', 96));
    assert.deepEqual(give(watch, phone), { total: 1_000, parts: [0, 1_000] });
    assert.equal(mergeDay([watch, phone]).counting.has(0), false);
    assert.deepEqual(
      mergeDay([watch, phone]).droppedZeros[0]?.map((quarter) => quarter - quarterHourOf(DAY_START)),
      [40, 43],
    );
  });

  it('counts with a heart rate in the same hour', () => {
    assert.deepEqual(give(day(zeros('00:00', 96), ['10:59']), phone), { total: 0, parts: [0, 0] });
    assert.deepEqual(give(day(zeros('00:00', 96), ['09:59', '11:00']), phone), { total: 1_000, parts: [0, 1_000] });
  });

  it('counts with another count in the same hour', () => {
    const watch = day([...zeros('10:00', 3), ['10:45', 15, 20]]);
    assert.deepEqual(give(watch, phone), { total: 20, parts: [20, 0] });
    const earlier = day([['09:45', 15, 20], ...zeros('10:00', 4)]);
    assert.deepEqual(give(earlier, phone), { total: 1_020, parts: [20, 1_000] });
  });

  it('without evidence leaves the time to a long sample of another device', () => {
    const whole = day([['00:00', 1_440, 5_000]]);
    assert.deepEqual(give(day(zeros('00:00', 96)), whole), { total: 5_000, parts: [0, 5_000] });
  });

  it('is a measured zero if no other device counts', () => {
    const merged = mergeDay([day(zeros('10:00', 1)), day([['12:00', 15, 5]])]);
    assert.deepEqual(
      merged.quarters().map((quarter) => [merged.ownerOf(quarter), merged.amountOf(quarter)]),
      [
        [0, 0],
        [1, 5],
      ],
    );
  });

  it('needs heart rates only if they can change the result', () => {
    const watch = day(zeros('00:00', 96));
    assert.equal(needsWornHours([watch, phone]), true);
    assert.equal(needsWornHours([phone, watch]), false);
    assert.equal(needsWornHours([watch]), false);
    assert.equal(needsWornHours([day([...zeros('10:00', 3), ['10:45', 15, 20]]), phone]), false);
  });

  it('only hours of the day have heart rates', () => {
    const first = hourOf(quarterHourOf(DAY_START));
    const times = [DAY_START - 1, DAY_START, DAY_START + 10, at('05:30'), at('05:45'), DAY_END];
    assert.deepEqual([...listHours(times, DAY_START, DAY_END)], [first, first + 5]);
  });
});
