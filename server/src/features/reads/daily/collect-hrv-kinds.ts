// Collects the HRV kind of each value of a heart rate variability column. Pure.
import { parseHrvKind } from '../../../domain/consolidate/day-notes.ts';
import { hrvKindOf, isHrv } from '../../../domain/metrics/hrv-kind.ts';
import { type Metric, metricNumberOf } from '../../../domain/metrics/index.ts';
import { type MonthNumber, type OpenedSheet, readNotes } from '../../../domain/packed/month-sheets/index.ts';
import type { HrvKind } from '../../../domain/records/records.ts';
import type { MonthPart } from './collect-series.ts';

/** One kind per date. Null: another metric, or no day has a value. */
export function collectHrvKinds(
  months: ReadonlyMap<MonthNumber, OpenedSheet>,
  parts: readonly MonthPart[],
  metric: Metric,
  values: Float64Array | null,
): readonly (HrvKind | null)[] | null {
  if (values === null || !isHrv(metric)) return null;
  const fixed = hrvKindOf(metric);
  if (fixed !== null) return Array.from(values, (value) => (Number.isNaN(value) ? null : fixed));
  return parts.flatMap(({ month, firstDay, days }) => {
    const sheet = months.get(month);
    const notes = sheet === undefined ? [] : readNotes(sheet, metricNumberOf(metric.id));
    return Array.from({ length: days }, (_, index) => parseHrvKind(notes[firstDay + index] ?? ''));
  });
}
