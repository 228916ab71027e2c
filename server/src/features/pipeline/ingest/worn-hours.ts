// Hours in which devices were worn, that is, measured a heart rate. They decide whether a zero of one device counts against another
// device in merged totals, and are read only for days with such a conflict.

import { openWornHours } from '../../../domain/consolidate/index.ts';
import { getMetricOrThrow, METRICS, type Metric, type MetricId } from '../../../domain/metrics/index.ts';
import type { DeviceNumber } from '../../../domain/tenancy.ts';
import { joinDates, type LocalDate } from '../../../domain/time/calendar.ts';
import type { ConsolidationContext } from './consolidation-context.ts';
import { addPair, addPairs, type DayPairs } from './day-pairs.ts';

/** Undefined: worn hours do not affect that day. */
export type WornHours = (device: DeviceNumber, date: LocalDate) => ReadonlySet<number> | undefined;

const HEART_RATE = 'heart_rate' as MetricId;

/** `listContested` returns the dates whose heart rates can change a day. One query, and none for most days. */
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
  const wornHours = openWornHours(heartRates, zone);
  const known = new Map<string, ReadonlySet<number>>();
  return (device, date) => {
    if (!needed.has(date)) return undefined;
    return known.getOrInsertComputed(`${device} ${date}`, () => wornHours(device, date));
  };
}

/**
 * Changed heart rates can change how zeros of their device count: adds the totals that the device shares with another device on these
 * days. Loads their months.
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
      if (!context.rules.isMerged(metric)) continue;
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
  if (days.deviceValue(device, metric, date) === null) return false;
  return devices.some(({ number }) => number !== device && days.deviceValue(number, metric, date) !== null);
}
