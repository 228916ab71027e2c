// CPU-heavy work off the event loop, on threads that start when they are needed and end when they have been idle.
// Waiting tasks are started in round-robin order of their share (an account), so one share cannot hold up the others.
import { getCompileCacheDir } from 'node:module';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { AppError } from '../errors.ts';
import type { ThreadAnswer, ThreadData, ThreadRequest } from './thread.ts';

export type ThreadTask = {
  /** Its default export is the work: `(input) => { output, transfer }`, run in the thread. */
  readonly module: URL;
  readonly input: unknown;
  /** Moved instead of copied; the caller can no longer use them. */
  readonly transfer?: readonly ArrayBuffer[];
  /** Who the work is for. */
  readonly share: string;
};

export type ThreadPool = {
  run<Output>(task: ThreadTask): Promise<Output>;
  close(): Promise<void>;
};

type Waiting = PromiseWithResolvers<unknown> & { readonly task: ThreadTask };
type Thread = { readonly worker: Worker; current: Waiting | null; idleTimer: NodeJS.Timeout | null };

export type ThreadPoolOptions = {
  readonly threads?: number;
  readonly idleMs?: number;
  readonly maxWaitingPerShare?: number;
  readonly heapMb?: number;
};

/** One core stays with the event loop and the database; more than two threads would compete with both. */
const DEFAULT_THREADS = Math.max(1, Math.min(2, availableParallelism() - 1));
const DEFAULT_IDLE_MS = 30_000; // a thread costs about 30 MB; starting one takes a tenth of a second
const DEFAULT_MAX_WAITING = 64; // of one share: several seconds of work for a thread
const DEFAULT_HEAP_MB = 512; // three times what the largest accepted upload needs
const YOUNG_MB = 16; // what is parsed is short-lived, but a larger space is given back late
const RETRY_AFTER_SECONDS = '2';

export function createThreadPool(options: ThreadPoolOptions = {}): ThreadPool {
  const limit = options.threads ?? DEFAULT_THREADS;
  const idleMs = options.idleMs ?? DEFAULT_IDLE_MS;
  const maxWaiting = options.maxWaitingPerShare ?? DEFAULT_MAX_WAITING;
  const heapMb = options.heapMb ?? DEFAULT_HEAP_MB;
  const waiting = new Map<string, Waiting[]>(); // in the order in which the shares are served next
  const threads = new Set<Thread>();

  const startNext = () => {
    while (waiting.size > 0) {
      const idle = threads.values().find(({ current }) => current === null);
      if (idle === undefined && threads.size >= limit) return;
      assign(idle ?? addThread(), takeNext(waiting));
    }
  };

  const assign = (thread: Thread, next: Waiting) => {
    if (thread.idleTimer !== null) clearTimeout(thread.idleTimer);
    thread.idleTimer = null;
    thread.current = next;
    const { module, input, transfer = [] } = next.task;
    thread.worker.ref();
    thread.worker.postMessage({ module: module.href, input } satisfies ThreadRequest, [...transfer]);
  };

  const addThread = (): Thread => {
    const worker = new Worker(new URL('./thread.ts', import.meta.url), {
      name: 'tributary',
      workerData: { compiledCode: getCompileCacheDir() ?? null } satisfies ThreadData,
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: YOUNG_MB },
    });
    const thread: Thread = { worker, current: null, idleTimer: null };
    threads.add(thread);
    worker.on('message', (answer: ThreadAnswer) => {
      const { current } = thread;
      thread.current = null;
      worker.unref(); // an idle thread keeps no process alive
      thread.idleTimer = setTimeout(() => void retire(thread), idleMs).unref();
      if (current !== null) settle(current, answer);
      startNext();
    });
    worker.on('error', (error: Error & { code?: string }) => {
      threads.delete(thread);
      thread.current?.reject(outOfMemory(error) ? new AppError('payload_too_large') : error);
      thread.current = null;
      startNext();
    });
    return thread;
  };

  const retire = async (thread: Thread) => {
    threads.delete(thread);
    if (thread.idleTimer !== null) clearTimeout(thread.idleTimer);
    await thread.worker.terminate();
  };

  return {
    run<Output>(task: ThreadTask) {
      const queue = waiting.getOrInsertComputed(task.share, () => []);
      if (queue.length >= maxWaiting)
        return Promise.reject(new AppError('overloaded', { headers: { 'retry-after': RETRY_AFTER_SECONDS } }));
      const entry: Waiting = { ...Promise.withResolvers<unknown>(), task };
      queue.push(entry);
      startNext();
      return entry.promise as Promise<Output>;
    },
    async close() {
      const gone = new Error('the thread pool is closed');
      for (const queue of waiting.values()) for (const entry of queue) entry.reject(gone);
      waiting.clear();
      for (const { current } of threads) current?.reject(gone);
      await Promise.all([...threads].map(retire));
    },
  };
}

/** The oldest of the share that has waited longest for its next start. */
function takeNext(waiting: Map<string, Waiting[]>): Waiting {
  const [share, queue] = waiting.entries().next().value as [string, Waiting[]];
  const next = queue.shift() as Waiting;
  waiting.delete(share);
  if (queue.length > 0) waiting.set(share, queue); // to the end of the order
  return next;
}

function settle(entry: Waiting, answer: ThreadAnswer): void {
  if ('output' in answer) entry.resolve(answer.output);
  else if ('refusal' in answer) entry.reject(new AppError(answer.refusal.code, answer.refusal));
  else entry.reject(new Error(`a thread failed: ${answer.failure}`));
}

function outOfMemory({ code }: { code?: string }): boolean {
  return code === 'ERR_WORKER_OUT_OF_MEMORY';
}
