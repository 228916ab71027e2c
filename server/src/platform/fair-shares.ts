// Shares a scarce resource (connections, CPU) fairly between accounts: at most `perAccount` tasks of one account and `atOnce`
// tasks of all accounts run at once. Free slots go round-robin to waiting accounts. A full queue rejects further tasks.
import { SECOND_MS } from '../domain/time/durations.ts';
import { AppError } from './errors.ts';

export type ShareLimits = {
  readonly atOnce: number;
  readonly perAccount: number;
  readonly waitingPerAccount: number;
};

export type FairShares = {
  /** Throws `overloaded` if the account's queue is full. */
  run<Result>(account: string, work: () => Promise<Result>): Promise<Result>;
  /** For the next step of a task that `run` started: never rejected, and before tasks that have not started. */
  resume<Result>(account: string, work: () => Promise<Result>): Promise<Result>;
};

type Account = { running: number; readonly waiting: (() => void)[] };

const RETRY_AFTER_MS = 5 * SECOND_MS; // about the time for a full queue of 100 ms calls

export function createFairShares({ atOnce, perAccount, waitingPerAccount }: ShareLimits): FairShares {
  /** Accounts with tasks; the one served last is at the end. */
  const accounts = new Map<string, Account>();
  let running = 0;

  /** A served account moves to the end, where this loop visits it again; the loop ends when no task can start. */
  function startWaiting(): void {
    for (const [key, account] of accounts) {
      if (running >= atOnce) return;
      if (account.running >= perAccount) continue;
      const start = account.waiting.shift();
      if (start === undefined) continue;
      running += 1;
      account.running += 1;
      moveToEnd(key, account);
      start();
    }
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
  };
}

export function overloaded(): AppError {
  return new AppError('overloaded', { retryAfterMs: RETRY_AFTER_MS });
}
