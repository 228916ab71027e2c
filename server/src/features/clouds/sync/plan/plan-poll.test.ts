import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HOUR_MS, MINUTE_MS } from '../../../../domain/time/durations.ts';
import type { CloudProvider } from '../../../../providers/contract.ts';
import { findProvider } from '../../../../providers/registry.ts';
import { planPoll, pollIntervalMs } from './plan-poll.ts';

const get = (id: string): CloudProvider => {
  const provider = findProvider(id);
  assert.ok(provider);
  return provider;
};

describe('pollIntervalMs', () => {
  it('is 12.5 to 15 minutes with webhooks, 5 to 6 without', () => {
    const oura = get('oura');
    assert.equal(pollIntervalMs(oura, 1, 0), 12.5 * MINUTE_MS);
    assert.ok(pollIntervalMs(oura, 1, 0.999) < 15 * MINUTE_MS);
    assert.equal(pollIntervalMs({ ...oura, webhook: null }, 1, 0), 5 * MINUTE_MS);
    assert.equal(pollIntervalMs({ ...oura, webhook: null, pollMinutes: 30 }, 1, 0), 30 * MINUTE_MS);
    assert.equal(pollIntervalMs({ ...oura, pollMinutes: 5 }, 1, 0), 12.5 * MINUTE_MS);
  });

  it('is what a provider asks for, unless its budget needs longer', () => {
    const hourly = { ...get('oura'), pollMinutes: 60 };
    assert.equal(pollIntervalMs(hourly, 1, 0), HOUR_MS);
    assert.equal(pollIntervalMs(hourly, 1_000_000, 0), 24 * HOUR_MS);
  });

  it('grows if many users share a small budget, up to a day', () => {
    const whoop = get('whoop'); // 10,000 requests per day, four resources
    const hundred = pollIntervalMs(whoop, 100, 0);
    assert.ok(hundred > HOUR_MS && hundred < 3 * HOUR_MS, `${hundred / MINUTE_MS} min`);
    assert.equal(pollIntervalMs(whoop, 1_000_000, 0), 24 * HOUR_MS);
  });
});

describe('planPoll', () => {
  const facts = { zone: 'UTC', now: new Date('2026-03-10T12:00:00Z'), polledTo: null, maxDays: 30 };
  const reconcilesOf = (provider: CloudProvider) =>
    planPoll(provider, { scopes: null, skippedResources: [], parts: new Set() }, facts).map(
      ({ action }) => action.kind === 'window' && action.reconciles,
    );

  it('reconciles its windows only for resources that report no deletions', () => {
    const oura = get('oura');
    const workouts = oura.resources.filter(({ name }) => name === 'workout');
    assert.deepEqual([...new Set(reconcilesOf(oura))], [null]);
    const reconciling = workouts.map((resource) => ({
      ...resource,
      settledAfterDays: 1,
      reconciles: 'workouts' as const,
    }));
    assert.deepEqual(reconcilesOf({ ...oura, resources: reconciling }), [
      { of: 'workouts', from: Date.parse('2026-03-10T00:00:00Z'), to: facts.now.getTime() },
    ]);
  });
});
