import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../errors.ts';
import { createThreadPool, type ThreadPoolOptions } from './thread-pool.ts';

/** Modules as text: what runs in the thread, and nothing else. */
const moduleOf = (source: string) => new URL(`data:text/javascript,${encodeURIComponent(source)}`);
const DOUBLE = moduleOf('export default (input) => ({ output: input * 2, transfer: [] })');
const FAIL = moduleOf('export default () => { throw new Error("broken inside") }');
const EXHAUST = moduleOf('export default () => { const all = []; for (;;) all.push(new Array(10_000).fill(1.5)); }');
const REFUSE = moduleOf(`
  import { AppError } from ${JSON.stringify(new URL('../errors.ts', import.meta.url).href)};
  export default () => { throw new AppError('invalid_body', { details: { issues: [{ path: 'a', message: 'b' }] } }) }`);
/** Holds its thread until the shared cell is set. */
const WAIT = moduleOf(`export default ({ cell, name }) => {
  Atomics.wait(new Int32Array(cell), 0, 0);
  return { output: name, transfer: [] };
}`);

function openPool(t: TestContext, options: ThreadPoolOptions = {}) {
  const pool = createThreadPool({ threads: 1, ...options });
  t.after(() => pool.close());
  return pool;
}

describe('a thread pool', () => {
  it('runs work in a thread and returns its output', async (t) => {
    const pool = openPool(t);
    const outputs = [1, 2, 3].map((input) => pool.run<number>({ module: DOUBLE, input, account: 'a' }));
    assert.deepEqual(await Promise.all(outputs), [2, 4, 6]);
  });

  it('passes an AppError on unchanged, and continues', async (t) => {
    const pool = openPool(t);
    await assert.rejects(pool.run({ module: REFUSE, input: 0, account: 'a' }), (error: AppError) => {
      assert.ok(error instanceof AppError);
      assert.deepEqual([error.code, error.details], ['invalid_body', { issues: [{ path: 'a', message: 'b' }] }]);
      return true;
    });
    await assert.rejects(pool.run({ module: FAIL, input: 0, account: 'a' }), /broken inside/);
    assert.equal(await pool.run({ module: DOUBLE, input: 4, account: 'a' }), 8);
  });

  it('survives work that takes all memory of its thread', async (t) => {
    const pool = openPool(t, { heapMb: 32 });
    const task = { module: EXHAUST, input: 0, account: 'a' };
    await assert.rejects(pool.run(task), (error: AppError) => error.code === 'payload_too_large');
    assert.equal(await pool.run({ module: DOUBLE, input: 4, account: 'a' }), 8);
  });

  it('ends a thread that takes longer than its task may', async (t) => {
    const pool = openPool(t);
    const task = { module: moduleOf('export default () => { for (;;); }'), input: 0, account: 'a', limitMs: 50 };
    await assert.rejects(pool.run(task), /took more than 50 ms/);
    assert.equal(await pool.run({ module: DOUBLE, input: 4, account: 'a', limitMs: 60_000 }), 8);
  });

  it('ends the thread of a task that is cancelled, and fails one that waits for a thread at once', async (t) => {
    const pool = openPool(t);
    const [first, second] = [new AbortController(), new AbortController()];
    const task = { module: moduleOf('export default () => { for (;;); }'), input: 0 };
    const running = pool.run({ ...task, account: 'a', signal: first.signal });
    assert.equal(pool.isWanted(), false);
    const waiting = pool.run({ ...task, account: 'b', signal: second.signal });
    assert.equal(pool.isWanted(), true);
    second.abort(new Error('the second is cancelled'));
    await assert.rejects(waiting, /the second is cancelled/);
    first.abort(new Error('the first is cancelled'));
    await assert.rejects(running, /the first is cancelled/);
    assert.equal(await pool.run({ module: DOUBLE, input: 4, account: 'b', signal: new AbortController().signal }), 8);
  });

  it('fails the task of a thread that exits, and continues', async (t) => {
    const pool = openPool(t);
    const task = { module: moduleOf('export default () => process.exit(1)'), input: 0, account: 'a' };
    await assert.rejects(pool.run(task), /thread ended/);
    assert.equal(await pool.run({ module: DOUBLE, input: 4, account: 'a' }), 8);
  });

  it('serves accounts round-robin, however much one of them has sent', async (t) => {
    const pool = openPool(t);
    const cell = new SharedArrayBuffer(4);
    const order: string[] = [];
    const run = async (share: string, name: string) =>
      order.push(await pool.run<string>({ module: WAIT, input: { cell, name }, account: share }));
    const all = [run('greedy', 'g1'), run('greedy', 'g2'), run('greedy', 'g3'), run('modest', 'm1')];
    Atomics.store(new Int32Array(cell), 0, 1);
    Atomics.notify(new Int32Array(cell), 0);
    await Promise.all(all);
    assert.deepEqual(order, ['g1', 'm1', 'g2', 'g3']);
  });

  it('503 if the queue of an account is full; other accounts still run', async (t) => {
    const pool = openPool(t, { waitingPerAccount: 1 });
    const cell = new SharedArrayBuffer(4);
    const run = (share: string) => pool.run({ module: WAIT, input: { cell, name: share }, account: share });
    const running = [run('greedy'), run('greedy')]; // one at work, one waiting
    await assert.rejects(run('greedy'), (error: AppError) => {
      assert.deepEqual([error.code, error.status, error.headers['retry-after']], ['overloaded', 503, '5']);
      return true;
    });
    running.push(run('modest'));
    Atomics.store(new Int32Array(cell), 0, 1);
    Atomics.notify(new Int32Array(cell), 0);
    assert.deepEqual(await Promise.all(running), ['greedy', 'greedy', 'modest']);
  });

  it('ends idle threads and starts new ones; no task gets a thread that is about to end', async (t) => {
    const pool = openPool(t, { idleMs: 1 });
    const IDENTITY = moduleOf(`import { threadId } from 'node:worker_threads';
      export default () => ({ output: threadId, transfer: [] })`);
    const seen = new Set<number>();
    for (let count = 0; count < 40 || seen.size < 2; count += 1) {
      seen.add(await pool.run<number>({ module: IDENTITY, input: 0, account: 'a' }));
      if (count % 4 === 0) await delay(count % 3);
    }
    assert.ok(seen.size > 1);
  });

  it('keeps its thread if the input cannot be sent', async (t) => {
    const pool = openPool(t);
    await assert.rejects(pool.run({ module: DOUBLE, input: () => 1, account: 'a' }), { name: 'DataCloneError' });
    assert.equal(await pool.run({ module: DOUBLE, input: 4, account: 'a' }), 8);
  });
});
