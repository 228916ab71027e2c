import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CONSOLIDATION_KEYS } from '../../../domain/consolidate/consolidation-keys.ts';
import { type ConsolidationSettings, createRules } from '../../../domain/consolidate/consolidation-rules.ts';
import { METHODS, type Method } from '../../../domain/metrics/index.ts';
import { presentConfiguration } from './configuration.ts';

const CONNECTED = ['apple_health', 'garmin', 'oura'];

function settingsOf(key: string, method: Method | null): ConsolidationSettings {
  return { metrics: { [key]: { method, providersOff: ['oura'] } }, providersOff: ['garmin'] };
}

describe('presentConfiguration', () => {
  it('presents the method that is applied, whatever is stored', () => {
    for (const { key, metrics } of CONSOLIDATION_KEYS)
      for (const method of [null, ...METHODS]) {
        const settings = settingsOf(key, method);
        const presented = presentConfiguration(settings, CONNECTED).metrics.find((one) => one.key === key);
        assert.ok(presented);
        const rules = createRules(settings);
        const applied = metrics.map((metric) => rules.methodOf(metric));
        assert.ok(applied.includes(presented.method), `${key}: ${method} is presented as ${presented.method}`);
        assert.equal(presented.overridden, method !== null);
      }
  });

  it('presents a provider as enabled where its values are used', () => {
    for (const { key, metrics } of CONSOLIDATION_KEYS) {
      const settings = settingsOf(key, null);
      const rules = createRules(settings);
      const { providers, metrics: keys } = presentConfiguration(settings, CONNECTED);
      assert.deepEqual(
        providers.map(({ provider, enabled }) => [provider, enabled]),
        [
          ['apple_health', true],
          ['garmin', false],
          ['oura', true],
        ],
      );
      const ofKey = keys.find((one) => one.key === key)?.providers;
      for (const metric of metrics)
        assert.deepEqual(
          ofKey,
          CONNECTED.map((provider) => ({ provider, enabled: rules.isEnabled(metric, provider) })),
        );
    }
  });
});
