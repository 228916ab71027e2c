// The metrics that summarize a day of a continuous glucose monitor (CGM): shares of readings, and their variability.
import type { MetricId } from './metric.ts';

export const BLOOD_GLUCOSE = 'blood_glucose' as MetricId;
export const TIME_IN_RANGE = 'glucose_time_in_range' as MetricId;
export const TIME_BELOW_RANGE = 'glucose_time_below_range' as MetricId;
export const TIME_ABOVE_RANGE = 'glucose_time_above_range' as MetricId;
const GLUCOSE_VARIABILITY = 'glucose_variability' as MetricId;

export const GLUCOSE_SUMMARIES: readonly MetricId[] = [
  TIME_IN_RANGE,
  TIME_BELOW_RANGE,
  TIME_ABOVE_RANGE,
  GLUCOSE_VARIABILITY,
];

/** International consensus on time in range (Battelino et al., 2019): 3.9 to 10.0 mmol/L, both included. */
const RANGE_MG_DL = { min: 70, max: 180 };

/**
 * Compared as whole mg/dL, so that 70 mg/dL, 3.9 mmol/L and 70 mg/dL converted to mmol/L (3.8855) are the same reading.
 */
export function placeInRange(mgDl: number): 'below' | 'in' | 'above' {
  const whole = Math.round(mgDl);
  if (whole < RANGE_MG_DL.min) return 'below';
  return whole > RANGE_MG_DL.max ? 'above' : 'in';
}
