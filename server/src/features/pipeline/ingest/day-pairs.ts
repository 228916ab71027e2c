// Sets of (metric, day) pairs, such as those that a change touched.

import type { MetricId } from '../../../domain/metrics/index.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import type { Zone } from '../../../domain/time/day.ts';

export type DayPairs = Map<MetricId, Set<LocalDate>>;

export function addPair(pairs: DayPairs, metric: MetricId, date: LocalDate): void {
  pairs.getOrInsertComputed(metric, () => new Set<LocalDate>()).add(date);
}

export function addDates(pairs: DayPairs, metric: MetricId, dates: Iterable<LocalDate>): void {
  const known = pairs.get(metric);
  if (known === undefined) pairs.set(metric, new Set(dates));
  else for (const date of dates) known.add(date);
}

export function addPairs(pairs: DayPairs, more: DayPairs): void {
  for (const [metric, dates] of more) addDates(pairs, metric, dates);
}

export function joinPairs(pairs: DayPairs, more: DayPairs): DayPairs {
  const joined: DayPairs = new Map();
  addPairs(joined, pairs);
  addPairs(joined, more);
  return joined;
}

export function filterPairs(pairs: DayPairs, isWanted: (metric: MetricId) => boolean): DayPairs {
  return new Map([...pairs].filter(([metric]) => isWanted(metric)));
}

/** Every local day that overlaps [fromMs, toMs], both ends included. */
export function* listDatesWithin(zone: Zone, fromMs: number, toMs: number): Generator<LocalDate> {
  for (let day = zone.dayAt(fromMs); day.start <= toMs; day = zone.dayAt(day.end)) yield day.date;
}

export function listDatesOf(pairs: DayPairs): Set<LocalDate> {
  const dates = new Set<LocalDate>();
  for (const ofMetric of pairs.values()) for (const date of ofMetric) dates.add(date);
  return dates;
}
