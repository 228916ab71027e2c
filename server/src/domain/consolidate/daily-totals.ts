// One device's value of each local day from its samples (gap G-35). A day without samples has no value; a measured 0 is
// a value.

import type { ValueKind } from '../metrics/metric.ts';
import type { LocalDate } from '../time/calendar.ts';
import { type Day, splitAtMidnights, type Zone } from '../time/day.ts';
import { endAt, type SampleSeries, takeShare } from '../time/quarter-hours.ts';
import { meanDays } from './day-mean.ts';

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
      return meanDays(samples, zone);
    case 'last':
      return foldDays(samples, zone, (_, value) => value);
    case 'min':
      return foldDays(samples, zone, Math.min);
    case 'max':
      return foldDays(samples, zone, Math.max);
    case 'peak':
      return percentileDays(samples, zone);
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

/** Samples are sorted by start, so the latest comes last. */
function foldDays(
  { starts, values }: SampleSeries,
  zone: Zone,
  fold: (before: number, value: number) => number,
): DailyTotals {
  const totals = new Map<LocalDate, number>();
  let day: Day | null = null;
  let total = 0;
  for (let index = 0; index < starts.length; index++) {
    const start = starts[index] as number;
    const value = values[index] as number;
    if (day !== null && start >= day.start && start < day.end) {
      total = fold(total, value);
      continue;
    }
    if (day !== null) totals.set(day.date, total);
    day = zone.dayAt(start);
    total = value;
  }
  if (day !== null) totals.set(day.date, total);
  return totals;
}

const PEAK_PART = 0.999;

/** The 99.9th percentile of each day by nearest rank; the maximum of up to a thousand samples. */
function percentileDays({ starts, values }: SampleSeries, zone: Zone): DailyTotals {
  const percentiles = new Map<LocalDate, number>();
  let from = 0;
  while (from < starts.length) {
    const day = zone.dayAt(starts[from] as number);
    let to = from + 1;
    while (to < starts.length && (starts[to] as number) < day.end) to += 1;
    percentiles.set(day.date, findPercentile(values, from, to));
    from = to;
  }
  return percentiles;
}

/** Keeps only the highest thousandth of the samples. */
function findPercentile(values: ArrayLike<number>, from: number, to: number): number {
  const count = to - from;
  const kept = count - Math.ceil(PEAK_PART * count) + 1;
  const highest: number[] = []; // ascending
  for (let index = from; index < to; index += 1) {
    const value = values[index] as number;
    if (highest.length === kept && value <= (highest[0] as number)) continue;
    let position = highest.length;
    while (position > 0 && (highest[position - 1] as number) > value) position -= 1;
    highest.splice(position, 0, value);
    if (highest.length > kept) highest.shift();
  }
  return highest[0] ?? Number.NaN;
}
