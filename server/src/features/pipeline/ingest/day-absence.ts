// The reasons why a metric has no value on a day.
import type { DayCandidate } from '../../../domain/consolidate/day-value.ts';
import { DERIVED_METRICS } from '../../../domain/metrics/derived-metrics.ts';
import { GLUCOSE_SUMMARIES } from '../../../domain/metrics/glucose-metrics.ts';
import type { Metric } from '../../../domain/metrics/index.ts';
import type { ExplainedRecord } from './explain-records.ts';

export const DAY_ABSENCES = {
  no_data: 'No device reported anything for this metric on this day.',
  not_reported: 'The sleep or workout records of this day do not contain this value.',
  not_used: 'Records or devices have this value, but none of them is used. See records and candidates.',
  disabled: 'Every provider that has this value is disabled for this metric.',
  too_few_readings:
    'Fewer than 70 % of the quarter hours of this day have a reading of a continuous glucose monitor. Manual entries do not count.',
  missing_inputs: 'The value is computed from other values, and at least one of them is missing.',
} as const;
export type DayAbsence = keyof typeof DAY_ABSENCES;

/** For a day without a value. */
export function findDayAbsence(
  metric: Metric,
  candidates: readonly DayCandidate[],
  records: readonly ExplainedRecord[],
  hasSamples: boolean,
): DayAbsence {
  const isAnyEnabled = candidates.some(({ isEnabled }) => isEnabled);
  const isAnyRecordEnabled = records.some(({ outcome, value }) => outcome !== 'disabled' && value !== null);
  if (DERIVED_METRICS.includes(metric.id) && candidates.length === 0) return 'missing_inputs';
  if (GLUCOSE_SUMMARIES.includes(metric.id) && candidates.length === 0 && hasSamples) return 'too_few_readings';
  if (isAnyEnabled || isAnyRecordEnabled) return 'not_used';
  if (candidates.length > 0 || records.some(({ outcome }) => outcome === 'disabled')) return 'disabled';
  return records.length > 0 ? 'not_reported' : 'no_data';
}
