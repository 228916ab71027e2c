// Documented fields of Google Health that a metric of the catalog could be read from, and why they are not. Shown in docs/providers.md.
import type { NotMappedField } from '../contract.ts';
import { metricIds } from '../metric-ids.ts';

export const NOT_MAPPED: readonly NotMappedField[] = [
  {
    resource: 'active-zone-minutes',
    field: 'activeZoneMinutes',
    metrics: metricIds('intensity_minutes'),
    reason: 'Computed here from moderate and vigorous minutes.',
  },
  {
    resource: 'daily-oxygen-saturation',
    field: 'lowerBoundPercentage',
    metrics: metricIds('blood_oxygen_min'),
    reason: 'A bound of confidence and not the lowest value.',
  },
  {
    resource: 'time-in-heart-rate-zone',
    field: 'LIGHT',
    metrics: metricIds('heart_rate_zone_1_time'),
    reason: 'Below zone 1: it holds all of the day that is spent at rest.',
  },
  {
    resource: 'respiratory-rate-sleep-summary',
    field: 'deepSleepStats, lightSleepStats, remSleepStats',
    metrics: metricIds('respiratory_rate'),
    reason: 'Parts of `fullSleepStats`.',
  },
  {
    resource: 'exercise',
    field: 'metricsSummary.runVo2Max',
    metrics: metricIds('vo2_max'),
    reason: '`run-vo2-max` has the same value with its time.',
  },
  {
    resource: 'nutrition-log',
    field: 'nutrients: FOLIC_ACID',
    metrics: metricIds('folate'),
    reason: 'One form of folate; `FOLATE` is all of it.',
  },
  {
    resource: 'floors',
    field: 'count',
    metrics: metricIds('floors_climbed'),
    reason: '`floors-rollup` has the days, added up by Google over all sources.',
  },
  {
    resource: 'altitude',
    field: 'gainMillimeters',
    metrics: metricIds('elevation_gain'),
    reason: '`altitude-rollup` has the days, added up by Google over all sources.',
  },
  {
    resource: 'irregular-rhythm-notification',
    field: 'alertWindows',
    metrics: metricIds('irregular_rhythm_events'),
    reason: 'Needs a scope of its own that Google grants after a separate review.',
  },
  {
    resource: 'electrocardiogram',
    field: 'resultClassification',
    metrics: metricIds('irregular_rhythm_events'),
    reason: 'Needs a scope of its own that Google grants after a separate review.',
  },
];
