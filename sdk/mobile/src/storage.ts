// The storage that an app injects: MMKV, SQLite, a file per key. Each `set` must be atomic and durable when it resolves.

export type Storage = {
  get(key: string): Promise<string | null>;
  set(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
  /** Every key that begins with the prefix, in any order. */
  keys(prefix: string): Promise<readonly string[]>;
};

/** For tests and previews: nothing survives the process. */
export function memoryStorage(values: Map<string, string> = new Map()): Storage {
  return {
    get: async (key) => values.get(key) ?? null,
    set: async (key, value) => void values.set(key, value),
    delete: async (key) => void values.delete(key),
    keys: async (prefix) => [...values.keys()].filter((key) => key.startsWith(prefix)),
  };
}

export async function readJson<Value>(storage: Storage, key: string): Promise<Value | null> {
  const text = await storage.get(key);
  return text === null ? null : (JSON.parse(text) as Value);
}
