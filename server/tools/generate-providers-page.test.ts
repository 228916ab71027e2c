import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CLOUD_PROVIDERS } from '../src/providers/registry.ts';
import { fixturesOf, readCoverage, writeProvidersPage } from './generate-providers-page.ts';

/** Their resource gives the metric by another field. */
const OTHER_FIELD_READ = [
  'dailies averageHeartRateInBeatsPerMinute',
  'measures type 12',
  'respiratory-rate-sleep-summary deepSleepStats, lightSleepStats, remSleepStats',
  'nutrition-log nutrients: FOLIC_ACID',
];

describe('docs/providers.md', () => {
  it('names every resource that can be read or pushed', () => {
    const page = writeProvidersPage();
    for (const provider of CLOUD_PROVIDERS)
      for (const { resource } of fixturesOf(provider).pages)
        assert.ok(page.includes(`\`${resource}\``), `${provider.id}: ${resource}`);
  });

  for (const provider of CLOUD_PROVIDERS)
    it(`lists no field of ${provider.displayName} as not read that its mapping reads`, () => {
      const coverage = readCoverage(provider, fixturesOf(provider));
      assert.ok(provider.notMapped.length > 0);
      for (const { resource, field, metrics, reason } of provider.notMapped) {
        assert.ok(metrics.length > 0 && reason.length > 20, `${resource}.${field}`);
        if (OTHER_FIELD_READ.includes(`${resource} ${field}`)) continue;
        for (const metric of metrics) assert.ok(!coverage.get(metric)?.has(resource), `${resource} gives ${metric}`);
      }
    });
});
