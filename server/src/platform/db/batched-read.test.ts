import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { batchedRead } from './batched-read.ts';
import { type Queryable, statement } from './database.ts';

type Row = { id: string; owner: string };
type Sent = { scope: unknown[]; keys: string[]; answer(rows: Row[]): void; fail(error: Error): void };

/** A database that is answered by hand, to hold statements under way. */
function heldDatabase(): { db: Queryable; sent: Sent[] } {
  const sent: Sent[] = [];
  const query = (_statement: unknown, values: readonly unknown[] = []) => {
    const { promise, resolve, reject } = Promise.withResolvers<Row[]>();
    sent.push({ scope: values.slice(0, -1), keys: values.at(-1) as string[], answer: resolve, fail: reject });
    return promise;
  };
  return { db: { query } as unknown as Queryable, sent };
}

const newRead = () => batchedRead<Row>(statement('read_rows', 'select'), (row) => row.id);
const rowsOf = (sent: Sent | undefined, owner: string) => (sent?.keys ?? []).map((id) => ({ id, owner }));
const settle = () => new Promise(setImmediate);

describe('batchedRead', () => {
  it('batches reads of one round of the event loop, and reads while statements are in flight', async () => {
    const { db, sent } = heldDatabase();
    const read = newRead();
    const answers = ['a', 'b'].map((key) => read(db, ['one'], key));
    assert.equal(sent.length, 0, 'whoever else has arrived already comes along');
    await settle();
    answers.push(read(db, ['one'], 'c'));
    await settle();
    answers.push(...['d', 'e', 'e'].map((key) => read(db, ['one'], key)));
    await settle();
    assert.deepEqual(
      sent.map(({ keys }) => keys),
      [['a', 'b'], ['c']],
    );
    sent[0]?.answer(rowsOf(sent[0], 'one').slice(0, 1));
    await settle();
    assert.deepEqual(sent[2]?.keys, ['d', 'e']);
    sent[1]?.answer([]);
    sent[2]?.answer([{ id: 'e', owner: 'one' }]);
    const e = { id: 'e', owner: 'one' };
    assert.deepEqual(await Promise.all(answers), [{ id: 'a', owner: 'one' }, null, null, null, e, e]);
  });

  it('never uses a statement that was sent before the read', async () => {
    const { db, sent } = heldDatabase();
    const read = newRead();
    const before = read(db, ['one'], 'a');
    await settle();
    const after = read(db, ['one'], 'a');
    await settle();
    assert.equal(sent.length, 2);
    sent[0]?.answer([{ id: 'a', owner: 'old' }]);
    sent[1]?.answer([{ id: 'a', owner: 'new' }]);
    assert.deepEqual([(await before)?.owner, (await after)?.owner], ['old', 'new']);
  });

  it('keeps scopes apart, for the same key too', async () => {
    const { db, sent } = heldDatabase();
    const read = newRead();
    const answers = [...'abc'].flatMap((key) => [read(db, ['one', 'live'], key), read(db, ['two', 'live'], key)]);
    await settle();
    for (let index = 0; index < sent.length; index += 1) {
      sent[index]?.answer(rowsOf(sent[index], String(sent[index]?.scope[0])));
      await settle();
    }
    assert.deepEqual(
      sent.map(({ scope, keys }) => [scope[0], keys.length]),
      [
        ['one', 3],
        ['two', 3],
      ],
    );
    assert.deepEqual(
      (await Promise.all(answers)).map((row) => row?.owner),
      ['one', 'two', 'one', 'two', 'one', 'two'],
    );
  });

  it('fails only the reads of the failed statement, and continues', async () => {
    const { db, sent } = heldDatabase();
    const read = newRead();
    const ask = async (key: string) => {
      const answer = read(db, [], key);
      answer.catch(() => undefined); // looked at below
      await settle();
      return { answer };
    };
    const [first, second, third] = [await ask('a'), await ask('b'), await ask('c')];
    sent[0]?.fail(new Error('away'));
    await assert.rejects(first.answer, /away/);
    await settle();
    sent[1]?.answer(rowsOf(sent[1], 'x'));
    sent[2]?.answer(rowsOf(sent[2], 'x'));
    assert.deepEqual([(await second.answer)?.id, (await third.answer)?.id], ['b', 'c']);
    await ask('d');
    assert.deepEqual(sent[3]?.keys, ['d'], 'an idle batch is served immediately again');
  });

  it('shares one statement between all waiting reads of a key', async () => {
    const { db, sent } = heldDatabase();
    const read = newRead();
    const answers = Array.from({ length: 100 }, () => read(db, ['one'], 'a'));
    await settle();
    assert.deepEqual(
      sent.map(({ keys }) => keys),
      [['a']],
    );
    sent[0]?.answer([{ id: 'a', owner: 'one' }]);
    assert.equal((await Promise.all(answers)).length, 100);
  });

  it('limits the keys of a statement', async () => {
    const { db, sent } = heldDatabase();
    const read = newRead();
    for (let key = 0; key < 36; key += 1) void read(db, [], String(key));
    await settle();
    for (let index = 0; index < sent.length; index += 1) {
      sent[index]?.answer([]);
      await settle();
    }
    assert.deepEqual(
      sent.map(({ keys }) => keys.length),
      [16, 16, 4],
    );
  });
});
