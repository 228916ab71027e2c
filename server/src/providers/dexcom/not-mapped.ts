// Documented fields of Dexcom that could provide a metric of the catalog but are not used, with the reason. Listed in docs/providers.md.
import type { NotMappedField } from '../contract.ts';
import { metricIds } from '../metric-ids.ts';

export const NOT_MAPPED: readonly NotMappedField[] = [
  {
    resource: 'calibrations',
    field: 'value',
    metrics: metricIds('blood_glucose'),
    reason: 'A fingerstick that adjusts the sensor; it would mix with the readings of the sensor.',
  },
  {
    resource: 'events',
    field: 'eventType bloodGlucose',
    metrics: metricIds('blood_glucose'),
    reason: 'A fingerstick that the user typed in; it would mix with the readings of the sensor.',
  },
  {
    resource: 'events',
    field: 'eventType exercise',
    metrics: metricIds('exercise workout_count'),
    reason:
      'Minutes that the user estimated; whether the time is the start of the exercise or of the entry is not documented.',
  },
  {
    resource: 'events',
    field: 'eventType health, eventSubType alcohol',
    metrics: metricIds('alcoholic_drinks'),
    reason: 'Says that the user drank, not how much.',
  },
];
