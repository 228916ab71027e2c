import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { AppError } from './errors.ts';
import { createFairShares, type FairShares } from './fair-shares.ts';

/** Tasks that end on demand, and the order in which they began. */
function createWork(shares: FairShares) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () => {
    begun.push(name);
    const { promise, resolve } = Promise.withResolvers<string>();
    ends.set(name, () => resolve(name));
    return promise;
  };
  return {
    begun,
    run: (account: string, name: string) => shares.run(account, work(name)),
    resume: (account: string, name: string) => shares.resume(account, work(name)),
    async end(name: string) {
      const end = ends.get(name);
      assert.ok(end, `${name} has begun`);
      end();
      await setImmediate();
    },
  };
}

const LIMITS = { atOnce: 3, perAccount: 2, waitingPerAccount: 2 };

describe('fair shares', () => {
  it('start at most perAccount of one account, and leave the rest to others', async () => {
    const { begun, run } = createWork(createFairShares(LIMITS));
    for (const name of ['a1', 'a2', 'a3']) void run('a', name);
    void run('b', 'b1');
    await setImmediate();
    assert.deepEqual(begun, ['a1', 'a2', 'b1']);
  });

  it('leave a slot for an account that runs none while four others run all they can', async () => {
    const { begun, run } = createWork(createFairShares({ atOnce: 8, perAccount: 4, waitingPerAccount: 9 }));
    for (const account of ['a', 'b', 'c', 'd'])
      for (let number = 1; number <= 6; number += 1) void run(account, `${account}${number}`);
    await setImmediate();
    assert.deepEqual(begun, ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'd1']);
    void run('e', 'e1');
    await setImmediate();
    assert.equal(begun.at(-1), 'e1');
  });

  it('give a free slot to the account that runs fewest, and let nobody wait forever', async () => {
    const { begun, run, end } = createWork(createFairShares({ atOnce: 4, perAccount: 2, waitingPerAccount: 9 }));
    for (const name of ['a1', 'a2', 'a3']) void run('a', name);
    for (const name of ['b1', 'b2']) void run('b', name);
    void run('c', 'c1');
    await setImmediate();
    assert.deepEqual(begun, ['a1', 'a2', 'b1', 'c1']);
    void run('d', 'd1');
    await end('b1');
    assert.deepEqual(begun.slice(4), ['d1'], 'of the accounts that run none, the one served longest ago');
    await end('a1');
    assert.deepEqual(begun.slice(5), ['b2']);
    for (const name of ['a2', 'b2', 'c1', 'd1']) await end(name);
    assert.deepEqual(begun.slice(6), ['a3']);
  });

  it('give free slots round-robin to the accounts, however much one of them has waiting', async () => {
    const { begun, run, end } = createWork(createFairShares({ atOnce: 1, perAccount: 1, waitingPerAccount: 9 }));
    for (const name of ['a1', 'a2', 'a3']) void run('a', name);
    for (const name of ['b1', 'b2']) void run('b', name);
    void run('c', 'c1');
    await setImmediate();
    for (const name of ['a1', 'b1', 'c1', 'a2', 'b2']) await end(name);
    assert.deepEqual(begun, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('reject with overloaded and Retry-After if the queue of the account is full, and only then', async () => {
    const { begun, run, end } = createWork(createFairShares(LIMITS));
    const admitted = ['a1', 'a2', 'a3', 'a4'].map((name) => run('a', name));
    await assert.rejects(run('a', 'a5'), (error) => {
      assert.ok(error instanceof AppError);
      assert.deepEqual([error.code, error.status], ['overloaded', 503]);
      assert.match(error.headers['retry-after'] ?? '', /^[1-9]\d*$/);
      return true;
    });
    void run('b', 'b1');
    await setImmediate();
    for (const name of ['a1', 'a2', 'a3', 'a4']) await end(name);
    assert.deepEqual(await Promise.all(admitted), ['a1', 'a2', 'a3', 'a4']);
    assert.deepEqual(begun, ['a1', 'a2', 'b1', 'a3', 'a4']);
  });

  it('continue admitted work before new work of the same account, even if the queue is full', async () => {
    const { begun, run, resume, end } = createWork(createFairShares(LIMITS));
    for (const name of ['a1', 'a2', 'a3', 'a4']) void run('a', name);
    void resume('a', 'next part');
    await setImmediate();
    await end('a1');
    assert.deepEqual(begun, ['a1', 'a2', 'next part']);
  });

  it('free the slot of work that fails', async () => {
    const shares = createFairShares({ atOnce: 1, perAccount: 1, waitingPerAccount: 1 });
    await assert.rejects(
      shares.run('a', () => Promise.reject(new Error('broken'))),
      /broken/,
    );
    assert.equal(await shares.run('a', async () => 'free'), 'free');
  });
});
