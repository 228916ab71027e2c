import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DERIVED_METRICS, deriveMetric } from './derived-metrics.ts';
import { findMetric, type MetricId } from './index.ts';
import { SLEEP_METRICS, WORKOUT_METRICS } from './session-metrics.ts';

const derive = (id: string, values: Record<string, number>) =>
  deriveMetric(id as MetricId, (name) => values[name] ?? null);

describe('metrics derived from other metrics', () => {
  it('add up', () => {
    assert.equal(derive('restorative_sleep', { deep_sleep: 90, REM: 100 }), 190);
    assert.equal(derive('sleep_midpoint', { sleep_start: -60, sleep_end: 420 }), 180);
    assert.equal(derive('total_calories', { active_calories: 500, resting_energy: 1_700 }), 2_200);
    assert.equal(derive('energy_balance', { dietary_energy: 2_000, total_calories: 2_200 }), -200);
    assert.equal(derive('intensity_minutes', { moderate_activity: 20, vigorous_activity: 10 }), 40);
    assert.equal(derive('intensity_minutes', { vigorous_activity: 10 }), 20);
    assert.equal(derive('body_fat_mass', { weight: 80, body_fat_percentage: 22.5 }), 18);
  });

  it('are missing if a part is missing, but not if a part is a measured 0', () => {
    assert.equal(derive('restorative_sleep', { deep_sleep: 90 }), null);
    assert.equal(derive('restorative_sleep', { deep_sleep: 0, REM: 0 }), 0);
    assert.equal(derive('total_calories', { active_calories: 500 }), null);
    assert.equal(derive('intensity_minutes', {}), null);
    assert.equal(derive('body_fat_mass', { weight: 80 }), null);
    assert.equal(derive('body_fat_mass', { body_fat_percentage: 22.5 }), null);
    assert.equal(derive('steps', { steps: 1 }), null);
  });

  it('are all in the catalog', () => {
    for (const id of [...DERIVED_METRICS, ...SLEEP_METRICS, ...WORKOUT_METRICS]) assert.ok(findMetric(id), id);
    const reported = ['body_fat_mass']; // reported by scales: the rule applies to days without one
    for (const id of DERIVED_METRICS)
      assert.equal(findMetric(id)?.consolidation.by, reported.includes(id) ? 'group' : 'derived', id);
  });
});
