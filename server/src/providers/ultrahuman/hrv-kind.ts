// No public source says how Ultrahuman computes its heart-rate variability, and the two kinds must never be mixed. The operator
// decides, or it is not read.
import type { HrvKind } from '../../domain/records/records.ts';
import type { MapContext, PartCoverage, UnconfirmedPart } from '../contract.ts';
import { metricIds } from '../metric-ids.ts';

const reason = (kind: string) =>
  `Ultrahuman does not say how it computes heart-rate variability. If enabled, its values are stored as ${kind}.`;

export const HRV_PARTS: readonly UnconfirmedPart[] = [
  { part: 'hrv_rmssd', reason: reason('RMSSD') },
  { part: 'hrv_sdnn', reason: reason('SDNN') },
];

const sleepVitals = ['sleep_heart_rate_variability'] as const;

export const HRV_COVERAGE: readonly PartCoverage[] = [
  { parts: ['hrv_rmssd'], unless: 'hrv_sdnn', metrics: metricIds('heart_rate_variability_rmssd'), sleepVitals },
  { parts: ['hrv_sdnn'], unless: 'hrv_rmssd', metrics: metricIds('heart_rate_variability'), sleepVitals },
];

/** Null: not read, also if both are enabled. */
export function enabledHrvKind({ parts }: MapContext): HrvKind | null {
  const isRmssd = parts?.has('hrv_rmssd') === true;
  const isSdnn = parts?.has('hrv_sdnn') === true;
  if (isRmssd === isSdnn) return null;
  return isRmssd ? 'rmssd' : 'sdnn';
}
