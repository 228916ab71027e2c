import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createZone } from '../time/day.ts';
import { quarterHourOf, type SampleSeries } from '../time/quarter-hours.ts';
import { findQuarterHourOwners, mergeSeries } from './index.ts';
import type { SourceOfSamples } from './re-exports.ts';
import type { SeriesOfDevice } from './series-days.ts';

const DAY = Date.parse('2026-03-02T00:00:00Z');
const FIRST = quarterHourOf(DAY);
const APP: SourceOfSamples = { provider: 'apple_health', transport: 'sdk', vendor: 'garmin' };
const PHONE: SourceOfSamples = { provider: 'apple_health', transport: 'sdk', vendor: null };
const ACCOUNT: SourceOfSamples = { provider: 'garmin', transport: 'cloud', vendor: null };

const minute = (quarter: number) => DAY + quarter * 900_000;

function count(device: SourceOfSamples, counts: Readonly<Record<number, number>>): SeriesOfDevice {
  const quarters = Object.keys(counts).map(Number);
  const series: SampleSeries = {
    starts: quarters.map(minute),
    ends: quarters.map((quarter) => minute(quarter) + 60_000),
    values: Object.values(counts),
  };
  return { device, series };
}

/** The index of the device that counts in each of the quarter hours. */
function owners(ranked: readonly SeriesOfDevice[], quarters: readonly number[]): number[] {
  const merged = mergeSeries(ranked, createZone(null));
  return quarters.map((quarter) =>
    ranked.findIndex((_, index) => merged.isSelected(index, FIRST + quarter, minute(quarter))),
  );
}

describe('samples of an app beside those of its vendor’s account', () => {
  it('count only in quarter hours that the account does not have', () => {
    const ranked = [count(APP, { 0: 10, 1: 20, 2: 30 }), count(PHONE, { 1: 5 }), count(ACCOUNT, { 0: 9, 1: 19 })];
    assert.deepEqual(owners(ranked, [0, 1, 2]), [2, 1, 0]);
    const indexes = (...quarters: number[]) => quarters.map((quarter) => FIRST + quarter);
    const levels = findQuarterHourOwners([
      { device: APP, indexes: indexes(0, 1, 2) },
      { device: PHONE, indexes: indexes(1) },
      { device: ACCOUNT, indexes: indexes(0, 1) },
    ]);
    assert.deepEqual([...levels].sort(), [
      [FIRST, 2],
      [FIRST + 1, 1],
      [FIRST + 2, 0],
    ]);
  });

  it('count where the account has a zero', () => {
    assert.deepEqual(owners([count(APP, { 0: 10 }), count(ACCOUNT, { 0: 0, 1: 3 })], [0]), [0]);
  });

  it('count beside the account of another vendor, and beside another phone', () => {
    const other: SourceOfSamples = { provider: 'polar', transport: 'cloud', vendor: null };
    assert.deepEqual(owners([count(APP, { 0: 10 }), count(other, { 0: 9 })], [0]), [0]);
    assert.deepEqual(owners([count(APP, { 0: 10 }), count({ ...PHONE, provider: 'garmin' }, { 0: 9 })], [0]), [0]);
  });

  it('of a quarter hour do not depend on any other quarter hour', () => {
    const counts = fc.dictionary(fc.nat(95).map(String), fc.integer({ min: 1, max: 500 }), { maxKeys: 12 });
    fc.assert(
      fc.property(counts, counts, counts, fc.nat(95), (app, phone, account, quarter) => {
        const only = (all: Record<number, number>) => (all[quarter] === undefined ? {} : { [quarter]: all[quarter] });
        const whole = [count(APP, app), count(PHONE, phone), count(ACCOUNT, account)];
        const alone = [count(APP, only(app)), count(PHONE, only(phone)), count(ACCOUNT, only(account))];
        assert.deepEqual(owners(whole, [quarter]), owners(alone, [quarter]));
      }),
    );
  });
});
