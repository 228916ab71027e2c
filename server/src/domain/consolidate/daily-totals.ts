// One device's value of each local day from its samples (gap G-35). A day without samples has no value; a measured 0 is
// a value.

import { findFirst } from '../find-first.ts';
import type { ValueKind } from '../metrics/metric.ts';
import type { LocalDate } from '../time/calendar.ts';
import { type Day, splitAtMidnights, type Zone } from '../time/day.ts';
import { endAt, type SampleSeries, takeShare } from '../time/quarter-hours.ts';
import { averageDay } from './day-mean.ts';

export type DailyTotals = ReadonlyMap<LocalDate, number>;

/** The daily value that the device reported, or else the one computed from its samples. */
export function deviceDailyTotal(stated: number | null, fromSamples: number | null): number | null {
  return stated ?? fromSamples;
}

export function totalDays(kind: ValueKind, samples: SampleSeries, zone: Zone): DailyTotals {
  switch (kind) {
    case 'sum':
    case 'duration':
      return sumDays(samples, zone);
    case 'mean':
      return mapDays(samples, zone, averageDay);
    case 'last':
      return mapDays(samples, zone, takeLast);
    case 'min':
      return mapDays(samples, zone, findLeast);
    case 'max':
      return mapDays(samples, zone, findLargest);
    case 'peak':
      return mapDays(samples, zone, findPeak);
  }
}

/** Intervals that cross midnight are split pro rata. */
function sumDays(samples: SampleSeries, zone: Zone): DailyTotals {
  const totals = new Map<LocalDate, number>();
  const add = (date: LocalDate, part: number) => totals.set(date, (totals.get(date) ?? 0) + part);
  let day: Day | null = null;
  let sum = 0;
  for (let index = 0; index < samples.starts.length; index++) {
    const start = samples.starts[index] as number;
    const end = endAt(samples, index);
    const value = samples.values[index] as number;
    const startDay = zone.dayAt(start);
    if (startDay !== day) {
      if (day !== null) add(day.date, sum);
      day = startDay;
      sum = 0;
    }
    if (end <= startDay.end) {
      sum += value;
    } else {
      for (const part of splitAtMidnights(zone, start, end)) {
        const share = takeShare(value, start, end, part.start, part.end);
        if (part.date === startDay.date) sum += share;
        else add(part.date, share);
      }
    }
  }
  if (day !== null) add(day.date, sum);
  return totals;
}

type OfDay = (samples: SampleSeries, from: number, to: number, day: Day) => number;

/** One value for each day on which samples begin: those from one index up to another, which is excluded. */
function mapDays(samples: SampleSeries, zone: Zone, ofDay: OfDay): DailyTotals {
  const { starts } = samples;
  const totals = new Map<LocalDate, number>();
  for (let from = 0; from < starts.length; ) {
    const day = zone.dayAt(starts[from] as number);
    const to = findFirst(starts.length, (index) => (starts[index] as number) >= day.end, from + 1);
    totals.set(day.date, ofDay(samples, from, to, day));
    from = to;
  }
  return totals;
}

/** Samples are sorted by start, so the latest comes last. */
function takeLast({ values }: SampleSeries, _from: number, to: number): number {
  return values[to - 1] as number;
}

function findLeast({ values }: SampleSeries, from: number, to: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let index = from; index < to; index += 1) least = Math.min(least, values[index] as number);
  return least;
}

function findLargest({ values }: SampleSeries, from: number, to: number): number {
  let largest = Number.NEGATIVE_INFINITY;
  for (let index = from; index < to; index += 1) largest = Math.max(largest, values[index] as number);
  return largest;
}

const PEAK_PART = 0.999;

/** The 99.9th percentile by nearest rank; the maximum of up to a thousand samples. Keeps only the highest thousandth. */
function findPeak({ values }: SampleSeries, from: number, to: number): number {
  const count = to - from;
  const kept = count - Math.ceil(PEAK_PART * count) + 1;
  const highest: number[] = []; // ascending
  let least = Number.NEGATIVE_INFINITY; // of the highest, once there are enough
  for (let index = from; index < to; index += 1) {
    const value = values[index] as number;
    if (value <= least) continue;
    let position = highest.length;
    while (position > 0 && (highest[position - 1] as number) > value) position -= 1;
    highest.splice(position, 0, value);
    if (highest.length > kept) highest.shift();
    if (highest.length === kept) least = highest[0] as number;
  }
  return highest[0] ?? Number.NaN;
}
