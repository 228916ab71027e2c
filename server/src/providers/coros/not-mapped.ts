// Fields of COROS that could provide a metric of the catalog but are not used, with the reason. Listed in docs/providers.md.
import type { NotMappedField } from '../contract.ts';
import { metricIds } from '../metric-ids.ts';

export const NOT_MAPPED: readonly NotMappedField[] = [
  {
    resource: 'sport',
    field: 'avgSpeed',
    metrics: metricIds('running_speed cycling_speed'),
    reason: 'A pace or a speed by sport, in a unit that is not published, and the mean of a whole workout.',
  },
  {
    resource: 'sport',
    field: 'avgFrequency',
    metrics: metricIds('cycling_cadence'),
    reason: 'Steps, strokes or revolutions of the pedals by sport; the reference does not say which.',
  },
  {
    resource: 'sport',
    field: 'fitUrl',
    metrics: metricIds('heart_rate running_speed cycling_power'),
    reason: 'Recordings of workouts are not read.',
  },
  {
    resource: 'daily',
    field: 'hrvList',
    metrics: metricIds('heart_rate'),
    reason: 'Heart rates beside samples of variability; COROS does not say how often they are measured.',
  },
];
