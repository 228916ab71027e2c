// What no public source says about Suunto's fields. Each part is off until the operator enables it.
import type { PartCoverage, UnconfirmedPart } from '../contract.ts';
import { metricIds } from '../metric-ids.ts';

/** Whether the variability is RMSSD: `AvgHRV` of a sleep and `HRV` of an activity sample. */
export const HRV = 'hrv';
/** Whether daily energy includes energy at rest. */
export const ENERGY = 'energy';
/** The interval that the steps of an activity sample cover. */
export const INTERVALS = 'activity_intervals';

export const UNCONFIRMED: readonly UnconfirmedPart[] = [
  {
    part: HRV,
    reason: 'AvgHRV and HRV are read as RMSSD, but Suunto does not say which kind of variability they are.',
  },
  {
    part: ENERGY,
    reason:
      'The daily energyconsumption is read as total energy, but Suunto does not say whether it includes energy at rest.',
  },
  {
    part: INTERVALS,
    reason:
      'StepCount of a 24/7 sample is read as the steps of the ten minutes after its timestamp, which Suunto does not state.',
  },
];

export const PART_COVERAGE: readonly PartCoverage[] = [
  {
    parts: [HRV],
    metrics: metricIds('heart_rate_variability_rmssd'),
    sleepVitals: ['sleep_heart_rate_variability'],
  },
  { parts: [ENERGY], metrics: metricIds('total_calories') },
];
