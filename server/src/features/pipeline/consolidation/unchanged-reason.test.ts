import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changeSettings, NO_SETTINGS, type SettingsChange } from '../../../domain/consolidate/consolidation-rules.ts';
import type { MetricId } from '../../../domain/metrics/index.ts';
import { explainUnchanged } from './unchanged-reason.ts';

const MAX_STEPS: SettingsChange = { metrics: { steps: { method: 'max' } }, providers: {} };
const source = (device: number, provider: string, metric = 'steps') => ({
  metric: metric as MetricId,
  device,
  provider,
});
const explain = (change: SettingsChange, sources: Parameters<typeof explainUnchanged>[3]) =>
  explainUnchanged(NO_SETTINGS, changeSettings(NO_SETTINGS, change), change, sources);

describe('explainUnchanged', () => {
  it('reports settings that are in force already', () => {
    const change: SettingsChange = { metrics: { steps: { method: null } }, providers: {} };
    assert.equal(explain(change, [source(1, 'oura'), source(2, 'garmin')]), 'same_settings');
  });

  it('reports a metric without data', () => {
    assert.equal(explain(MAX_STEPS, [source(1, 'oura', 'weight')]), 'no_data');
  });

  it('reports a single source', () => {
    assert.equal(explain(MAX_STEPS, [source(1, 'oura'), source(2, 'garmin', 'weight')]), 'one_source');
  });

  it('reports several devices of one provider, which count as one', () => {
    assert.equal(explain(MAX_STEPS, [source(1, 'apple_health'), source(2, 'apple_health')]), 'one_provider');
  });

  it('reports equal values of several providers', () => {
    assert.equal(explain(MAX_STEPS, [source(1, 'oura'), source(2, 'garmin')]), 'same_values');
  });

  it('looks at every metric if a provider is switched for all', () => {
    const change: SettingsChange = { metrics: {}, providers: { oura: false } };
    assert.equal(explain(change, [source(1, 'garmin', 'weight')]), 'one_source');
  });
});
