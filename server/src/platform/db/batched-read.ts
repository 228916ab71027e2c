// Batches reads of single rows by key: reads in the same round of the event loop, or while statements are in flight, share the
// next statement. A read never joins a statement that was already sent, so it sees everything committed before it.
import { BatchQueue } from '../batch-queue.ts';
import type { Queryable, Statement } from './database.ts';

/** `scope` is the first parameters of the statement (the tenant); only keys of the same scope share a statement. */
type BatchedRead<Row> = (db: Queryable, scope: readonly string[], key: string) => Promise<Row | null>;
type ReadQueue<Row> = {
  readonly queue: BatchQueue<string, Row | null>;
  /** Reads that wait for a statement, by key: another read of the key shares it. */
  readonly waiting: Map<string, Promise<Row | null>>;
};

const MAX_IN_FLIGHT = 2; // one executes while the results of the other are processed
const MAX_KEYS = 16; // larger batches are split, so that the first reads finish earlier

/**
 * The statement has the scope and then an array of keys as parameters, and returns at most one row per key. `columnsOf` adds further
 * arrays, made from the keys.
 */
export function batchedRead<Row extends Record<string, unknown>>(
  statement: Statement,
  keyOf: (row: Row) => string,
  columnsOf: (keys: readonly string[]) => readonly unknown[] = () => [],
): BatchedRead<Row> {
  const queues = new WeakMap<Queryable, Map<string, ReadQueue<Row>>>();

  function createQueue(db: Queryable, scope: readonly string[], onIdle: () => void): ReadQueue<Row> {
    const waiting: ReadQueue<Row>['waiting'] = new Map();
    const run = async (keys: readonly string[]) => {
      for (const key of keys) waiting.delete(key);
      const rows = await db.query<Row>(statement, [...scope, keys, ...columnsOf(keys)]);
      const byKey = new Map(rows.map((row) => [keyOf(row), row]));
      return keys.map((key) => byKey.get(key) ?? null);
    };
    const queue = new BatchQueue({ run, maxItems: MAX_KEYS, maxInFlight: MAX_IN_FLIGHT, gatherMs: 0, onIdle });
    return { queue, waiting };
  }

  return (db, scope, key) => {
    const ofDatabase = queues.getOrInsertComputed(db, () => new Map<string, ReadQueue<Row>>());
    const { queue, waiting } = ofDatabase.getOrInsertComputed(scope.join(), (name) =>
      createQueue(db, scope, () => ofDatabase.delete(name)),
    );
    return waiting.getOrInsertComputed(key, () => queue.add(key));
  };
}
