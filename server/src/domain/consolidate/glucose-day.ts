// A day of one device's glucose readings: shares below, in and above the range, and the coefficient of variation.
//
// A reading without a number ("low" or "high", beyond what the sensor can measure) is stored as a short sample of the
// time below or above range with 100 %. It counts in the shares like any other reading, and not in the variability.

import { BLOOD_GLUCOSE, placeInRange } from '../metrics/glucose-metrics.ts';
import { fromCatalogUnit } from '../metrics/units.ts';
import { type SampleColumns, samplesOfColumns, sliceByStart } from '../packed/sample-blocks/index.ts';
import type { Sample } from '../records/records.ts';
import type { Day } from '../time/day.ts';
import { QUARTER_HOUR_MS, quarterHourOf } from '../time/quarter-hours.ts';

/** In percent. Variability is null if too few readings have a number. */
export type GlucoseDay = {
  readonly inRange: number;
  readonly below: number;
  readonly above: number;
  readonly variability: number | null;
};

export type GlucoseSamples = {
  readonly readings: SampleColumns | null;
  readonly below: SampleColumns | null;
  readonly above: SampleColumns | null;
};

/**
 * The consensus recommends 70 % of the readings of two weeks. We ask it of every day, and count quarter hours with a
 * reading, because sensors measure every 1, 5 or 15 minutes. Fingersticks never reach it.
 */
const MIN_COVERED_SHARE = 0.7;

/** The longest interval between readings of a sensor. */
const MAX_READING_MS = QUARTER_HOUR_MS;
const WHOLE_PERCENT = 100;
const WHOLE_FRACTION = 1;

/** Null: too few readings. */
export function summarizeGlucose({ readings, below, above }: GlucoseSamples, day: Day): GlucoseDay | null {
  const measured = listDay(readings, day).filter(({ method }) => method !== 'manual');
  const numbers = measured.map(toMgDl);
  const known = new Set(measured.map(({ start }) => start));
  const listUnmeasured = (columns: SampleColumns | null) =>
    listDay(columns, day).filter((sample) => isUnmeasured(sample) && !known.has(sample.start));
  const [low, high] = [listUnmeasured(below), listUnmeasured(above)];
  if (!isCovered([...measured, ...low, ...high], day)) return null;
  const places = numbers.map(placeInRange);
  const all = measured.length + low.length + high.length;
  const percent = (count: number) => (100 * count) / all;
  const count = (place: ReturnType<typeof placeInRange>) => places.filter((one) => one === place).length;
  return {
    inRange: percent(count('in')),
    below: percent(count('below') + low.length),
    above: percent(count('above') + high.length),
    variability: isCovered(measured, day) ? findVariation(numbers) : null,
  };
}

/** A reading beyond what the sensor can measure, as opposed to a share that the device computed for a longer time. */
export function isUnmeasured({ start, end, value, unit }: Pick<Sample, 'start' | 'end' | 'value' | 'unit'>): boolean {
  const isShort = end > start && end - start <= MAX_READING_MS;
  return isShort && value === (unit === 'fraction' ? WHOLE_FRACTION : WHOLE_PERCENT);
}

function listDay(columns: SampleColumns | null, { start, end }: Day): Sample[] {
  return columns === null ? [] : samplesOfColumns(sliceByStart(columns, start, end));
}

function toMgDl({ value, unit }: Sample): number {
  return unit === 'mg/dL' ? value : fromCatalogUnit(BLOOD_GLUCOSE, value, unit, 'mg/dL');
}

/** Days with a change of the clock have 92 or 100 quarter hours. */
function isCovered(samples: readonly Sample[], { start, end }: Day): boolean {
  const covered = new Set(samples.map((sample) => quarterHourOf(sample.start)));
  return covered.size >= MIN_COVERED_SHARE * ((end - start) / QUARTER_HOUR_MS);
}

/** The standard deviation (of a sample, n - 1) in percent of the mean. */
function findVariation(numbers: readonly number[]): number {
  const mean = numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
  const squares = numbers.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return (100 * Math.sqrt(squares / (numbers.length - 1))) / mean;
}
