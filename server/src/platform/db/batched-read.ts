// Batches reads of single rows by key: reads in the same round of the event loop, or while statements are in flight, share the
// next statement. A read never joins a statement that was already sent, so it sees everything committed before it.
import type { Queryable, Statement } from './database.ts';

/** `scope` is the first parameters of the statement (the tenant); only keys of the same scope share a statement. */
type BatchedRead<Row> = (db: Queryable, scope: readonly string[], key: string) => Promise<Row | null>;

/** Reads that wait for the next statement of one scope, by key. */
type Waiting<Row> = Map<string, PromiseWithResolvers<Row | null>>;
type PendingBatch<Row> = { readonly waiting: Waiting<Row>; underWay: number; isGathering: boolean };

const MAX_UNDER_WAY = 2; // one executes while the results of the other are processed
const MAX_KEYS = 16; // larger batches are split, so that the first reads finish earlier

/** The statement has the scope and then an array of keys as parameters, and returns at most one row per key. */
export function batchedRead<Row extends Record<string, unknown>>(
  statement: Statement,
  keyOf: (row: Row) => string,
): BatchedRead<Row> {
  const batches = new WeakMap<Queryable, Map<string, PendingBatch<Row>>>();

  /** Deferred, so that the first of many concurrent reads does not use a statement alone. */
  function gather(db: Queryable, scope: readonly string[], pendingBatch: PendingBatch<Row>): void {
    if (pendingBatch.isGathering || pendingBatch.underWay >= MAX_UNDER_WAY) return;
    pendingBatch.isGathering = true;
    setImmediate(serve, db, scope, pendingBatch);
  }

  async function serve(db: Queryable, scope: readonly string[], pendingBatch: PendingBatch<Row>): Promise<void> {
    pendingBatch.isGathering = false;
    pendingBatch.underWay += 1;
    while (pendingBatch.waiting.size > 0) {
      const batch = takeBatch(pendingBatch.waiting);
      if (pendingBatch.waiting.size > 0) gather(db, scope, pendingBatch);
      await answer(db, scope, batch);
    }
    pendingBatch.underWay -= 1;
    if (pendingBatch.underWay === 0) batches.get(db)?.delete(scope.join());
  }

  async function answer(db: Queryable, scope: readonly string[], batch: Waiting<Row>): Promise<void> {
    try {
      const rows = await db.query<Row>(statement, [...scope, [...batch.keys()]]);
      for (const row of rows) batch.get(keyOf(row))?.resolve(row);
      for (const requested of batch.values()) requested.resolve(null); // reads that already have a row keep it
    } catch (error) {
      for (const requested of batch.values()) requested.reject(error);
    }
  }

  return (db, scope, key) => {
    const pendingBatch = joinBatch(batches, db, scope.join());
    const requested = pendingBatch.waiting.get(key) ?? Promise.withResolvers<Row | null>();
    pendingBatch.waiting.set(key, requested);
    gather(db, scope, pendingBatch);
    return requested.promise;
  };
}

function joinBatch<Row>(
  batches: WeakMap<Queryable, Map<string, PendingBatch<Row>>>,
  db: Queryable,
  scope: string,
): PendingBatch<Row> {
  const ofDatabase = batches.getOrInsertComputed(db, () => new Map<string, PendingBatch<Row>>());
  return ofDatabase.getOrInsertComputed(scope, () => ({ waiting: new Map(), underWay: 0, isGathering: false }));
}

function takeBatch<Row>(waiting: Waiting<Row>): Waiting<Row> {
  const batch: Waiting<Row> = new Map();
  for (const [key, requested] of waiting) {
    if (batch.size === MAX_KEYS) break;
    batch.set(key, requested);
    waiting.delete(key);
  }
  return batch;
}
