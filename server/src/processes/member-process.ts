// One process of the group, as the supervisor sees it.
import cluster from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import { SECOND_MS } from '../domain/time/durations.ts';
import { CliError } from '../platform/cli-error.ts';
import type { MetricValues } from '../platform/metrics.ts';
import { ALIVE_EVERY_MS, type Assignment, type FromMember, type ToMember } from './messages.ts';

class MemberStartError extends CliError {}

export type MemberProcess = {
  readonly pid: number;
  readonly startedMs: number;
  /** The public URL. Rejects if the process ends before it is ready. */
  readonly ready: Promise<string>;
  /** Resolves with the reason. */
  readonly exited: Promise<string>;
  isReady(): boolean;
  send(message: ToMember): void;
  /** After `exited`, when all its messages have arrived. */
  readonly closed: Promise<unknown>;
  /** Resolves when `lastMetrics` is new, or at the latest after a limit. */
  readMetrics(): Promise<void>;
  /** Null: it has not answered yet. */
  lastMetrics(): MetricValues | null;
  kill(): void;
};

const METRICS_LIMIT_MS = 4_000; // a scrape should get the others' metrics without a process that hangs
const MAX_SILENT_CHECKS = 6; // no work blocks a process for half a minute. Checks are counted, because a machine can sleep

/** The process loads its code at once and begins when it has its assignment. */
export function startMember(
  role: Assignment['role'],
  assignment: Promise<Assignment>,
  renderMetrics: () => Promise<string | null>,
): MemberProcess {
  const member = cluster.fork();
  assignment.catch(() => undefined); // may fail before the process has loaded its code; the supervisor has the reason
  const ready = Promise.withResolvers<string>();
  const exited = Promise.withResolvers<string>();
  ready.promise.catch(() => undefined); // also awaited by nobody while the supervisor stops
  const disconnected = Promise.withResolvers<void>();
  const requests = new Map<number, () => void>();
  let lastMetrics: MetricValues | null = null;
  let isReady = false;
  let hasExited = false;
  let failure: string | null = null;
  let count = 0;
  let silentChecks = 0;
  let saysAlive = false; // not while it loads its code, nor if it runs an earlier version
  const send = (message: ToMember) => {
    if (member.isConnected()) member.send(message, () => undefined); // an error means that it ends, which is handled below
  };
  const kill = () => {
    if (!hasExited) member.process.kill('SIGKILL');
  };
  const watch = setInterval(() => {
    silentChecks += 1;
    if (!saysAlive || silentChecks <= MAX_SILENT_CHECKS) return;
    failure = `The ${role} process did not respond for ${(MAX_SILENT_CHECKS * ALIVE_EVERY_MS) / SECOND_MS} seconds and was killed.`;
    kill();
  }, ALIVE_EVERY_MS).unref();
  const endWith = (reason: string) => {
    hasExited = true;
    isReady = false;
    clearInterval(watch);
    ready.reject(new MemberStartError(reason));
    exited.resolve(reason);
    for (const resolve of requests.values()) resolve();
  };
  member.on('message', (message: FromMember) => {
    silentChecks = 0;
    if (message.kind === 'loaded') {
      const begin = (known: Assignment) => send({ kind: 'begin', assignment: known });
      assignment.then(begin, () => undefined); // without one the supervisor stops it
    } else if (message.kind === 'alive') saysAlive = true;
    else if (message.kind === 'ready') {
      isReady = true;
      ready.resolve(message.publicUrl);
    } else if (message.kind === 'failed') failure = message.message;
    else if (message.kind === 'last metrics') lastMetrics = message.values;
    else if (message.kind === 'metrics') {
      lastMetrics = message.values ?? lastMetrics;
      requests.get(message.id)?.();
    } else if (message.kind === 'render metrics')
      renderMetrics().then((text) => send({ kind: 'rendered metrics', id: message.id, text }));
  });
  member.on('error', ({ message }: Error) => {
    if (member.process.pid !== undefined) return; // 'exit' follows
    disconnected.resolve();
    endWith(
      `The ${role} process could not be created: ${message}. Raise the limits of open files and processes (ulimit -n, ulimit -u), or start fewer with --processes.`,
    );
  });
  member.on('exit', (code, signal) =>
    endWith(failure ?? `The ${role} process ended with ${signal ?? `exit code ${code}`}.`),
  );
  member.on('disconnect', () => disconnected.resolve());
  return {
    pid: member.process.pid ?? 0,
    startedMs: performance.now(),
    ready: ready.promise,
    exited: exited.promise,
    closed: Promise.all([exited.promise, disconnected.promise]),
    lastMetrics: () => lastMetrics,
    isReady: () => isReady,
    send,
    async readMetrics() {
      if (hasExited) return;
      const id = ++count;
      const answer = Promise.withResolvers<void>();
      requests.set(id, answer.resolve);
      send({ kind: 'read metrics', id });
      await Promise.race([answer.promise, delay(METRICS_LIMIT_MS, undefined, { ref: false })]);
      requests.delete(id);
    },
    kill,
  };
}
