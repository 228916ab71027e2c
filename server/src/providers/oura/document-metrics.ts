// The metrics that each kind of document reports without an id of their own: when a document is deleted, they may have to be
// deleted with it.
import type { MetricId } from '../../domain/metrics/index.ts';
import { metricIds } from '../metric-ids.ts';

const DOCUMENT_METRICS: Readonly<Record<string, readonly MetricId[]>> = {
  sleep: metricIds('sleep_heart_rate_min'),
  daily_activity:
    metricIds(`steps active_calories light_activity moderate_activity vigorous_activity sedentary_time average_met
    resting_energy met_minutes`),
  daily_readiness: metricIds('sleep_temperature_deviation'),
  daily_spo2: metricIds('sleep_blood_oxygen blood_oxygen breathing_disturbances'),
  daily_stress: metricIds('stress_time_high stress_time_rest'),
  session: metricIds('mindfulness'),
  vo2_max: metricIds('vo2_max'),
  daily_cardiovascular_age: metricIds('pulse_wave_velocity'),
};

/** Sleeps and sessions both report heart rate variability, so we cannot see which samples belonged to a deleted document. */
export function metricsOfDocument(resource: string): readonly MetricId[] {
  return DOCUMENT_METRICS[resource] ?? [];
}
