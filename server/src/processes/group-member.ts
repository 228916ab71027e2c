// The side of the process that the supervisor started: receives its assignment, reports, and answers.
import cluster from 'node:cluster';
import { CliError } from '../platform/cli-error.ts';
import type { MetricValues } from '../platform/metrics.ts';
import { ALIVE_EVERY_MS, type Assignment, type FromMember, type ToMember } from './messages.ts';

export type GroupMember = {
  readonly assignment: Promise<Assignment>;
  /** Resolves when the supervisor ends this process. */
  readonly ended: Promise<'stop' | 'retire'>;
  /** Null: the supervisor did not answer. */
  renderMetrics(): Promise<string | null>;
  report(message: FromMember): Promise<void>;
  answerMetrics(read: () => Promise<MetricValues>): void;
};

export const isGroupMember = cluster.isWorker;

export function joinProcessGroup(): GroupMember {
  const assignment = Promise.withResolvers<Assignment>();
  const ended = Promise.withResolvers<'stop' | 'retire'>();
  const renders = new Map<number, (text: string | null) => void>();
  let readMetrics: (() => Promise<MetricValues>) | null = null;
  let count = 0;

  const report = (message: FromMember) =>
    new Promise<void>((resolve) => {
      if (process.connected) process.send?.(message, () => resolve());
      else resolve();
    });
  process.on('message', async (message: ToMember) => {
    if (message.kind === 'begin') assignment.resolve(message.assignment);
    else if (message.kind === 'stop' || message.kind === 'retire') ended.resolve(message.kind);
    else if (message.kind === 'rendered metrics') renders.get(message.id)?.(message.text);
    else if (message.kind === 'read metrics') {
      const values = await readMetrics?.().catch(() => null);
      void report({ kind: 'metrics', id: message.id, values: values ?? null });
    }
  });
  void report({ kind: 'loaded' });
  const sayAlive = () => void report({ kind: 'alive' });
  sayAlive();
  setInterval(sayAlive, ALIVE_EVERY_MS).unref();

  return {
    assignment: assignment.promise,
    ended: ended.promise,
    report,
    async renderMetrics() {
      const id = ++count;
      const { promise, resolve } = Promise.withResolvers<string | null>();
      renders.set(id, resolve);
      await report({ kind: 'render metrics', id });
      const text = await promise;
      renders.delete(id);
      return text;
    },
    answerMetrics: (read) => {
      readMetrics = read;
    },
  };
}

/** A message for the operator, or null if the error is a bug, whose stack belongs to the log. */
export function describeFailure(error: unknown): string | null {
  return error instanceof CliError ? error.message : null;
}
