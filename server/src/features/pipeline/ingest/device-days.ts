// The normalized value of each device and day: the device's stated daily total, or else the total of its samples, or else the value from
// its sleeps and workouts.

import {
  type DeviceDayNote,
  formatDeviceDayNote,
  isOfWholeDay,
  parseDeviceDayNote,
} from '../../../domain/consolidate/day-notes.ts';
import { GLUCOSE_SUMMARIES } from '../../../domain/metrics/glucose-metrics.ts';
import { getMetricOrThrow, type Metric, type MetricId } from '../../../domain/metrics/index.ts';
import { DERIVED_FROM_SAMPLES_OF, SLEEP_METRICS, WORKOUT_METRICS } from '../../../domain/metrics/session-metrics.ts';
import type { Cell } from '../../../domain/packed/month-sheets/index.ts';
import type { DailyValue } from '../../../domain/records/records.ts';
import type { DeviceNumber } from '../../../domain/tenancy.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import type { SourceDevice } from '../../store/devices/index.ts';
import type { DayBuffer } from './day-buffer.ts';
import type { DeviceTotal, SampleDays } from './sample-days.ts';
import type { SessionDays } from './session-days.ts';

type StatedResult = {
  readonly added: number;
  readonly replaced: number;
  /** Stored already with the same value. */
  readonly equal: number;
  /** The added and replaced values. */
  readonly changed: readonly DailyValue[];
};

/** The caller has loaded the months of the values. */
export function setStated(days: DayBuffer, device: DeviceNumber, values: readonly DailyValue[]): StatedResult {
  const result = { added: 0, replaced: 0, equal: 0, changed: [] as DailyValue[] };
  for (const stated of values) {
    const { metric, date, value, unit, method, isImported = false } = stated;
    const before = days.deviceValue(device, metric, date);
    const wasStated = before !== null && isOfWholeDay(parseDeviceDayNote(before.note).origin);
    const origin = isImported ? 'imported' : 'stated';
    const isChanged = days.setDeviceValue(device, metric, date, toCell({ value, unit }, { origin, method }));
    if (isChanged) result.changed.push(stated);
    if (!isChanged) result.equal += 1;
    else if (wasStated) result.replaced += 1;
    else result.added += 1;
  }
  return result;
}

/** False: the device has no stated value on that day. */
export function unsetStated(days: DayBuffer, device: DeviceNumber, metric: MetricId, date: LocalDate): boolean {
  const before = days.deviceValue(device, metric, date);
  if (before === null || !isOfWholeDay(parseDeviceDayNote(before.note).origin)) return false;
  return days.setDeviceValue(device, metric, date, null);
}

export type DayFacts = {
  readonly samples: SampleDays;
  readonly sleep: SessionDays;
  readonly workouts: SessionDays;
};

/** Recomputes a device's value of a day, unless the device stated it. */
export function refreshDeviceDay(
  days: DayBuffer,
  facts: DayFacts,
  device: DeviceNumber,
  metricId: MetricId,
  date: LocalDate,
): void {
  const before = days.deviceValue(device, metricId, date);
  if (before !== null && isOfWholeDay(parseDeviceDayNote(before.note).origin)) return;
  const metric = getMetricOrThrow(metricId);
  days.setDeviceValue(
    device,
    metricId,
    date,
    cellOfSamples(facts.samples, metric, device, date) ?? cellOfSessions(facts, metric, device, date),
  );
}

function cellOfSamples(samples: SampleDays, metric: Metric, device: DeviceNumber, date: LocalDate): Cell | null {
  const total = GLUCOSE_SUMMARIES.includes(metric.id)
    ? samples.glucoseSummary(metric, device, date)
    : totalSamples(samples, metric, device, date);
  return total === null ? null : toCell(total, { origin: 'samples', method: 'unknown' });
}

function totalSamples(samples: SampleDays, metric: Metric, device: DeviceNumber, date: LocalDate): DeviceTotal | null {
  const parent = DERIVED_FROM_SAMPLES_OF.get(metric.id);
  return (
    samples.total(metric.id, metric, device, date) ??
    (parent === undefined ? null : samples.total(parent, metric, device, date))
  );
}

/**
 * What the device contributes where only its sessions count and its stored value is not theirs: the device stated
 * another, or none of its sessions is the night of that day. Null: the stored value, or nothing.
 */
export function findSessionValue(
  days: DayBuffer,
  facts: DayFacts,
  metric: MetricId,
  date: LocalDate,
  device: SourceDevice,
): number | null {
  const cell = days.deviceValue(device.number, metric, date);
  if (cell !== null && parseDeviceDayNote(cell.note).origin === 'sessions') return null;
  const ofDay = findSessions(facts, metric)?.get(date);
  const own = ofDay?.deviceValues.get(device.number)?.get(metric);
  return own ?? ofDay?.canonical.get(metric)?.amounts?.get(device.id) ?? null;
}

/** Derived metrics have no device value: they are computed from canonical values. */
function cellOfSessions(facts: DayFacts, metric: Metric, device: DeviceNumber, date: LocalDate): Cell | null {
  if (metric.consolidation.by === 'derived') return null;
  const value = findSessions(facts, metric.id)?.get(date)?.deviceValues.get(device)?.get(metric.id);
  return value === undefined ? null : toCell({ value, unit: metric.unit }, { origin: 'sessions', method: 'unknown' });
}

/** Null: the metric does not come from sessions. */
export function findSessions({ sleep, workouts }: DayFacts, metric: MetricId): SessionDays | null {
  if (SLEEP_METRICS.has(metric)) return sleep;
  return WORKOUT_METRICS.has(metric) ? workouts : null;
}

function toCell({ value, unit }: DeviceTotal, { origin, method }: Pick<DeviceDayNote, 'origin' | 'method'>): Cell {
  return { value, note: formatDeviceDayNote({ origin, method, unit }) };
}
