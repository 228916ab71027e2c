// The code of a thread of thread-pool.ts: loads the module of each task once and runs it.
import { enableCompileCache, flushCompileCache } from 'node:module';
import { parentPort, type Transferable, workerData } from 'node:worker_threads';
import type { ErrorCode } from '../error-codes.ts';
import { AppError, type ErrorDetails } from '../errors.ts';

/** The compile cache of the process, if any: without it a thread loads the TypeScript compiler, 20 MB. */
export type ThreadData = { readonly compiledCode: string | null };
export type ThreadRequest = { readonly module: string; readonly input: unknown };
/** The return value of a module's default export. */
export type ThreadOutput<Output = unknown> = {
  readonly output: Output;
  /** Moved to the caller instead of copied. */
  readonly transfer: readonly Transferable[];
};
export type ThreadAnswer =
  | { readonly output: unknown }
  | {
      readonly refusal: {
        readonly code: ErrorCode;
        readonly message: string;
        readonly details: ErrorDetails;
        readonly headers: Record<string, string>;
      };
    }
  | { readonly failure: string };

type ThreadModule = { readonly default: (input: unknown) => ThreadOutput | Promise<ThreadOutput> };

const { compiledCode } = workerData as ThreadData;
if (compiledCode !== null) enableCompileCache(compiledCode);
const loaded = new Map<string, Promise<ThreadModule>>();

async function load(module: string): Promise<ThreadModule> {
  const loading = import(module) as Promise<ThreadModule>;
  await loading;
  flushCompileCache(); // for the next thread
  return loading;
}

parentPort?.on('message', async ({ module, input }: ThreadRequest) => {
  try {
    const { default: work } = await loaded.getOrInsertComputed(module, load);
    const { output, transfer } = await work(input);
    parentPort?.postMessage({ output } satisfies ThreadAnswer, [...transfer]);
  } catch (error) {
    parentPort?.postMessage(describeFailure(error));
  }
});

/** Passes an AppError on to the caller; for anything else the stack goes to the log. */
function describeFailure(error: unknown): ThreadAnswer {
  if (error instanceof AppError) {
    const { code, message, details, headers } = error;
    return { refusal: { code, message, details, headers: { ...headers } } };
  }
  return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}
