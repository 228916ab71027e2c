// Reads a file in a thread, which makes the bodies of uploads one ahead of the service. So a file that takes long or much memory
// to read holds up neither the requests of the process nor the service, and the memory of reading has a limit.
import { MessageChannel, type MessagePort, type Transferable } from 'node:worker_threads';
import { MINUTE_MS } from '../../../domain/time/durations.ts';
import { AppError } from '../../../platform/errors.ts';
import type { ThreadOutput } from '../../../platform/threads/thread.ts';
import { createThreadPool, type ThreadPool } from '../../../platform/threads/thread-pool.ts';
import {
  type BatchConsumer,
  type CollectedBatch,
  collectBatches,
  type ReadFrom,
  type ReadResult,
  type ReadState,
} from './collect-batches.ts';
import { ImportError, importError } from './import-error.ts';
import type { ImportReader } from './import-reader.ts';
import type { ImportFormat, ImportOptions } from './open-import.ts';

type Input = { readonly path: string; readonly options: ImportOptions; readonly port: MessagePort };
type Failure = { readonly message: string; readonly isPartial: boolean; readonly saysNothingImported: boolean };
type FromThread =
  | { readonly kind: 'opened'; readonly format: ImportFormat; readonly totalBytes: number }
  | { readonly kind: 'batch'; readonly batch: CollectedBatch; readonly state: ReadState }
  | { readonly kind: 'progress'; readonly state: ReadState };
type ToThread = ReadFrom | 'next';
type Output = { readonly failure: Failure } | (Omit<ReadResult, 'failure'> & { readonly failure: Failure | null });

/** Each import of a process at a time has a thread; further ones wait. */
const THREADS = 4;
/** A file can take hours, so an import leaves its thread to one that waits after this time, and continues behind it. */
const SLICE_MS = MINUTE_MS;
/** Pending batches take 60 MB at most; JSON files of account exports, which are read at once, several times their size. */
const HEAP_MB = 384;
const BATCHES_AHEAD = 1;

export type ImportThreads = ThreadPool & { readonly sliceMs: number };

export function createImportThreads({ threads = THREADS, sliceMs = SLICE_MS } = {}): ImportThreads {
  return { ...createThreadPool({ threads, heapMb: HEAP_MB }), sliceMs };
}

export async function openInThread(
  threads: Pick<ThreadPool, 'run'>,
  account: string,
  path: string,
  options: ImportOptions,
  signal?: AbortSignal,
): Promise<ImportReader> {
  const { port1: port, port2 } = new MessageChannel();
  const input: Input = { path, options, port: port2 };
  const ended = threads.run<Output>({
    module: new URL(import.meta.url),
    input,
    transfer: [port2],
    account,
    ...(signal && { signal }),
  });
  const close = () => port.close();
  const opened = Promise.withResolvers<{ format: ImportFormat; totalBytes: number }>();
  let consumer: BatchConsumer | null = null;
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  let queue = Promise.resolve();
  port.on('message', (message: FromThread) => {
    if (message.kind === 'opened') opened.resolve(message);
    else if (message.kind === 'progress') consumer?.onProgress(message.state);
    else {
      // Stays rejected: no batch is stored after one that was not.
      queue = queue
        .then(() => consumer?.onBatch(message.batch, message.state))
        .then(() => port.postMessage('next' satisfies ToThread));
      queue.catch(failed.reject);
    }
  });
  const finished = ended.then(openOutput, explain).finally(close);
  finished.catch(opened.reject);
  const { format, totalBytes } = await opened.promise;
  return {
    format,
    totalBytes,
    async read(from, received) {
      consumer = received;
      port.postMessage({ runId: from.runId, batches: from.batches } satisfies ToThread);
      const result = await Promise.race([finished, failed.promise]);
      await Promise.race([queue, failed.promise]);
      return result;
    },
    close,
  };
}

function openOutput(output: Output): ReadResult {
  if (!('records' in output)) throw toError(output.failure);
  return { ...output, failure: output.failure === null ? null : toError(output.failure) };
}

function toError({ message, ...facts }: Failure): ImportError {
  return new ImportError(message, facts);
}

function explain(error: unknown): never {
  if (error instanceof AppError && error.code === 'payload_too_large')
    throw importError('The file needs more memory than an import has. Unpack or split it, and import the parts.');
  throw error;
}

/** Runs in the thread. */
export default async function readForImport({ path, options, port }: Input): Promise<ThreadOutput<Output>> {
  const caller = watchCaller(port);
  const post = (message: FromThread, transfer: Transferable[] = []) => port.postMessage(message, transfer);
  try {
    const { openImport } = await import('./open-import.ts'); // only the thread needs the readers
    const opened = await openImport(path, options);
    try {
      post({ kind: 'opened', format: opened.format, totalBytes: opened.totalBytes });
      await caller.waitFor(() => caller.messages.length > 0);
      let sent = 0;
      const isStored = (ahead: number) => () => sent - (caller.messages.length - 1) <= ahead;
      const result = await collectBatches(opened, caller.messages[0] as ReadFrom, {
        async onBatch(batch, state) {
          post({ kind: 'batch', batch, state }, [batch.json.buffer]);
          sent += 1;
          await caller.waitFor(isStored(BATCHES_AHEAD));
        },
        onProgress: (state) => post({ kind: 'progress', state }),
      });
      await caller.waitFor(isStored(0));
      return { output: { ...result, failure: result.failure && describe(result.failure) }, transfer: [] };
    } finally {
      opened.close();
    }
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    return { output: { failure: describe(error) }, transfer: [] };
  } finally {
    port.close();
  }
}

/** `waitFor` throws if the caller closed the port, because the import was cancelled or failed. */
function watchCaller(port: MessagePort) {
  const messages: ToThread[] = [];
  let isClosed = false;
  let wake = () => {};
  port.on('message', (message: ToThread) => {
    messages.push(message);
    wake();
  });
  port.on('close', () => {
    isClosed = true;
    wake();
  });
  return {
    messages: messages as readonly ToThread[],
    async waitFor(condition: () => boolean): Promise<void> {
      while (!condition() && !isClosed) {
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        await promise;
      }
      if (isClosed) throw new Error('the import was stopped');
    },
  };
}

function describe({ message, isPartial, saysNothingImported }: ImportError): Failure {
  return { message, isPartial, saysNothingImported };
}
