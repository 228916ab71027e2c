// UTC quarter hours: the unit in which devices own time (gaps G-33, G-36). Local days of all zones have begun and ended
// on one of them since October 1979 (before: Pacific/Kiritimati at -10:40, Africa/Monrovia until 1972). Nothing depends
// on it: sums are clipped to the day, so a quarter hour that midnight divides gives each day its part.
import { HOUR_MS, MINUTE_MS } from './durations.ts';

export const QUARTER_HOUR_MS = 15 * MINUTE_MS;
/**
 * One hour. A longer sample does not show what happened in each of its quarter hours, so it yields to finer data (gap
 * G-207).
 */
export const LONG_SAMPLE_MS = HOUR_MS;

/** One device's samples of one metric, ascending by start, values in the catalog's unit. */
export type SampleSeries = {
  readonly starts: ArrayLike<number>;
  /** Null: all are instants. */
  readonly ends: ArrayLike<number> | null;
  readonly values: ArrayLike<number>;
};

/** Sums of the quarter hours with a sample, ascending; a sum of 0 is a measured 0. */
export type QuarterHours = {
  readonly indexes: readonly number[];
  readonly sums: readonly number[];
  /** Samples longer than `LONG_SAMPLE_MS` are in no sum. */
  readonly long: readonly LongSample[];
};

/** The part of a sample longer than `LONG_SAMPLE_MS` in a day. */
export type LongSample = {
  /** The index of the sample. */
  readonly index: number;
  readonly start: number;
  readonly end: number;
  readonly value: number;
  /** The length of the whole sample. */
  readonly lengthMs: number;
  /** Set if it crosses midnight and overlaps other devices; otherwise the day has its share by time. */
  readonly divided?: DividedSample | undefined;
};

/** A whole sample, and the part of it that counts on one of its days. */
export type DividedSample = {
  readonly start: number;
  readonly end: number;
  readonly value: number;
  readonly counted: number;
};

export const NO_QUARTER_HOURS: QuarterHours = { indexes: [], sums: [], long: [] };

export function quarterHourOf(epochMs: number): number {
  return Math.floor(epochMs / QUARTER_HOUR_MS);
}

/**
 * For totals: the sums in [fromMs, toMs), with intervals of up to an hour spread evenly over the quarter hours they
 * touch. Callers that know the index range pass it.
 */
export function sumQuarterHours(
  samples: SampleSeries,
  fromMs: number,
  toMs: number,
  positions = { first: 0, end: samples.starts.length },
): QuarterHours {
  const first = quarterHourOf(fromMs);
  const sums = new Float64Array(Math.max(0, quarterHourOf(toMs - 1) - first + 1));
  const isMeasured = new Uint8Array(sums.length);
  const long: LongSample[] = [];
  for (let index = positions.first; index < positions.end; index++) {
    const start = samples.starts[index] as number;
    const end = endAt(samples, index);
    if (start >= toMs || (end <= fromMs && start < fromMs)) continue;
    const value = samples.values[index] as number;
    const position = quarterHourOf(start) - first;
    if (start >= fromMs && end <= toMs && end <= (first + position + 1) * QUARTER_HOUR_MS) {
      sums[position] = (sums[position] as number) + value;
      isMeasured[position] = 1;
      continue;
    }
    if (end - start > LONG_SAMPLE_MS) {
      long.push(clipLong(index, start, end, value, fromMs, toMs));
      continue;
    }
    spreadOverQuarterHours(Math.max(start, fromMs), Math.min(end, toMs), (quarter, partStart, partEnd) => {
      const part = quarter - first;
      sums[part] = (sums[part] as number) + takeShare(value, start, end, partStart, partEnd);
      isMeasured[part] = 1;
    });
  }
  const indexes: number[] = [];
  for (let index = 0; index < sums.length; index++) if (isMeasured[index] === 1) indexes.push(first + index);
  return { indexes, sums: indexes.map((quarter) => sums[quarter - first] as number), long };
}

function clipLong(index: number, start: number, end: number, value: number, fromMs: number, toMs: number): LongSample {
  const [partStart, partEnd] = [Math.max(start, fromMs), Math.min(end, toMs)];
  const part = takeShare(value, start, end, partStart, partEnd);
  return { index, start: partStart, end: partEnd, value: part, lengthMs: end - start };
}

/** An instant, and a sample that ends before it starts, ends at its start. */
export function endAt({ starts, ends }: SampleSeries, index: number): number {
  const start = starts[index] as number;
  return ends === null ? start : Math.max(start, ends[index] as number);
}

/** The part of an interval's value in [partStart, partEnd); an instant is never divided. */
export function takeShare(value: number, start: number, end: number, partStart: number, partEnd: number): number {
  return partEnd - partStart >= end - start ? value : (value * (partEnd - partStart)) / (end - start);
}

/** Calls back for every quarter hour that [start, end) touches; an instant touches one. */
export function spreadOverQuarterHours(
  start: number,
  end: number,
  visit: (quarter: number, partStart: number, partEnd: number) => void,
): void {
  let quarter = quarterHourOf(start);
  let partStart = start;
  for (let border = (quarter + 1) * QUARTER_HOUR_MS; border < end; border += QUARTER_HOUR_MS) {
    visit(quarter, partStart, border);
    partStart = border;
    quarter++;
  }
  visit(quarter, partStart, Math.max(partStart, end));
}
