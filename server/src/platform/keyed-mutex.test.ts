import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createKeyedMutex } from './keyed-mutex.ts';

describe('keyed mutex', () => {
  it('tasks with one key run one after the other, in order; other keys do not wait', async () => {
    const mutex = createKeyedMutex();
    const log: string[] = [];
    const gate = Promise.withResolvers<void>();
    const first = mutex.run('a', async () => {
      log.push('a1 begins');
      await gate.promise;
      log.push('a1 ends');
    });
    const second = mutex.run('a', async () => void log.push('a2'));
    const third = mutex.run('a', async () => void log.push('a3'));
    await mutex.run('b', async () => void log.push('b'));
    await setImmediate();
    assert.deepEqual(log, ['a1 begins', 'b']);
    gate.resolve();
    await Promise.all([first, second, third]);
    assert.deepEqual(log, ['a1 begins', 'b', 'a1 ends', 'a2', 'a3']);
  });

  it('a failure reaches only its own caller and does not stop others', async () => {
    const mutex = createKeyedMutex();
    const bad = mutex.run('a', () => Promise.reject(new Error('mine')));
    const good = mutex.run('a', async () => 7);
    await assert.rejects(bad, /mine/);
    assert.equal(await good, 7);
  });

  it('rejects a task beyond the limit of its key, and accepts it when the queue is shorter', async () => {
    const mutex = createKeyedMutex();
    const gate = Promise.withResolvers<void>();
    const bounded = { maxWaiting: 1 };
    const first = mutex.run('a', () => gate.promise, bounded);
    const second = mutex.run('a', async () => 2, bounded);
    await assert.rejects(
      mutex.run('a', async () => 3, bounded),
      { code: 'overloaded' },
    );
    assert.equal(await mutex.run('b', async () => 4, bounded), 4);
    gate.resolve();
    await first;
    assert.equal(await second, 2);
    assert.equal(await mutex.run('a', async () => 5, bounded), 5);
  });
});
