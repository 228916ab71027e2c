import assert from 'node:assert/strict';
import { it } from 'node:test';
import { onFirstUse } from './on-first-use.ts';

it('creates the value once, and retries after a failure', async () => {
  let tries = 0;
  const thing = onFirstUse(async () => {
    tries += 1;
    if (tries === 1) throw new Error('not yet');
    return `made at try ${tries}`;
  });
  assert.equal(thing.peek(), null);
  await assert.rejects(thing.get(), /not yet/);
  assert.equal(thing.peek(), null);
  const both = await Promise.all([thing.get(), thing.get()]);
  assert.deepEqual([...both, await thing.peek()], Array(3).fill('made at try 2'));
});
