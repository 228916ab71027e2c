// Evidence that devices were worn, for the zeros of totals that are merged: hours in which they measured a heart rate. It is read
// only for days on which it decides: a zero of one device stands against the count of another.

import { listHours } from '../../../domain/consolidate/index.ts';
import { getMetricOrThrow, isAdditive, METRICS, type Metric, type MetricId } from '../../../domain/metrics/index.ts';
import type { DeviceNumber } from '../../../domain/tenancy.ts';
import { joinDates, type LocalDate } from '../../../domain/time/calendar.ts';
import type { ConsolidationContext } from './consolidation-context.ts';
import { addPair, addPairs, type DayPairs } from './day-pairs.ts';

/** Undefined: it decides nothing there. */
export type WornHours = (device: DeviceNumber, date: LocalDate) => ReadonlySet<number> | undefined;

const HEART_RATE = 'heart_rate' as MetricId;

/** `listContested` gives the dates whose heart rates can change a day. One query, and none on most days. */
export async function readWornHours(
  { zone, samples }: ConsolidationContext,
  merged: DayPairs,
  listContested: (metric: Metric, date: LocalDate) => readonly LocalDate[],
): Promise<WornHours> {
  const needed = new Set<LocalDate>();
  for (const [id, dates] of merged)
    for (const date of dates) for (const contested of listContested(getMetricOrThrow(id), date)) needed.add(contested);
  if (needed.size === 0) return () => undefined;
  const requests = joinDates(needed).map(({ from, to }) => ({
    metric: HEART_RATE,
    fromMs: zone.dayOf(from).start,
    toMs: zone.dayOf(to).end,
  }));
  const heartRates = (await samples.read(requests)).get(HEART_RATE);
  const known = new Map<string, ReadonlySet<number>>();
  return (device, date) => {
    if (!needed.has(date)) return undefined;
    const { start, end } = zone.dayOf(date);
    const starts = heartRates?.get(device)?.starts ?? [];
    return known.getOrInsertComputed(`${device} ${date}`, () => listHours(starts, start, end));
  };
}

export function isMerged({ rules }: ConsolidationContext, metric: Metric): boolean {
  return isAdditive(metric) && rules.methodOf(metric) === 'merge';
}

/**
 * Heart rates that came or went can decide about zeros of their device: the totals that it has on these days together with
 * another device. Their months are loaded.
 */
export async function addWornPairs(
  context: ConsolidationContext,
  samples: ReadonlyMap<DeviceNumber, DayPairs>,
  others: DayPairs,
): Promise<DayPairs> {
  const found: DayPairs = new Map();
  if (context.devices.length < 2) return others;
  for (const [device, ofDevice] of samples) {
    const dates = ofDevice.get(HEART_RATE);
    if (dates === undefined) continue;
    await context.days.load(dates);
    for (const metric of METRICS) {
      if (!isMerged(context, metric)) continue;
      for (const date of dates) if (isShared(context, metric.id, device, date)) addPair(found, metric.id, date);
    }
  }
  if (found.size === 0) return others;
  addPairs(found, others);
  return found;
}

function isShared(
  { devices, days }: ConsolidationContext,
  metric: MetricId,
  device: DeviceNumber,
  date: LocalDate,
): boolean {
  if (days.deviceValues(device, metric, date) === null) return false;
  return devices.some(({ number }) => number !== device && days.deviceValues(number, metric, date) !== null);
}
