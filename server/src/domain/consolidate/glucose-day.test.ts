import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { placeInRange } from '../metrics/glucose-metrics.ts';
import { columnsOfSamples } from '../packed/sample-blocks/index.ts';
import type { EpochMs, RecordingMethod, Sample } from '../records/records.ts';
import type { LocalDate } from '../time/calendar.ts';
import { createZone } from '../time/day.ts';
import { HOUR_MS, MINUTE_MS } from '../time/durations.ts';
import { type GlucoseSamples, isUnmeasured, summarizeGlucose } from './glucose-day.ts';

const berlin = createZone('Europe/Berlin');
const dayOf = (date: string) => berlin.dayOf(date as LocalDate);
const FIVE_MINUTES = 5 * MINUTE_MS;

type Given = { unit?: string; method?: RecordingMethod; lengthMs?: number };

function sample(
  start: number,
  value: number,
  { unit = 'mg/dL', method = 'automatic', lengthMs = 0 }: Given = {},
): Sample {
  return { start: start as EpochMs, end: (start + lengthMs) as EpochMs, value, unit, offsetMinutes: 60, method };
}

/** A reading every 5 minutes of the day; null: none. */
function readings(date: string, glucoseAt: (index: number) => number | null, given?: Given): Sample[] {
  const { start, end } = dayOf(date);
  return Array.from({ length: (end - start) / FIVE_MINUTES }, (_, index) => ({
    index,
    value: glucoseAt(index),
  })).flatMap(({ index, value }) => (value === null ? [] : [sample(start + index * FIVE_MINUTES, value, given)]));
}

const unmeasured = (start: number) => sample(start, 100, { unit: '%', lengthMs: FIVE_MINUTES });
const columns = (samples: Sample[] = []): GlucoseSamples['readings'] =>
  samples.length === 0 ? null : columnsOfSamples(samples);
const summarize = (date: string, given: { readings?: Sample[]; below?: Sample[]; above?: Sample[] }) =>
  summarizeGlucose(
    { readings: columns(given.readings), below: columns(given.below), above: columns(given.above) },
    dayOf(date),
  );

describe('the range of glucose', () => {
  it('includes 70 and 180 mg/dL and their mmol/L, however they were rounded', () => {
    const FACTOR = 18.0156;
    assert.deepEqual([69, 70, 180, 181].map(placeInRange), ['below', 'in', 'in', 'above']);
    const molar = [3.8, 3.9, 70 / 18, 70 / FACTOR, 10, 180 / FACTOR, 10.1, 181 / FACTOR];
    assert.deepEqual(
      molar.map((value) => placeInRange(value * FACTOR)),
      ['below', 'in', 'in', 'in', 'in', 'in', 'above', 'above'],
    );
  });
});

