// Batches reads of single rows by key: reads in the same round of the event loop, or while statements are in flight, share the
// next statement. A read never joins a statement that was already sent, so it sees everything committed before it.
import { BatchQueue } from '../batch-queue.ts';
import type { Queryable, Statement } from './database.ts';

/** `scope` is the first parameters of the statement (the tenant); only keys of the same scope share a statement. */
type BatchedRead<Row> = (db: Queryable, scope: readonly string[], key: string) => Promise<Row | null>;
type ReadQueue<Row> = BatchQueue<string, Row | null>;

const MAX_IN_FLIGHT = 2; // one executes while the results of the other are processed
const MAX_KEYS = 16; // larger batches are split, so that the first reads finish earlier

/** The statement has the scope and then an array of keys as parameters, and returns at most one row per key. */
export function batchedRead<Row extends Record<string, unknown>>(
  statement: Statement,
  keyOf: (row: Row) => string,
): BatchedRead<Row> {
  const queues = new WeakMap<Queryable, Map<string, ReadQueue<Row>>>();

  async function readRows(db: Queryable, scope: readonly string[], keys: readonly string[]): Promise<(Row | null)[]> {
    const rows = await db.query<Row>(statement, [...scope, [...new Set(keys)]]);
    const byKey = new Map(rows.map((row) => [keyOf(row), row]));
    return keys.map((key) => byKey.get(key) ?? null);
  }

  return (db, scope, key) => {
    const ofDatabase = queues.getOrInsertComputed(db, () => new Map<string, ReadQueue<Row>>());
    const queue = ofDatabase.getOrInsertComputed(
      scope.join(),
      (name) =>
        new BatchQueue({
          run: (keys) => readRows(db, scope, keys),
          maxItems: MAX_KEYS,
          maxInFlight: MAX_IN_FLIGHT,
          gatherMs: 0,
          onIdle: () => ofDatabase.delete(name),
        }),
    );
    return queue.add(key);
  };
}
