import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HOUR_MS } from '../domain/time/durations.ts';
import { type BatchOptions, BatchQueue } from './batch-queue.ts';

type Started = { readonly items: readonly string[]; succeed(): void; fail(error: Error): void };

/** A queue whose batches are ended by hand. The result of an item is its upper case. */
function heldQueue(options: Partial<BatchOptions<string, string>> = {}) {
  const started: Started[] = [];
  const queue = new BatchQueue<string, string>({
    run: (items) => {
      const { promise, resolve, reject } = Promise.withResolvers<string[]>();
      started.push({ items, succeed: () => resolve(items.map((item) => item.toUpperCase())), fail: reject });
      return promise;
    },
    maxItems: 3,
    maxInFlight: 1,
    gatherMs: 0,
    ...options,
  });
  return { queue, started, listItems: () => started.map(({ items }) => items.join('')) };
}

const settle = () => new Promise(setImmediate);

/** Ends each batch once it has started, until none is left. */
async function succeedAll(started: readonly Started[]): Promise<void> {
  for (let index = 0; index < started.length; index += 1) {
    started[index]?.succeed();
    await settle();
  }
}

describe('a batch queue', () => {
  it('processes items of one round of the event loop together, and returns the result of each', async () => {
    const { queue, started, listItems } = heldQueue();
    const results = [...'abc'].map((item) => queue.add(item));
    assert.deepEqual(listItems(), []);
    await settle();
    assert.deepEqual(listItems(), ['abc']);
    started[0]?.succeed();
    assert.deepEqual(await Promise.all(results), ['A', 'B', 'C']);
  });

  it('gathers during a batch, and starts the next one when it ends', async () => {
    const { queue, started, listItems } = heldQueue();
    const results = [queue.add('a')];
    await settle();
    for (const item of 'bc') {
      results.push(queue.add(item));
      await settle();
    }
    assert.deepEqual(listItems(), ['a']);
    await succeedAll(started);
    assert.deepEqual(listItems(), ['a', 'bc']);
    assert.deepEqual(await Promise.all(results), ['A', 'B', 'C']);
  });

  it('never has more batches in flight than allowed, nor more items in a batch', async () => {
    for (const maxInFlight of [1, 2, 3]) {
      let inFlight = 0;
      let highest = 0;
      const sizes: number[] = [];
      const queue = new BatchQueue<number, number>({
        run: async (items) => {
          inFlight += 1;
          highest = Math.max(highest, inFlight);
          sizes.push(items.length);
          for (let round = 0; round < 3; round += 1) await settle(); // time for others to start
          inFlight -= 1;
          return items;
        },
        maxItems: 4,
        maxInFlight,
        gatherMs: 0,
      });
      const numbers = Array.from({ length: 50 }, (_, index) => index);
      assert.deepEqual(await Promise.all(numbers.map((one) => queue.add(one))), numbers);
      assert.equal(highest, maxInFlight);
      assert.equal(Math.max(...sizes), 4);
    }
  });

  it('starts batches in the order of their items', async () => {
    const { queue, started, listItems } = heldQueue({ maxInFlight: 2 });
    for (const item of 'abcdefgh') void queue.add(item);
    await settle();
    await succeedAll(started);
    assert.deepEqual(listItems(), ['abc', 'def', 'gh']);
  });

  it('takes items of one kind, and of the next while there are few', async () => {
    const kinds = { kindOf: (item: string) => item.toUpperCase(), minItems: 3 };
    const { queue, started, listItems } = heldQueue({ maxItems: 4, kinds });
    const results = [...'abAcBaaccdC'].map((item) => queue.add(item));
    await settle();
    await succeedAll(started);
    assert.deepEqual(listItems(), ['aAaa', 'bBcc', 'cCd']);
    assert.deepEqual(await Promise.all(results), [...'ABACBAACCDC']);
  });

  it('fails all items of a failed batch and no others, and continues', async () => {
    const { queue, started } = heldQueue();
    const results = Promise.allSettled([...'abcd'].map((item) => queue.add(item)));
    await settle();
    started[0]?.fail(new Error('away'));
    await settle();
    started[1]?.succeed();
    assert.deepEqual(
      (await results).map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as Error).message)),
      ['away', 'away', 'away', 'D'],
    );
    const later = queue.add('e');
    await settle();
    started[2]?.succeed();
    assert.equal(await later, 'E');
  });

  it('fails a batch whose function throws, or returns too few results', async () => {
    const throwing = heldQueue({
      run: () => {
        throw new Error('at once');
      },
    });
    await assert.rejects(throwing.queue.add('a'), /at once/);
    const { queue } = heldQueue({ run: async () => ['A'] });
    const results = await Promise.allSettled([queue.add('a'), queue.add('b')]);
    assert.deepEqual(
      results.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
  });

  it('says when it is idle', async () => {
    let idle = 0;
    const { queue, started } = heldQueue({ maxInFlight: 2, onIdle: () => (idle += 1) });
    for (const item of 'abcdef') void queue.add(item);
    await settle();
    await settle();
    started[0]?.succeed();
    await settle();
    assert.deepEqual([started.length, idle], [2, 0]);
    started[1]?.succeed();
    await settle();
    assert.equal(idle, 1);
  });
});

