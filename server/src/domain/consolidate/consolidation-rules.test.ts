import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { getMetricOrThrow, type MetricId } from '../metrics/index.ts';
import { CATEGORY_NAMES, CONSOLIDATION_KEYS, findConsolidationKey } from './consolidation-keys.ts';
import { changeSettings, createRules, isSameSettings, NO_SETTINGS } from './consolidation-rules.ts';

const metric = (id: string) => getMetricOrThrow(id as MetricId);

describe('consolidation keys', () => {
  it('are 32 metrics and 29 groups, by category; a member of a group has no key', () => {
    assert.equal(CONSOLIDATION_KEYS.filter(({ kind }) => kind === 'metric').length, 32);
    assert.equal(CONSOLIDATION_KEYS.filter(({ kind }) => kind === 'group').length, 29);
    assert.equal(findConsolidationKey('asleep'), null);
    assert.equal(findConsolidationKey('restorative_sleep'), null);
    const order = Object.keys(CATEGORY_NAMES);
    const indexes = CONSOLIDATION_KEYS.map(({ category }) => order.indexOf(category));
    assert.deepEqual(
      indexes,
      indexes.toSorted((a, b) => a - b),
    );
    assert.ok(!indexes.includes(-1));
  });

  it('merge by default if one of their metrics is stored as samples, and allow only the methods of their metrics', () => {
    assert.equal(findConsolidationKey('steps')?.defaultMethod, 'merge');
    assert.equal(findConsolidationKey('sleep_stages')?.defaultMethod, 'priority');
    assert.equal(findConsolidationKey('activity_time')?.defaultMethod, 'merge');
    assert.deepEqual(findConsolidationKey('heart_rate')?.allowedMethods, ['priority', 'avg', 'max']);
    for (const { allowedMethods, defaultMethod, key } of CONSOLIDATION_KEYS)
      assert.ok(allowedMethods.includes(defaultMethod), key);
  });
});

describe('settings', () => {
  it('change only the supplied fields, and null restores the default', () => {
    const first = changeSettings(NO_SETTINGS, {
      metrics: { steps: { method: 'max' }, sleep_stages: { providers: { oura: false } } },
      providers: { garmin: false },
    });
    const second = changeSettings(first, { metrics: { steps: { providers: { apple_health: false } } }, providers: {} });
    assert.deepEqual(second, {
      metrics: {
        sleep_stages: { method: null, providersOff: ['oura'] },
        steps: { method: 'max', providersOff: ['apple_health'] },
      },
      providersOff: ['garmin'],
    });
    const third = changeSettings(second, {
      metrics: {
        steps: { method: null, providers: { apple_health: true } },
        sleep_stages: { providers: { oura: true } },
      },
      providers: { garmin: true },
    });
    assert.ok(isSameSettings(third, NO_SETTINGS));
  });

  it('are equal whatever changes led to them', () => {
    const change = (key: string) => ({ metrics: { [key]: { method: 'max' as const } }, providers: {} });
    const one = changeSettings(changeSettings(NO_SETTINGS, change('steps')), change('distance'));
    const other = changeSettings(changeSettings(NO_SETTINGS, change('distance')), change('steps'));
    assert.ok(isSameSettings(one, other));
    const stored = { providersOff: [], metrics: { steps: one.metrics.steps, distance: one.metrics.distance } };
    assert.ok(isSameSettings(stored as typeof one, one), 'as a database that orders keys differently returns it');
  });

  it('of a group apply to each of its metrics as far as the metric allows', () => {
    const rules = createRules(
      changeSettings(NO_SETTINGS, {
        metrics: { activity_time: { method: 'merge', providers: { oura: false } } },
        providers: { garmin: false },
      }),
    );
    assert.equal(rules.methodOf(metric('active_minutes')), 'merge');
    assert.equal(rules.methodOf(metric('stand_hours')), 'priority');
    assert.equal(rules.isEnabled(metric('active_minutes'), 'oura'), false);
    assert.equal(rules.isEnabled(metric('steps'), 'oura'), true);
    assert.equal(rules.isEnabled(metric('steps'), 'garmin'), false);
    assert.equal(rules.isProviderOn('garmin'), false);
  });
});
