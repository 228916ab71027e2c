// One run of the postgres program: started as the database user, stopped politely first and by force last.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { type Account, presentSpawnIdentity } from './account.ts';
import type { ServerLog } from './server-log.ts';

export type ServerProcess = {
  /** Null when the program could not even be started. */
  readonly pid: number | null;
  /** Resolves to how it ended, in words. Never rejects. */
  readonly ended: Promise<string>;
  isRunning(): boolean;
  stop(): Promise<void>;
};

/** Each signal with the time it gets: fast shutdown (writes a checkpoint), immediate shutdown, the end. */
const STOP_STEPS: readonly (readonly [NodeJS.Signals, number])[] = [
  ['SIGINT', 30_000],
  ['SIGQUIT', 10_000],
  ['SIGKILL', 5000],
];

/** The last words may arrive after the exit; children of a killed server can hold the pipe open for longer. */
const LAST_WORDS_MS = 250;

export function spawnServer(
  program: string,
  serverArguments: readonly string[],
  account: Account | null,
  serverLog: ServerLog,
): ServerProcess {
  // In a session of its own: Ctrl-C in the terminal is for the service, which then stops the server in good order.
  const child = spawn(program, serverArguments, {
    ...presentSpawnIdentity(account),
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  serverLog.follow(child.stderr);
  let running = child.pid !== undefined;
  const closed = once(child, 'close').catch(() => undefined);
  const ended = new Promise<string>((resolve) => {
    const end = (how: string) => {
      running = false;
      void Promise.race([closed, delay(LAST_WORDS_MS, undefined, { ref: false })]).then(() => resolve(how));
    };
    child.once('error', (error) => end(`could not be run (${error.message})`));
    child.once('exit', (code, signal) => end(signal ? `was ended by ${signal}` : `ended with status ${code}`));
  });
  const stop = async () => {
    for (const [signal, limitMs] of STOP_STEPS) {
      if (!running) break;
      child.kill(signal);
      await waitAtMost(ended, limitMs);
    }
  };
  return { pid: child.pid ?? null, ended, isRunning: () => running, stop };
}

async function waitAtMost(promise: Promise<unknown>, limitMs: number): Promise<void> {
  const timer = new AbortController();
  const limit = delay(limitMs, undefined, { signal: timer.signal }).catch(() => undefined);
  await Promise.race([promise, limit]);
  timer.abort();
}
