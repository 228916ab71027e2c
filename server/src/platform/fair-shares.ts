// Shares a scarce resource (connections, CPU) fairly between accounts: at most `atOnce` tasks run at once. An account that runs a task
// starts another one only while all accounts together run fewer than `perAccount`, so that the other slots are left for accounts that
// run none. A free slot goes to the waiting account that runs fewest, and round-robin. A full queue rejects further tasks.
import { SECOND_MS } from '../domain/time/durations.ts';
import { AppError } from './errors.ts';

export type ShareLimits = {
  readonly atOnce: number;
  /** What one account uses alone. The others of `atOnce` are for accounts that run none. */
  readonly perAccount: number;
  readonly waitingPerAccount: number;
};

export type FairShares = {
  /** Throws `overloaded` if the account's queue is full. */
  run<Result>(account: string, work: () => Promise<Result>): Promise<Result>;
  /** For the next step of a task that `run` started: never rejected, and before tasks that have not started. */
  resume<Result>(account: string, work: () => Promise<Result>): Promise<Result>;
  /** Whether an account that runs no task waits. */
  isWanted(): boolean;
};

type Account = { running: number; readonly waiting: (() => void)[] };

const RETRY_AFTER_MS = 5 * SECOND_MS; // about the time for a full queue of 100 ms calls

export function createFairShares({ atOnce, perAccount, waitingPerAccount }: ShareLimits): FairShares {
  /** Accounts with tasks; the one served last is at the end. */
  const accounts = new Map<string, Account>();
  let running = 0;

  function startWaiting(): void {
    for (let next = findNext(); next !== null; next = findNext()) {
      const [key, account] = next;
      running += 1;
      account.running += 1;
      moveToEnd(key, account);
      account.waiting.shift()?.();
    }
  }

  /** Of the accounts that may start a task, the one that runs fewest; of several, the one served longest ago. */
  function findNext(): [string, Account] | null {
    let next: [string, Account] | null = null;
    if (running >= atOnce) return next;
    for (const entry of accounts) {
      const [, { running: own, waiting }] = entry;
      if (waiting.length === 0 || (own > 0 && running >= perAccount)) continue;
      if (next === null || own < next[1].running) next = entry;
    }
    return next;
  }

  function moveToEnd(key: string, account: Account): void {
    accounts.delete(key);
    accounts.set(key, account);
  }

  async function runWhenFree<Result>(key: string, isResumed: boolean, work: () => Promise<Result>): Promise<Result> {
    const account = accounts.getOrInsertComputed(key, () => ({ running: 0, waiting: [] }));
    const { promise: started, resolve: start } = Promise.withResolvers<void>();
    if (isResumed) account.waiting.unshift(start);
    else account.waiting.push(start);
    startWaiting();
    await started;
    try {
      return await work();
    } finally {
      running -= 1;
      account.running -= 1;
      if (account.running === 0 && account.waiting.length === 0) accounts.delete(key);
      else moveToEnd(key, account);
      startWaiting();
    }
  }

  return {
    async run(key, work) {
      if ((accounts.get(key)?.waiting.length ?? 0) >= waitingPerAccount) throw overloaded();
      return runWhenFree(key, false, work);
    },
    resume: (key, work) => runWhenFree(key, true, work),
    isWanted: () => accounts.values().some((account) => account.running === 0 && account.waiting.length > 0),
  };
}

export function overloaded(): AppError {
  return new AppError('overloaded', { retryAfterMs: RETRY_AFTER_MS });
}
