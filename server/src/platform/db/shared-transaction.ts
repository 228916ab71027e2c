// Lets the work of several users share one transaction. Each runs the same code as alone. Where it calls a shared statement it waits for
// the others, and the statement is sent once for all that called it.
import type { Queryable, Transaction } from './queryable.ts';

type Run<Item, Result> = (db: Queryable, items: readonly Item[]) => Promise<readonly Result[]>;
type Call = { readonly item: unknown; readonly done: PromiseWithResolvers<unknown> };

const groups = new WeakMap<Queryable, Group>();

/** Returns when all have ended; rejects if one of them fails, because the transaction then cannot be committed. */
export async function runTogether<Result>(
  tx: Transaction,
  works: readonly ((tx: Transaction) => Promise<Result>)[],
): Promise<Result[]> {
  const shared = queueStatements(tx);
  const group = new Group(shared, works.length);
  groups.set(shared, group);
  const running = works.map((work) => work(shared).finally(() => group.leave()));
  await Promise.allSettled(running); // nothing may use the transaction after its end
  return Promise.all(running);
}

/** `run` sends one statement for all items and returns a result for each. A user has one call at a time. */
export function sharedStatement<Item, Result>(run: Run<Item, Result>): (db: Queryable, item: Item) => Promise<Result> {
  return async (db, item) => {
    const group = groups.get(db);
    if (group) return group.call(run as Run<unknown, unknown>, item) as Promise<Result>;
    const [result] = await run(db, [item]);
    return result as Result;
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
  readonly #tx: Transaction;
  /** In the order of the first call. The earliest is sent first, so that whoever is behind catches up. */
  readonly #calls = new Map<Run<unknown, unknown>, Call[]>();
  #running: number;
  #waiting = 0;

  constructor(tx: Transaction, running: number) {
    this.#tx = tx;
    this.#running = running;
  }

  call(run: Run<unknown, unknown>, item: unknown): Promise<unknown> {
    const done = Promise.withResolvers<unknown>();
    this.#calls.getOrInsertComputed(run, () => []).push({ item, done });
    this.#waiting += 1;
    this.#sendIfAllWait();
    return done.promise;
  }

  leave(): void {
    this.#running -= 1;
    this.#sendIfAllWait();
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
      const results = await run(this.#tx, items);
      for (const [index, { done }] of calls.entries()) done.resolve(results[index]);
    } catch (error) {
      for (const { done } of calls) done.reject(error);
    }
  }
}

/** Sends one statement after the other, because the driver must not get the next before it has answered. */
function queueStatements(tx: Transaction): Transaction {
  let last: Promise<unknown> = Promise.resolve();
  return {
    kind: 'transaction',
    query(text, values) {
      const rows = last.then(() => tx.query<never>(text, values));
      last = rows.catch(() => undefined);
      return rows;
    },
  };
}
