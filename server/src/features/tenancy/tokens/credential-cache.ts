// A cache that forgets everything when a credential changes anywhere, and everything it cannot vouch for.
import type { CredentialVersion } from '../../../platform/credential-version.ts';

export type CredentialCache<Value> = {
  /** Undefined when not cached, or when the cache may not be trusted at this moment. */
  read(key: string): Value | undefined;
  /** Cached, or looked up; simultaneous look-ups of one key are one. What throws is not cached. */
  load(key: string, lookUp: () => Promise<Value>): Promise<Value>;
};

const MAX_ENTRIES = 20_000; // a few megabytes; beyond that the cache starts anew

export function createCredentialCache<Value>(version: CredentialVersion): CredentialCache<Value> {
  const entries = new Map<string, Value>();
  const pending = new Map<string, Promise<Value>>();
  version.onChange(() => {
    entries.clear();
    pending.clear();
  });

  async function lookUpOnce(key: string, lookUp: () => Promise<Value>): Promise<Value> {
    const generation = version.generation();
    try {
      const value = await lookUp();
      if (generation === version.generation()) {
        if (entries.size >= MAX_ENTRIES) entries.clear();
        entries.set(key, value);
      }
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
