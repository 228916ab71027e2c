// Lets the work of several users share one transaction. Each runs the same code as alone. Where it calls a shared statement it waits for
// the others, and the statement is sent once for all that called it.
//
// A shared read finds the rows of each user with a lateral subquery that groups by the primary key. It changes no row: without it
// PostgreSQL could read all rows of these users, if a new table has no statistics. `offset 0` has this effect too, but Citus then
// refuses to send the statement to several nodes. `user_id = any(…)` names the nodes to Citus. `or user_id = …[1]`
// changes nothing, but keeps PostgreSQL from using the list in an index: it would sort the list for every row that the statement asks
// for, and could read all rows of a user because it expects none.
import type { Queryable, Transaction } from './queryable.ts';

type Run<Item, Result> = (db: Queryable, items: readonly Item[]) => Promise<readonly Result[]>;
type Call = { readonly item: unknown; readonly done: PromiseWithResolvers<unknown> };

/** Of a transaction: keeps it short, as the first of a group waits for the last. Statements with a row of each are prepared. */
export const MAX_SHARING_USERS = 32;

const groups = new WeakMap<Queryable, Group>();

/**
 * Returns when all have ended. Rejects with the first failure, because the transaction then cannot be committed; later calls of the
 * others reject at once, so that they end soon.
 */
export async function runTogether<Result>(
  tx: Transaction,
  works: readonly ((tx: Transaction) => Promise<Result>)[],
): Promise<Result[]> {
  const group = new Group(tx, works.length);
  groups.set(group.tx, group);
  const running = works.map((work) => group.run(work));
  await Promise.allSettled(running); // nothing may use the transaction after its end
  group.throwIfFailed(); // even if the caller of the failed statement has caught the error
  return Promise.all(running);
}

/** `run` sends one statement for all items and returns a result for each. A user has one call at a time. */
export function sharedStatement<Item, Result>(run: Run<Item, Result>): (db: Queryable, item: Item) => Promise<Result> {
  const runAlone = async (db: Queryable, item: Item) => {
    const [result] = await run(db, [item]);
    return result as Result;
  };
  return (db, item) => {
    const group = groups.get(db);
    return group ? (group.call(run as Run<unknown, unknown>, item) as Promise<Result>) : runAlone(db, item);
  };
}

/** A shared statement without results. */
export function sharedWrite<Item>(
  write: (db: Queryable, items: readonly Item[]) => Promise<unknown>,
): (db: Queryable, item: Item) => Promise<void> {
  return sharedStatement<Item, void>(async (db, items) => {
    await write(db, items);
    return items.map(() => undefined);
  });
}

class Group {
  /** For the work of the users. */
  readonly tx: Transaction;
  /** In the order of the first call. The earliest is sent first, so that slower uploads catch up. */
  readonly #calls = new Map<Run<unknown, unknown>, Call[]>();
  #running: number;
  #waiting = 0;
  #failed: { readonly error: unknown } | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(tx: Transaction, running: number) {
    this.tx = { ...tx, query: (text, values) => this.#queue(() => tx.query<never>(text, values)) };
    this.#running = running;
  }

  async run<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    try {
      return await work(this.tx);
    } catch (error) {
      this.#fail(error);
      throw error;
    } finally {
      this.#running -= 1;
      this.#sendIfAllWait();
    }
  }

  call(run: Run<unknown, unknown>, item: unknown): Promise<unknown> {
    if (this.#failed !== null) return Promise.reject(this.#failed.error);
    const done = Promise.withResolvers<unknown>();
    this.#calls.getOrInsertComputed(run, () => []).push({ item, done });
    this.#waiting += 1;
    this.#sendIfAllWait();
    return done.promise;
  }

  throwIfFailed(): void {
    if (this.#failed !== null) throw this.#failed.error;
  }

  /** Calls that still wait are never sent. */
  #fail(error: unknown): void {
    if (this.#failed !== null) return;
    this.#failed = { error };
    this.#waiting = 0;
    for (const calls of this.#calls.values()) for (const { done } of calls.splice(0)) done.reject(error);
  }

  #sendIfAllWait(): void {
    if (this.#waiting === 0 || this.#waiting < this.#running) return;
    for (const [run, calls] of this.#calls) {
      if (calls.length === 0) continue;
      this.#waiting -= calls.length;
      void this.#send(run, calls.splice(0));
      return;
    }
  }

  /** Never rejects. */
  async #send(run: Run<unknown, unknown>, calls: readonly Call[]): Promise<void> {
    try {
      const items = calls.map(({ item }) => item);
      const results = await run(this.tx, items);
      for (const [index, { done }] of calls.entries()) done.resolve(results[index]);
    } catch (error) {
      this.#fail(error);
      for (const { done } of calls) done.reject(error);
    }
  }

  /** Sends one statement after the other, because the driver must not get the next before it has answered. */
  #queue<Rows>(send: () => Promise<Rows>): Promise<Rows> {
    const rows = this.#last.then(() => {
      this.throwIfFailed();
      return send();
    });
    this.#last = rows.catch((error: unknown) => this.#fail(error));
    return rows;
  }
}