describe('a day of glucose readings', () => {
  it('has shares of the readings and their coefficient of variation', () => {
    const day = readings('2026-03-02', (index) => (index < 12 ? 60 : index < 36 ? 200 : 100));
    const summary = summarize('2026-03-02', { readings: day });
    assert.ok(summary);
    assert.equal(summary.below, (100 * 12) / 288);
    assert.equal(summary.above, (100 * 24) / 288);
    assert.equal(summary.inRange, (100 * 252) / 288);
    const mean = (12 * 60 + 24 * 200 + 252 * 100) / 288;
    const squares = 12 * (60 - mean) ** 2 + 24 * (200 - mean) ** 2 + 252 * (100 - mean) ** 2;
    assert.ok(Math.abs((summary.variability ?? 0) - (100 * Math.sqrt(squares / 287)) / mean) < 1e-9);
  });

  it('is the same in both units', () => {
    const glucoseAt = (index: number) => 60 + (index % 150);
    const one = summarize('2026-03-02', { readings: readings('2026-03-02', glucoseAt) });
    const other = summarize('2026-03-02', {
      readings: readings('2026-03-02', (index) => glucoseAt(index) / 18.0156, { unit: 'mmol/L' }),
    });
    assert.deepEqual({ ...other, variability: null }, { ...one, variability: null });
    assert.ok(Math.abs((one?.variability ?? 0) - (other?.variability ?? 1)) < 1e-9);
  });

  it('needs a reading in 70 % of its quarter hours, whatever the interval of the sensor', () => {
    const until = (quarters: number) => (index: number) => (index < quarters * 3 ? 100 : null);
    assert.equal(summarize('2026-03-02', { readings: readings('2026-03-02', until(67)) }), null);
    assert.equal(summarize('2026-03-02', { readings: readings('2026-03-02', until(68)) })?.inRange, 100);
    const every15 = readings('2026-03-02', (index) => (index % 3 === 0 ? 100 : null));
    assert.equal(summarize('2026-03-02', { readings: every15 })?.inRange, 100);
    assert.equal(summarize('2026-03-02', {}), null);
  });

  it('counts readings of a day with gaps by their number', () => {
    const day = readings('2026-03-02', (index) => (index >= 100 && index < 140 ? null : index < 31 ? 50 : 120));
    assert.equal(summarize('2026-03-02', { readings: day })?.below, (100 * 31) / 248);
  });

  it('has 23 or 25 hours when the clock changes', () => {
    const hours = (date: string, count: number) =>
      readings(date, (index) => (index < (count * HOUR_MS) / FIVE_MINUTES ? 100 : null));
    assert.equal(readings('2026-03-29', () => 1).length, 276);
    assert.equal(readings('2026-10-25', () => 1).length, 300);
    assert.ok(summarize('2026-03-29', { readings: hours('2026-03-29', 16.25) })); // 65 of 92 quarter hours
    assert.equal(summarize('2026-03-29', { readings: hours('2026-03-29', 16) }), null);
    assert.ok(summarize('2026-10-25', { readings: hours('2026-10-25', 17.5) })); // 70 of 100
    assert.equal(summarize('2026-10-25', { readings: hours('2026-10-25', 17.25) }), null);
  });

  it('counts readings without a number in the shares and not in the variability', () => {
    const { start } = dayOf('2026-03-02');
    const day = readings('2026-03-02', (index) => (index < 18 ? null : 100));
    const below = Array.from({ length: 12 }, (_, index) => unmeasured(start + index * FIVE_MINUTES));
    const above = Array.from({ length: 6 }, (_, index) => unmeasured(start + (12 + index) * FIVE_MINUTES));
    const summary = summarize('2026-03-02', { readings: day, below, above });
    assert.deepEqual(summary, {
      inRange: (100 * 270) / 288,
      below: (100 * 12) / 288,
      above: (100 * 6) / 288,
      variability: 0,
    });
  });

  it('has no variability if most readings have no number', () => {
    const { start, end } = dayOf('2026-03-02');
    const above = Array.from({ length: (end - start) / FIVE_MINUTES }, (_, index) =>
      unmeasured(start + index * FIVE_MINUTES),
    );
    assert.deepEqual(summarize('2026-03-02', { above }), { inRange: 0, below: 0, above: 100, variability: null });
  });

  it('prefers the number where both are stored for the same time', () => {
    const { start } = dayOf('2026-03-02');
    const summary = summarize('2026-03-02', {
      readings: readings('2026-03-02', () => 100),
      below: [unmeasured(start)],
    });
    assert.equal(summary?.inRange, 100);
  });

  it('ignores manual entries, and a meter has too few readings', () => {
    const { start } = dayOf('2026-03-02');
    const manual = Array.from({ length: 30 }, (_, index) =>
      sample(start + (index * HOUR_MS) / 2 + MINUTE_MS, 300, { method: 'manual' }),
    );
    const day = [...readings('2026-03-02', () => 100), ...manual];
    assert.equal(summarize('2026-03-02', { readings: day })?.above, 0);
    const fingersticks = Array.from({ length: 24 }, (_, hour) => sample(start + hour * HOUR_MS, 250));
    assert.equal(summarize('2026-03-02', { readings: fingersticks }), null);
  });

  it('takes a share of a longer time for what it is', () => {
    assert.ok(isUnmeasured(unmeasured(0)));
    assert.ok(isUnmeasured(sample(0, 1, { unit: 'fraction', lengthMs: FIVE_MINUTES })));
    assert.ok(!isUnmeasured(sample(0, 100, { unit: '%', lengthMs: HOUR_MS })));
    assert.ok(!isUnmeasured(sample(0, 100, { unit: '%' })));
    assert.ok(!isUnmeasured(sample(0, 4, { unit: '%', lengthMs: FIVE_MINUTES })));
  });
});
