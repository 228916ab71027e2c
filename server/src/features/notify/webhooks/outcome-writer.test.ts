import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFrozenClock } from '../../../../test/support/test-clock.ts';
import { waitUntil } from '../../../../test/support/wait-until.ts';
import type { AccountId } from '../../../domain/tenancy.ts';
import type { Services } from '../../../platform/services.ts';
import type { DeliveryOutcome } from './delivery.ts';
import { OutcomeWriter } from './outcome-writer.ts';

const TENANT = { accountId: 'a' as AccountId, environment: 'live' } as const;
const outcome = (id: string): DeliveryOutcome => ({
  delivery: { id, webhookId: 'w', tenant: TENANT, claim: 'c', eventId: 'e', attempts: 0, isTest: false, body: '{}' },
  attempt: null,
  url: null,
  status: 'pending',
  dueAt: null,
  isGone: false,
});

/** A database that fails as often as requested and then lists the deliveries that were written. */
function failingServices(failures: number) {
  const written: string[][] = [];
  const state = { failures, tries: 0, warnings: 0, locked: new Set<string>() };
  const query = async ({ name }: { name: string }, values: readonly unknown[] = []) => {
    if (name !== 'settle_deliveries') return [];
    const ids = values[1] as string[];
    const [free, locked] = [ids.filter((id) => !state.locked.has(id)), ids.filter((id) => state.locked.has(id))];
    if (free.length > 0) written.push(free);
    return locked.map((id) => ({ id }));
  };
  const services = {
    clock: createFrozenClock(),
    log: { warn: () => (state.warnings += 1) },
    metrics: { observeAttempt: () => assert.fail('no attempt was made') },
    db: {
      asyncCommitTransaction: async (work: (tx: unknown) => Promise<unknown>) => {
        state.tries += 1;
        if (state.tries <= state.failures) throw new Error('away');
        return work({ query });
      },
    },
  } as unknown as Services;
  return { services, written, state };
}

describe('the outcome writer', () => {
  it('writes many outcomes in one transaction, in their order', async () => {
    const { services, written, state } = failingServices(0);
    const writer = new OutcomeWriter(services);
    for (const id of 'abc') writer.add(outcome(id));
    await writer.flush();
    assert.deepEqual([written, state.tries], [[['a', 'b', 'c']], 1]);
  });

  it('at its end tries again what could not be written', async () => {
    const { services, written, state } = failingServices(2);
    const writer = new OutcomeWriter(services);
    writer.add(outcome('a'));
    const flushed = writer.flush();
    writer.add(outcome('b'));
    await writer.end();
    await flushed;
    assert.deepEqual(written, [['a'], ['b']]);
    assert.equal(state.warnings, 2);
  });

  it('ends although nothing can be written, and accepts nothing afterwards', async () => {
    const { services, written, state } = failingServices(1_000);
    const writer = new OutcomeWriter(services);
    for (const id of 'abc') writer.add(outcome(id));
    await writer.end();
    assert.deepEqual([written, state.tries], [[], 3]);
    writer.add(outcome('d'));
    await writer.flush();
    assert.equal(state.tries, 3);
  });

  it('writes an outcome whose delivery was locked as soon as it is free, and does not hold up others', async () => {
    const { services, written, state } = failingServices(0);
    state.locked.add('a');
    const writer = new OutcomeWriter(services);
    writer.add(outcome('a'));
    await writer.flush();
    writer.add(outcome('b'));
    await writer.flush();
    assert.deepEqual(written, [['b']]);
    state.locked.clear();
    await waitUntil('the lock is gone', () => written.length === 2);
    await writer.end();
    assert.deepEqual([written, state.warnings], [[['b'], ['a']], 0]);
  });

  it('ends although a delivery stays locked', async () => {
    const { services, written, state } = failingServices(0);
    state.locked.add('a');
    const writer = new OutcomeWriter(services);
    for (const id of 'ab') writer.add(outcome(id));
    await writer.end();
    assert.deepEqual(written, [['b']]);
    assert.equal(state.tries, 4, 'once with the others, then three times alone');
  });
});
