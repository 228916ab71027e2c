import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as yieldToLoop } from 'node:timers/promises';
import type { Transaction } from './queryable.ts';
import { runTogether, sharedStatement, sharedWrite } from './shared-transaction.ts';

/** Records the values of each statement; more than one at a time is an error. */
function createTransaction(sent: unknown[]): Transaction {
  let isBusy = false;
  return {
    kind: 'transaction',
    isOnCitus: false,
    async query(_text, values = []) {
      assert.equal(isBusy, false, 'the driver has answered');
      isBusy = true;
      await yieldToLoop();
      isBusy = false;
      sent.push(values.flat());
      return [];
    },
  };
}

const double = sharedStatement<number, number>(async (db, items) => {
  await db.query('double', [items]);
  return items.map((item) => 2 * item);
});
const store = sharedWrite<string>((db, items) => db.query('store', [items]));

describe('sharedStatement', () => {
  it('is sent once for all users of a shared transaction', async () => {
    const sent: unknown[] = [];
    const works = [1, 2, 3].map((item) => async (tx: Transaction) => {
      const doubled = await double(tx, item);
      await store(tx, `${doubled}`);
      return doubled;
    });
    assert.deepEqual(await runTogether(createTransaction(sent), works), [2, 4, 6]);
    assert.deepEqual(sent, [
      [1, 2, 3],
      ['2', '4', '6'],
    ]);
  });

  it('waits for users that have more to do', async () => {
    const sent: unknown[] = [];
    const works = [0, 3, 1].map((extra) => async (tx: Transaction) => {
      for (let count = 0; count < extra; count += 1) await tx.query('own', [`own ${extra}`]);
      await yieldToLoop();
      return double(tx, extra);
    });
    await runTogether(createTransaction(sent), works);
    assert.deepEqual(
      sent.filter((values) => !String(values).startsWith('own')),
      [[0, 1, 3]],
    );
  });

  it('sends what most users have passed first, so that one who is behind catches up', async () => {
    const sent: unknown[] = [];
    const works = [
      async (tx: Transaction) => {
        await double(tx, 1);
        await store(tx, 'a');
      },
      async (tx: Transaction) => {
        await double(tx, 2);
        await double(tx, 3);
        await store(tx, 'b');
      },
      async () => {},
    ];
    await runTogether(createTransaction(sent), works);
    assert.deepEqual(sent, [[1, 2], [3], ['a', 'b']]);
  });

  it('is sent for each call alone otherwise', async () => {
    const sent: unknown[] = [];
    const tx = createTransaction(sent);
    assert.equal(await double(tx, 4), 8);
    assert.deepEqual(sent, [[4]]);
  });
});

describe('runTogether', () => {
  it('rejects with the failure of one, after all have ended', async () => {
    const sent: unknown[] = [];
    const works = [
      async (tx: Transaction) => store(tx, 'a'),
      async () => {
        throw new Error('invalid');
      },
    ];
    await assert.rejects(runTogether(createTransaction(sent), works), /invalid/);
    assert.deepEqual(sent, [], 'a call that waits is not sent');
  });

  it('rejects with the failure that came first', async () => {
    const works = [
      async (tx: Transaction) => {
        await store(tx, 'a').catch(() => undefined);
        throw new Error('consequence');
      },
      async () => {
        throw new Error('cause');
      },
    ];
    await assert.rejects(runTogether(createTransaction([]), works), /cause/);
  });

  it('sends nothing more after a failure', async () => {
    const sent: unknown[] = [];
    const failed = Promise.withResolvers<void>();
    const works = [
      async (tx: Transaction) => {
        await failed.promise;
        await yieldToLoop();
        await assert.rejects(tx.query('own', ['own']), /invalid/);
        await store(tx, 'a');
      },
      async () => {
        failed.resolve();
        throw new Error('invalid');
      },
    ];
    await assert.rejects(runTogether(createTransaction(sent), works), /invalid/);
    assert.deepEqual(sent, []);
  });

  it('gives the error of a shared statement to all who called it', async () => {
    const fail = sharedStatement<number, number>(async () => {
      throw new Error('aborted');
    });
    const errors: unknown[] = [];
    const works = [1, 2].map(
      (item) => (tx: Transaction) => fail(tx, item).catch((error: Error) => void errors.push(error.message)),
    );
    await assert.rejects(runTogether(createTransaction([]), works), /aborted/, 'the database would not commit');
    assert.deepEqual(errors, ['aborted', 'aborted']);
  });
});
