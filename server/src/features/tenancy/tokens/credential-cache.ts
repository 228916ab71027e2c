// A cache that is cleared when any credential changes, and bypassed while changes cannot be detected.
import { createBoundedMap } from '../../../domain/bounded-map.ts';
import type { CredentialVersion } from '../../../platform/credential-version.ts';

type CredentialCache<Value> = {
  /** Undefined if not cached, or if the cache may be outdated. */
  read(key: string): Value | undefined;
  /** Returns the cached value or looks it up. Joins concurrent look-ups of one key; errors are not cached. */
  load(key: string, lookUp: () => Promise<Value>): Promise<Value>;
};

const MAX_ENTRIES = 20_000; // a few megabytes

export function createCredentialCache<Value>(version: CredentialVersion): CredentialCache<Value> {
  const entries = createBoundedMap<string, Value>(MAX_ENTRIES);
  const pending = new Map<string, Promise<Value>>();
  version.onChange(() => {
    entries.clear();
    pending.clear();
  });

  async function lookUpOnce(key: string, lookUp: () => Promise<Value>): Promise<Value> {
    const generation = version.generation();
    try {
      const value = await lookUp();
      if (generation === version.generation()) entries.set(key, value);
      return value;
    } finally {
      if (generation === version.generation()) pending.delete(key);
    }
  }

  function read(key: string): Value | undefined {
    return version.isFresh() ? entries.get(key) : undefined;
  }

  return {
    read,
    load(key, lookUp) {
      const cached = read(key);
      if (cached !== undefined) return Promise.resolve(cached);
      let lookingUp = pending.get(key);
      if (!lookingUp) {
        lookingUp = lookUpOnce(key, lookUp);
        pending.set(key, lookingUp);
      }
      return lookingUp;
    },
  };
}