describe('a batch queue with a gather time', () => {
  const LONG_MS = HOUR_MS;

  it('beside another batch, waits until it is full or no other is in flight', async () => {
    const { queue, started, listItems } = heldQueue({ maxInFlight: 2, gatherBesideMs: LONG_MS });
    for (const item of 'ab') void queue.add(item);
    await settle();
    for (const item of 'cdefg') void queue.add(item);
    await settle();
    assert.deepEqual(listItems(), ['ab', 'cde']);
    started[0]?.succeed();
    await settle();
    assert.deepEqual(listItems(), ['ab', 'cde']);
    started[1]?.succeed();
    await settle();
    assert.deepEqual(listItems(), ['ab', 'cde', 'fg']);
  });

  it('beside a batch of another queue, waits until it is full', async () => {
    let isBeside = true;
    const { queue, listItems } = heldQueue({ maxInFlight: 1, gatherBesideMs: LONG_MS, isBesideOthers: () => isBeside });
    for (const item of 'ab') void queue.add(item);
    await settle();
    assert.deepEqual(listItems(), []);
    void queue.add('c');
    await settle();
    assert.deepEqual(listItems(), ['abc']);
    isBeside = false;
    const other = heldQueue({ maxInFlight: 1, gatherBesideMs: LONG_MS, isBesideOthers: () => isBeside });
    void other.queue.add('d');
    await settle();
    assert.deepEqual(other.listItems(), ['d']);
  });

  it('starts as soon as a batch is full', async () => {
    const { queue, started, listItems } = heldQueue({ gatherMs: LONG_MS });
    const results = [...'abcd'].map((item) => queue.add(item));
    assert.deepEqual(listItems(), ['abc']);
    started[0]?.succeed();
    await settle();
    assert.deepEqual(listItems(), ['abc'], 'the rest gathers again');
    const flushed = queue.flush();
    await settle();
    started[1]?.succeed();
    await flushed;
    assert.deepEqual(await Promise.all(results), ['A', 'B', 'C', 'D']);
  });

  it('starts when the time is over', async () => {
    const { queue, started, listItems } = heldQueue({ gatherMs: 1 });
    const results = [queue.add('a'), queue.add('b')];
    await settle();
    while (started.length === 0) await settle();
    assert.deepEqual(listItems(), ['ab']);
    started[0]?.succeed();
    assert.deepEqual(await Promise.all(results), ['A', 'B']);
  });

  it('flush waits for all items added before it, also for those that fail', async () => {
    const { queue, started, listItems } = heldQueue({ gatherMs: LONG_MS, maxItems: 2 });
    const results = Promise.allSettled([...'abcd'].map((item) => queue.add(item)));
    let isFlushed = false;
    const flushed = queue.flush().then(() => {
      isFlushed = true;
    });
    started[0]?.fail(new Error('away'));
    await settle();
    assert.deepEqual([listItems(), isFlushed], [['ab', 'cd'], false]);
    started[1]?.succeed();
    await flushed;
    assert.deepEqual(
      (await results).map(({ status }) => status),
      ['rejected', 'rejected', 'fulfilled', 'fulfilled'],
    );
  });

  it('flush returns at once if there is nothing', async () => {
    const { queue, started } = heldQueue({ gatherMs: LONG_MS });
    await queue.flush();
    assert.deepEqual(started, []);
  });
});
