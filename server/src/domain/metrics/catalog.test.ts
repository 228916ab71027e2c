// Checks that the catalog is consistent: counts, keys, units, ranges.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CATEGORIES } from './categories.ts';
import { findMetric, METRICS } from './index.ts';
import { fromCatalogUnit, toCatalogUnit } from './units.ts';

const NAMED_BY_THE_SPECIFICATION = [
  'steps',
  'distance',
  'resting_heart_rate',
  'heart_rate',
  'heart_rate_variability',
  'heart_rate_variability_rmssd',
  'active_calories',
  'resting_energy',
  'blood_oxygen',
  'stress_score',
  'exercise',
  'asleep',
  'deep_sleep',
  'weight',
  'lean_body_mass',
  'sleep_body_temperature',
  'sleep_skin_temperature',
  'running',
  'cycling',
  'swimming',
  'recovery_score',
  'strain_score',
  'sleep_score',
  'nutrition_score',
  'energy_reserve_score',
];

describe('the data catalog', () => {
  it('has 178 metrics with unique ids', () => {
    assert.equal(METRICS.length, 178);
    assert.equal(new Set(METRICS.map((metric) => metric.id)).size, 178);
  });

  it('has every metric of the specification', () => {
    for (const id of NAMED_BY_THE_SPECIFICATION) assert.ok(findMetric(id), id);
  });

  it('has 32 keys of single metrics and 29 groups, and no group has the name of a metric', () => {
    const groups = new Set(
      METRICS.flatMap(({ consolidation }) => (consolidation.by === 'group' ? [consolidation.group] : [])),
    );
    assert.equal(METRICS.filter(({ consolidation }) => consolidation.by === 'own').length, 32);
    assert.equal(groups.size, 29);
    for (const group of groups) assert.equal(findMetric(group), null, group);
  });

  it('allows the same methods for all members of a group, except merge', () => {
    const grouped = Map.groupBy(METRICS, ({ consolidation }) =>
      consolidation.by === 'group' ? consolidation.group : null,
    );
    for (const [group, members] of grouped) {
      if (group === null) continue;
      const allowed = new Set(
        members.map((metric) => metric.allowedMethods.filter((method) => method !== 'merge').join()),
      );
      assert.equal(allowed.size, 1, group);
    }
  });

  it('serves exactly the six series of the specification', () => {
    const ids = METRICS.filter((metric) => metric.samples === 'public').map((metric) => metric.id as string);
    assert.deepEqual(ids.sort(), [
      'active_calories',
      'blood_oxygen',
      'heart_rate',
      'heart_rate_variability',
      'steps',
      'stress_score',
    ]);
  });

  it('merges totals that are stored as samples and takes one device for the rest', () => {
    assert.equal(findMetric('steps')?.defaultMethod, 'merge');
    assert.equal(findMetric('exercise')?.defaultMethod, 'merge');
    assert.equal(findMetric('stand_hours')?.defaultMethod, 'priority');
    assert.equal(findMetric('heart_rate')?.defaultMethod, 'priority');
    for (const metric of METRICS) assert.ok(metric.allowedMethods.includes(metric.defaultMethod), metric.id);
  });

  it('has usual ranges within the limits, and uses every category', () => {
    for (const { id, limits, usual } of METRICS) assert.ok(limits.min <= usual.min && usual.max <= limits.max, id);
    assert.deepEqual([...new Set(METRICS.map((metric) => metric.category))].sort(), [...CATEGORIES].sort());
  });

  it('converts every accepted and every imperial unit there and back', () => {
    for (const metric of METRICS) {
      for (const unit of [...metric.acceptedUnits, metric.imperialUnit]) {
        const value = (metric.limits.min + metric.limits.max) / 3;
        const there = fromCatalogUnit(metric.id, value, metric.unit, unit);
        assert.ok(
          Math.abs(toCatalogUnit(metric.id, there, unit, metric.unit) - value) < 1e-9 * Math.max(1, Math.abs(value)),
          `${metric.id} ${unit}`,
        );
      }
    }
  });

  it('converts known examples exactly', () => {
    assert.equal(fromCatalogUnit('distance', 1.609344, 'km', 'mi'), 1);
    assert.equal(fromCatalogUnit('body_temperature', 37, '°C', '°F'), 98.60000000000001);
    assert.equal(fromCatalogUnit('skin_temperature_deviation', 1, '°C', '°F'), 1.8);
    assert.equal(toCatalogUnit('blood_oxygen', 0.97, 'fraction', '%'), 97);
    assert.equal(toCatalogUnit('heart_rate', 1, 'Hz', 'bpm'), 60);
    assert.equal(toCatalogUnit('weight', 1, 'lb', 'kg'), 0.45359237);
    assert.equal(Math.round(fromCatalogUnit('blood_glucose', 5.5, 'mmol/L', 'mg/dL')), 99);
  });
});
