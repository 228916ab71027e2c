// Runs CPU-heavy work on threads, which start on demand and end when idle. Accounts have fair shares of them.
import { getCompileCacheDir } from 'node:module';
import { availableParallelism } from 'node:os';
import { type Transferable, Worker } from 'node:worker_threads';
import { AppError } from '../errors.ts';
import { createFairShares } from '../fair-shares.ts';
import type { ThreadAnswer, ThreadData, ThreadRequest } from './thread.ts';

type ThreadTask = {
  /** The default export runs in the thread: `(input) => { output, transfer }`. */
  readonly module: URL;
  readonly input: unknown;
  /** Moved instead of copied, so the caller can no longer use them. */
  readonly transfer?: readonly Transferable[];
  readonly account: string;
  /** A task that takes longer fails, and its thread ends. */
  readonly limitMs?: number;
  /** Fails the task with its reason, after the thread has ended or at once if the task waits for one. */
  readonly signal?: AbortSignal;
};

export type ThreadPool = {
  /** Throws `overloaded` if the account's queue is full. */
  run<Output>(task: ThreadTask): Promise<Output>;
  /** Whether an account without a thread waits for one. */
  isWanted(): boolean;
  close(): Promise<void>;
};

export type ThreadPoolOptions = {
  readonly threads?: number;
  readonly idleMs?: number;
  readonly waitingPerAccount?: number;
  readonly heapMb?: number;
};

type Thread = {
  readonly worker: Worker;
  /** Settles the current task. */
  current: PromiseWithResolvers<ThreadAnswer> | null;
  idleTimer: NodeJS.Timeout | null;
};

/** The package contains compiled files. */
const THREAD = new URL(import.meta.url.endsWith('.ts') ? './thread.ts' : './thread.js', import.meta.url);
/** One core is left for the event loop and the database; more than two threads would compete with both. */
const DEFAULT_THREADS = Math.max(1, Math.min(2, availableParallelism() - 1));
const DEFAULT_IDLE_MS = 30_000; // a thread costs about 35 MB; starting one takes a tenth of a second
const DEFAULT_WAITING = 64; // several seconds of work for a thread
const DEFAULT_HEAP_MB = 512; // three times the needs of the largest accepted upload
const YOUNG_MB = 16; // parsed data is short-lived, but a larger space is freed late

export function createThreadPool(options: ThreadPoolOptions = {}): ThreadPool {
  const { threads = DEFAULT_THREADS, idleMs = DEFAULT_IDLE_MS, heapMb = DEFAULT_HEAP_MB } = options;
  const waitingPerAccount = options.waitingPerAccount ?? DEFAULT_WAITING;
  const shares = createFairShares({ atOnce: threads, perAccount: threads, waitingPerAccount });
  const all = new Set<Thread>();
  const idle = new Set<Thread>();

  function startThread(): Thread {
    const worker = new Worker(THREAD, {
      name: 'tributary',
      workerData: { compiledCode: getCompileCacheDir() ?? null } satisfies ThreadData,
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: YOUNG_MB },
    });
    const thread: Thread = { worker, current: null, idleTimer: null };
    const end = (error: Error) => {
      forget(thread);
      thread.current?.reject(error);
    };
    worker.on('message', (answer: ThreadAnswer) => thread.current?.resolve(answer));
    worker.on('error', (error: Error) => end(isOutOfMemory(error) ? new AppError('payload_too_large') : error));
    worker.on('exit', () => end(new Error('thread ended')));
    all.add(thread);
    return thread;
  }

  function forget(thread: Thread): void {
    if (thread.idleTimer !== null) clearTimeout(thread.idleTimer);
    all.delete(thread);
    idle.delete(thread);
  }

  function takeThread(): Thread {
    const [thread = startThread()] = idle;
    idle.delete(thread);
    if (thread.idleTimer !== null) clearTimeout(thread.idleTimer);
    thread.worker.ref();
    return thread;
  }

  function rest(thread: Thread): void {
    thread.current = null;
    if (!all.has(thread)) return; // it has ended
    thread.worker.unref(); // an idle thread does not keep the process alive
    idle.add(thread);
    thread.idleTimer = setTimeout(() => {
      forget(thread); // first, so that no task gets a thread that is about to end
      void thread.worker.terminate();
    }, idleMs).unref();
  }

  async function endThread(thread: Thread, reason: unknown): Promise<void> {
    const { current } = thread;
    thread.current = null;
    forget(thread);
    await thread.worker.terminate();
    current?.reject(reason);
  }

  async function runTask({ module, input, transfer = [], limitMs, signal }: ThreadTask): Promise<unknown> {
    signal?.throwIfAborted();
    const thread = takeThread();
    const current = Promise.withResolvers<ThreadAnswer>();
    thread.current = current;
    const onLimit = () => void endThread(thread, new Error(`the thread took more than ${limitMs} ms`));
    const limit = limitMs === undefined ? null : setTimeout(onLimit, limitMs);
    const onAbort = () => void endThread(thread, signal?.reason);
    signal?.addEventListener('abort', onAbort);
    try {
      thread.worker.postMessage({ module: module.href, input } satisfies ThreadRequest, [...transfer]);
      return open(await current.promise);
    } finally {
      if (limit !== null) clearTimeout(limit);
      signal?.removeEventListener('abort', onAbort);
      rest(thread);
    }
  }

  function run(task: ThreadTask): Promise<unknown> {
    const ended = Promise.withResolvers<unknown>();
    let isWaiting = true;
    const work = shares.run(task.account, () => {
      isWaiting = false;
      return runTask(task);
    });
    work.then(ended.resolve, ended.reject);
    task.signal?.addEventListener('abort', () => isWaiting && ended.reject(task.signal?.reason), { once: true });
    return ended.promise;
  }

  return {
    run: <Output>(task: ThreadTask) => run(task) as Promise<Output>,
    isWanted: shares.isWanted,
    async close() {
      await Promise.all([...all].map(({ worker }) => worker.terminate()));
    },
  };
}

function open(answer: ThreadAnswer): unknown {
  if ('output' in answer) return answer.output;
  if ('refusal' in answer) throw new AppError(answer.refusal.code, answer.refusal);
  throw new Error(`thread failed: ${answer.failure}`);
}

function isOutOfMemory(error: Error & { code?: string }): boolean {
  return error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
