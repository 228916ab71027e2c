// Removes everything that one person left, also if the process ends in the middle: otherwise the rest would be sent for the next
// person, or an anchor would outlive the queue that it stands for.
import type { Storage } from './storage.ts';

export type ClearableStorage = {
  /** Its first call finishes a removal that was interrupted. */
  readonly storage: Storage;
  /** From now on the removal is finished at the next start, whatever happens to this process. */
  beginClear(): Promise<void>;
  clear(): Promise<void>;
};

export function createClearableStorage(disk: Storage, prefix: string): ClearableStorage {
  const markKey = `${prefix}clearing`;
  let opening: Promise<void> | null = null;

  async function clear(): Promise<void> {
    for (const key of await disk.keys(prefix)) if (key !== markKey) await disk.delete(key);
    await disk.delete(markKey);
  }

  async function finishClear(): Promise<void> {
    if ((await disk.get(markKey)) !== null) await clear();
  }

  /** After a failure the next call tries again. */
  function open(finish: () => Promise<void> = finishClear): Promise<void> {
    opening ??= finish().catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return opening;
  }

  return {
    storage: {
      get: (key) => open().then(() => disk.get(key)),
      set: (key, value) => open().then(() => disk.set(key, value)),
      delete: (key) => open().then(() => disk.delete(key)),
      keys: (below) => open().then(() => disk.keys(below)),
    },
    async beginClear() {
      await open();
      // A storage without room for the mark is cleared all the same.
      await disk.set(markKey, '1').catch(() => undefined);
    },
    clear() {
      opening = null;
      return open(clear);
    },
  };
}
