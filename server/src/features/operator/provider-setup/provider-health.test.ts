import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeHealth } from './provider-health.ts';

const at = (text: string) => new Date(`2026-03-01T${text}:00Z`);
const limit = (seconds: number, requests: number) =>
  ({ per: 'application', seconds, requests, readLeft: () => null }) as const;
const provider = { id: 'oura', budgets: [limit(60, 100), limit(86_400, 10_000)] };
const NOTHING = { people: [], runs: [], backoffs: [], budgets: [] } as const;

describe('describeHealth', () => {
  it('has zeros and no budget without an application', () => {
    assert.deepEqual(describeHealth(provider as never, null, NOTHING), {
      people: { active: 0, reauthorize: 0 },
      syncs: [],
      webhooks: { runs: 0, lastAt: null },
      budget: null,
      backoff: null,
    });
  });

  it('sums runs of all kinds by outcome, and those of webhooks apart', () => {
    const runs = [
      { provider: 'oura', kind: 'poll', outcome: 'changed', runs: 3, lastAt: at('10:00') },
      { provider: 'oura', kind: 'webhook', outcome: 'changed', runs: 2, lastAt: at('11:00') },
      { provider: 'whoop', kind: 'poll', outcome: 'changed', runs: 9, lastAt: at('12:00') },
    ] as const;
    const health = describeHealth(provider as never, { id: 'app' }, { ...NOTHING, runs });
    assert.deepEqual(health.syncs, [{ outcome: 'changed', runs: 5, lastAt: at('11:00') }]);
    assert.deepEqual(health.webhooks, { runs: 2, lastAt: at('11:00') });
  });

  it('shows the budget that is used most', () => {
    const budgets = [
      { provider: 'oura', appId: 'app', seconds: 60, used: 10, endsAt: at('12:01') },
      { provider: 'oura', appId: 'app', seconds: 86_400, used: 5_000, endsAt: at('23:00') },
      { provider: 'oura', appId: 'other', seconds: 60, used: 100, endsAt: at('12:01') },
    ];
    const { budget } = describeHealth(provider as never, { id: 'app' }, { ...NOTHING, budgets });
    assert.deepEqual(budget, { used: 5_000, of: 10_000, resetsAt: at('23:00') });
  });
});
