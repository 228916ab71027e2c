// Documented fields of Concept2 that could provide a metric of the catalog but are not used, with the reason. Listed in docs/providers.md.
import type { NotMappedField } from '../contract.ts';
import { metricIds } from '../metric-ids.ts';

export const NOT_MAPPED: readonly NotMappedField[] = [
  {
    resource: 'users/me',
    field: 'weight',
    metrics: metricIds('weight'),
    reason: 'A setting of the profile without a time, not a measurement.',
  },
  {
    resource: 'users/me',
    field: 'max_heart_rate',
    metrics: metricIds('heart_rate_max'),
    reason: 'A setting of the profile, not the highest heart rate of a day.',
  },
  {
    resource: 'results',
    field: 'heart_rate.recovery',
    metrics: metricIds('heart_rate_recovery'),
    reason: 'The heart rate after a rest of any length; the metric is the drop within one minute.',
  },
  {
    resource: 'results',
    field: 'wattminutes_total',
    metrics: metricIds('cycling_power'),
    reason: 'Work of the whole workout; strokes have no power.',
  },
  {
    resource: 'results',
    field: 'stroke_count',
    metrics: metricIds('swimming_strokes'),
    reason: 'Strokes on a machine.',
  },
];
