// Reads of one row by its key, gathered: whoever asks in the same turn of the loop, or while statements are under way, shares
// the next one with the others that wait. A read never joins a statement that was sent before it asked, so it sees all that was committed.
import type { Queryable, Statement } from './database.ts';

/** `scope` fills the first parameters of the statement (the tenant): only keys of one scope share a statement. */
export type BatchedRead<Row> = (db: Queryable, scope: readonly string[], key: string) => Promise<Row | null>;

/** Those who wait for the next statement of one scope, by key. */
type Waiting<Row> = Map<string, PromiseWithResolvers<Row | null>>;
type Crowd<Row> = { readonly waiting: Waiting<Row>; underWay: number; isGathering: boolean };

const MAX_UNDER_WAY = 2; // one at the database while the answers of the other are handed out
const MAX_KEYS = 16; // in a larger crowd, the first are answered while the database looks for the next

/** The statement takes the scope and then an array of keys, and returns at most one row a key. */
export function batchedRead<Row extends Record<string, unknown>>(
  statement: Statement,
  keyOf: (row: Row) => string,
): BatchedRead<Row> {
  const crowds = new WeakMap<Queryable, Map<string, Crowd<Row>>>();

  /** Not at once: the first of many that have arrived together would take a statement for itself. */
  function gather(db: Queryable, scope: readonly string[], crowd: Crowd<Row>): void {
    if (crowd.isGathering || crowd.underWay >= MAX_UNDER_WAY) return;
    crowd.isGathering = true;
    setImmediate(serve, db, scope, crowd);
  }

  async function serve(db: Queryable, scope: readonly string[], crowd: Crowd<Row>): Promise<void> {
    crowd.isGathering = false;
    crowd.underWay += 1;
    while (crowd.waiting.size > 0) {
      const batch = takeBatch(crowd.waiting);
      if (crowd.waiting.size > 0) gather(db, scope, crowd);
      await answer(db, scope, batch);
    }
    crowd.underWay -= 1;
    if (crowd.underWay === 0) crowds.get(db)?.delete(scope.join());
  }

  async function answer(db: Queryable, scope: readonly string[], batch: Waiting<Row>): Promise<void> {
    try {
      const rows = await db.query<Row>(statement, [...scope, [...batch.keys()]]);
      for (const row of rows) batch.get(keyOf(row))?.resolve(row);
      for (const asked of batch.values()) asked.resolve(null); // whoever has a row keeps it
    } catch (error) {
      for (const asked of batch.values()) asked.reject(error);
    }
  }

  return (db, scope, key) => {
    const crowd = joinCrowd(crowds, db, scope.join());
    const asked = crowd.waiting.get(key) ?? Promise.withResolvers<Row | null>();
    crowd.waiting.set(key, asked);
    gather(db, scope, crowd);
    return asked.promise;
  };
}

function joinCrowd<Row>(crowds: WeakMap<Queryable, Map<string, Crowd<Row>>>, db: Queryable, scope: string): Crowd<Row> {
  const ofDatabase = crowds.getOrInsertComputed(db, () => new Map<string, Crowd<Row>>());
  return ofDatabase.getOrInsertComputed(scope, () => ({ waiting: new Map(), underWay: 0, isGathering: false }));
}

function takeBatch<Row>(waiting: Waiting<Row>): Waiting<Row> {
  const batch: Waiting<Row> = new Map();
  for (const [key, asked] of waiting) {
    if (batch.size === MAX_KEYS) break;
    batch.set(key, asked);
    waiting.delete(key);
  }
  return batch;
}
