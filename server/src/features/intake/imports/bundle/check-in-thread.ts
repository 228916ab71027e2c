// Checks a bundle in a thread, because its lines have several megabytes and are parsed at once.
import type { ThreadOutput } from '../../../../platform/threads/thread.ts';
import type { ThreadPool } from '../../../../platform/threads/thread-pool.ts';
import { ImportError } from '../import-error.ts';
import { type CheckedBundle, checkBundle } from './check-bundle.ts';
import { openBundle } from './open-bundle.ts';

type Input = { readonly path: string; readonly now: Date };
type Output = { readonly bundle: CheckedBundle } | { readonly fault: string };

export async function checkInThread(
  threads: ThreadPool,
  account: string,
  path: string,
  now: Date,
  signal: AbortSignal,
): Promise<CheckedBundle> {
  const input: Input = { path, now };
  const output = await threads.run<Output>({ module: new URL(import.meta.url), input, account, signal });
  if ('fault' in output) throw new ImportError(output.fault);
  return output.bundle;
}

/** Runs in the thread. */
export default async function checkForCaller({ path, now }: Input): Promise<ThreadOutput<Output>> {
  try {
    const bundle = await checkBundle(
      openBundle(path, () => undefined),
      now,
    );
    return { output: { bundle }, transfer: [] };
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    return { output: { fault: error.message }, transfer: [] };
  }
}
