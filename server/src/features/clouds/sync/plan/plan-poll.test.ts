import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CloudProvider } from '../../../../providers/contract.ts';
import { findProvider } from '../../../../providers/registry.ts';
import { pollIntervalMs } from './plan-poll.ts';

const MINUTE_MS = 60_000;
const get = (id: string): CloudProvider => {
  const provider = findProvider(id);
  assert.ok(provider);
  return provider;
};

describe('how often a provider is polled', () => {
  it('every 12.5 to 15 minutes where notices come, every 5 to 6 where none do', () => {
    const oura = get('oura');
    assert.equal(pollIntervalMs(oura, 1, 0), 12.5 * MINUTE_MS);
    assert.ok(pollIntervalMs(oura, 1, 0.999) < 15 * MINUTE_MS);
    assert.equal(pollIntervalMs({ ...oura, webhook: null }, 1, 0), 5 * MINUTE_MS);
  });

  it('less often where many people share a small budget, and daily at the least', () => {
    const whoop = get('whoop'); // 10,000 requests a day, four resources
    const hundred = pollIntervalMs(whoop, 100, 0);
    assert.ok(hundred > HOUR_MS && hundred < 3 * HOUR_MS, `${hundred / MINUTE_MS} min`);
    assert.equal(pollIntervalMs(whoop, 1_000_000, 0), 24 * HOUR_MS);
  });
});

const HOUR_MS = 60 * MINUTE_MS;
