// What each kind of document tells of its day, or of a time, without a record that keeps its id: when a document goes, these are
// what may go with it.
import type { MetricId } from '../../domain/metrics/index.ts';
import { metricIds } from '../metric-ids.ts';

const STATED: Readonly<Record<string, readonly MetricId[]>> = {
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

/** Heart rate variability is told by sleeps and by sessions: which of its samples went with a document cannot be said. */
export function statedBy(resource: string): readonly MetricId[] {
  return STATED[resource] ?? [];
}
