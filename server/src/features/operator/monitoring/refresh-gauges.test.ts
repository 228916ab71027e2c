import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFrozenClock } from '../../../../test/support/test-clock.ts';
import { waitUntil } from '../../../../test/support/wait-until.ts';
import type { Services } from '../../../platform/services.ts';
import { createGaugeReader } from './refresh-gauges.ts';

/** A database whose first statement ends as the test decides. */
function startReader(limitMs?: number) {
  const first = Promise.withResolvers<never[]>();
  let statements = 0;
  const db = { query: () => (statements++ === 0 ? first.promise : Promise.resolve([])) };
  const set: unknown[] = [];
  const metrics = { setServiceCounts: (counts: unknown) => void set.push(counts) };
  const clock = createFrozenClock();
  const services = { db, metrics, clock, log: { debug: () => undefined } } as unknown as Services;
  return { reader: createGaugeReader(services, limitMs), first, set, clock, countStatements: () => statements };
}

describe('createGaugeReader', () => {
  it('does not wait for a database that hangs, and asks it only once', async () => {
    const { reader, first, set, countStatements } = startReader(1);
    await reader.refresh();
    await reader.refresh();
    assert.equal(countStatements(), 1);
    first.resolve([]);
    await waitUntil('the values are set', () => set.length === 1);
  });

  it('does not fail when the database does', async () => {
    const { reader, first, set } = startReader();
    first.reject(new Error('lost'));
    await reader.refresh();
    assert.equal(set.length, 0);
    await reader.refresh();
    assert.equal(set.length, 1, 'and asks again at the next scrape');
  });

  it('keeps the values for 15 seconds', async () => {
    const { reader, first, set, clock } = startReader();
    first.resolve([]);
    await reader.refresh();
    clock.advance(14_999);
    await reader.refresh();
    assert.equal(set.length, 1);
    clock.advance(1);
    await reader.refresh();
    assert.equal(set.length, 2);
  });
});
