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
  it('sends the first at once and gathers those that ask meanwhile', async () => {
    const { db, sent } = heldDatabase();
    const read = newRead();
    const answers = ['a', 'b', 'c', 'd', 'd'].map((key) => read(db, ['one'], key));
    assert.deepEqual(
      sent.map(({ keys }) => keys),
      [['a'], ['b']],
    );
    sent[0]?.answer(rowsOf(sent[0], 'one'));
    await settle();
    assert.deepEqual(sent[2]?.keys, ['c', 'd']);
    sent[1]?.answer([]);
    sent[2]?.answer([{ id: 'd', owner: 'one' }]);
    const d = { id: 'd', owner: 'one' };
    assert.deepEqual(await Promise.all(answers), [{ id: 'a', owner: 'one' }, null, null, d, d]);
  });

  it('never answers from a statement that was sent before the question', async () => {
    const { db, sent } = heldDatabase();
    const read = newRead();
    const before = read(db, ['one'], 'a');
    const after = read(db, ['one'], 'a');
    assert.equal(sent.length, 2);
    sent[0]?.answer([{ id: 'a', owner: 'old' }]);
    sent[1]?.answer([{ id: 'a', owner: 'new' }]);
    assert.deepEqual([(await before)?.owner, (await after)?.owner], ['old', 'new']);
  });

  it('keeps scopes apart, for the same key too', async () => {
    const { db, sent } = heldDatabase();
    const read = newRead();
    const answers = [...'abc'].flatMap((key) => [read(db, ['one', 'live'], key), read(db, ['two', 'live'], key)]);
    for (let index = 0; index < sent.length; index += 1) {
      sent[index]?.answer(rowsOf(sent[index], String(sent[index]?.scope[0])));
      await settle();
    }
    assert.equal(sent.length, 6);
    assert.deepEqual(
      (await Promise.all(answers)).map((row) => row?.owner),
      ['one', 'two', 'one', 'two', 'one', 'two'],
    );
  });

  it('fails those of the broken statement only, and goes on', async () => {
    const { db, sent } = heldDatabase();
    const read = newRead();
    const [first, second, third] = ['a', 'b', 'c'].map((key) => read(db, [], key));
    sent[0]?.fail(new Error('away'));
    await assert.rejects(first as Promise<unknown>, /away/);
    await settle();
    sent[1]?.answer(rowsOf(sent[1], 'x'));
    sent[2]?.answer(rowsOf(sent[2], 'x'));
    assert.deepEqual([(await second)?.id, (await third)?.id], ['b', 'c']);
    void read(db, [], 'd');
    assert.deepEqual(sent[3]?.keys, ['d'], 'an idle crowd is served at once again');
  });

  it('bounds a statement', async () => {
    const { db, sent } = heldDatabase();
    const read = newRead();
    for (let key = 0; key < 252; key += 1) void read(db, [], String(key));
    for (let index = 0; index < sent.length; index += 1) {
      sent[index]?.answer([]);
      await settle();
    }
    assert.deepEqual(
      sent.map(({ keys }) => keys.length),
      [1, 1, 100, 100, 50],
    );
  });
});
