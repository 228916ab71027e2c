// One run of the postgres program: starts it as the database user, and stops it gracefully first and by force last.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { presentSpawnIdentity, type UnixAccount } from './account.ts';
import type { ServerLog } from './server-log.ts';

export type ServerProcess = {
  /** Null: the program could not be started. */
  readonly pid: number | null;
  /** Resolves to a description of how it ended. Never rejects. */
  readonly ended: Promise<string>;
  isRunning(): boolean;
  stop(): Promise<void>;
};

/** Each signal with its time limit: fast shutdown (writes a checkpoint), immediate shutdown, kill. */
const STOP_STEPS: readonly (readonly [NodeJS.Signals, number])[] = [
  ['SIGINT', 30_000],
  ['SIGQUIT', 10_000],
  ['SIGKILL', 5000],
];

/** Output can arrive after the exit, but children of a killed server can keep the pipe open for longer. */
const LAST_WORDS_MS = 250;

export function spawnServer(
  program: string,
  serverArguments: readonly string[],
  account: UnixAccount | null,
  serverLog: ServerLog,
): ServerProcess {
  // In its own session, so that Ctrl-C reaches only the service, which then stops the server cleanly.
  const child = spawn(program, serverArguments, {
    ...presentSpawnIdentity(account),
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const { stderr } = child as ChildProcess; // null if there are too many open files, and 'error' follows
  if (stderr) serverLog.follow(stderr);
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
