// CPU-heavy work off the event loop, on threads that start when they are needed and end when they have been idle. Accounts have
// fair shares of them.
import { getCompileCacheDir } from 'node:module';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { AppError } from '../errors.ts';
import { createFairShares } from '../fair-shares.ts';
import type { ThreadAnswer, ThreadData, ThreadRequest } from './thread.ts';

export type ThreadTask = {
  /** Its default export is the work: `(input) => { output, transfer }`, run in the thread. */
  readonly module: URL;
  readonly input: unknown;
  /** Moved instead of copied; the caller can no longer use them. */
  readonly transfer?: readonly ArrayBuffer[];
  readonly account: string;
};

export type ThreadPool = {
  /** Throws `overloaded` if too much of the account waits already. */
  run<Output>(task: ThreadTask): Promise<Output>;
  close(): Promise<void>;
};

export type ThreadPoolOptions = {
  readonly threads?: number;
  readonly idleMs?: number;
  readonly waitingPerAccount?: number;
  readonly heapMb?: number;
};

type Thread = { readonly worker: Worker; idleTimer: NodeJS.Timeout | null };

/** One core stays with the event loop and the database; more than two threads would compete with both. */
const DEFAULT_THREADS = Math.max(1, Math.min(2, availableParallelism() - 1));
const DEFAULT_IDLE_MS = 30_000; // a thread costs about 35 MB; starting one takes a tenth of a second
const DEFAULT_WAITING = 64; // several seconds of work for a thread
const DEFAULT_HEAP_MB = 512; // three times what the largest accepted upload needs
const YOUNG_MB = 16; // what is parsed is short-lived, but a larger space is given back late

export function createThreadPool(options: ThreadPoolOptions = {}): ThreadPool {
  const { threads = DEFAULT_THREADS, idleMs = DEFAULT_IDLE_MS, heapMb = DEFAULT_HEAP_MB } = options;
  const waitingPerAccount = options.waitingPerAccount ?? DEFAULT_WAITING;
  const shares = createFairShares({ atOnce: threads, perAccount: threads, waitingPerAccount });
  const all = new Set<Thread>();
  const idle: Thread[] = [];

  function startThread(): Thread {
    const worker = new Worker(new URL('./thread.ts', import.meta.url), {
      name: 'tributary',
      workerData: { compiledCode: getCompileCacheDir() ?? null } satisfies ThreadData,
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: YOUNG_MB },
    });
    const thread = { worker, idleTimer: null };
    worker.once('exit', () => {
      all.delete(thread);
      if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1);
    });
    all.add(thread);
    return thread;
  }

  async function runIn(thread: Thread, { module, input, transfer = [] }: ThreadTask): Promise<unknown> {
    if (thread.idleTimer !== null) clearTimeout(thread.idleTimer);
    thread.worker.ref();
    thread.worker.postMessage({ module: module.href, input } satisfies ThreadRequest, [...transfer]);
    const answer = await nextAnswer(thread.worker);
    thread.worker.unref(); // an idle thread keeps no process alive
    thread.idleTimer = setTimeout(() => void thread.worker.terminate(), idleMs).unref();
    idle.push(thread);
    return open(answer);
  }

  return {
    run: <Output>(task: ThreadTask) =>
      shares.run(task.account, () => runIn(idle.pop() ?? startThread(), task)) as Promise<Output>,
    async close() {
      await Promise.all([...all].map(({ worker }) => worker.terminate()));
    },
  };
}

function nextAnswer(worker: Worker): Promise<ThreadAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<ThreadAnswer>();
  const onError = (error: Error & { code?: string }) =>
    reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new AppError('payload_too_large') : error);
  const onExit = () => reject(new Error('the thread has ended'));
  worker.once('message', resolve).once('error', onError).once('exit', onExit);
  return promise.finally(() => worker.off('message', resolve).off('error', onError).off('exit', onExit));
}

function open(answer: ThreadAnswer): unknown {
  if ('output' in answer) return answer.output;
  if ('refusal' in answer) throw new AppError(answer.refusal.code, answer.refusal);
  throw new Error(`a thread failed: ${answer.failure}`);
}
