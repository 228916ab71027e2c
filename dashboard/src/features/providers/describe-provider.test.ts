import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { budgetShare, describePeople, describeSyncs, orderProviders } from './describe-provider.ts';
import type { ProviderSetup } from './queries.ts';

const run = (outcome: string, runs: number) => ({ outcome, runs, last_at: '2026-03-01T12:00:00Z' });
const provider = (id: string, application: ProviderSetup['application'], reauthorize = 0): ProviderSetup => ({
  provider: id,
  display_name: id,
  application,
  client_id: null,
  redirect_uri: '',
  extra_credentials: [],
  restrictions: [],
  passed_on: false,
  unconfirmed: [],
  health: {
    people: { active: 0, reauthorize },
    syncs: [],
    webhooks: { runs: 0, last_at: null },
    budget: null,
    backoff: null,
  },
});

describe('a provider', () => {
  it('says how many people are connected, and how many have to connect again', () => {
    assert.equal(describePeople({ people: { active: 0, reauthorize: 0 } }), 'Nobody is connected.');
    assert.equal(describePeople({ people: { active: 1, reauthorize: 0 } }), '1 person connected.');
    assert.equal(
      describePeople({ people: { active: 3, reauthorize: 1 } }),
      '4 people connected; 1 person has to connect again.',
    );
  });

  it('counts failed syncs apart and names why', () => {
    const syncs = [run('changed', 40), run('unchanged', 2), run('rate_limited', 3), run('unavailable', 1)];
    assert.deepEqual(describeSyncs({ syncs }), {
      text: '46, of which 4 failed',
      failures: '3 rate limited and 1 provider not available',
    });
    assert.deepEqual(describeSyncs({ syncs: [run('changed', 5)] }), { text: '5, none failed', failures: null });
  });

  it('has a share of its budget between 0 and 1', () => {
    assert.deepEqual(
      [budgetShare({ used: 50, of: 200 }), budgetShare({ used: 300, of: 200 }), budgetShare({ used: 1, of: 0 })],
      [0.25, 1, 0],
    );
  });

  it('comes first if somebody has to act, and last if it is not set up', () => {
    const ordered = orderProviders([provider('a', null), provider('b', 'account'), provider('c', 'operator', 1)]);
    assert.deepEqual(
      ordered.map((one) => one.provider),
      ['c', 'b', 'a'],
    );
  });
});
