// A phone on which everything fails: the process ends at any storage or network call, requests and answers get lost, the clock jumps.
// What survives is the storage, and the platform's own list of changes, which the app reads again from its stored anchor.
import { createMobileClient, type MobileClient, memoryStorage } from '../src/index.ts';
import type { Changes } from '../src/upload.ts';

/** The process has ended; every later call of it fails as well. */
export class Killed extends Error {}

export type PhoneOptions = {
  readonly baseUrl: string;
  readonly getToken: () => Promise<string>;
  readonly random: () => number;
  /** Share of requests that are lost before or after they arrive, or meet a broken proxy. */
  readonly lossRate: number;
};

export function createHostilePhone(options: PhoneOptions) {
  const { random, lossRate } = options;
  const values = new Map<string, string>();
  const disk = memoryStorage(values);
  let clockMs = Date.now();
  const counts = { kills: 0, lost: 0, refreshes: 0 };

  /** One process: ends at the `killAt`-th call (0: never), before or after the call had its effect. */
  function start(killAt: number): MobileClient {
    let calls = 0;
    let isDead = false;
    async function step<Value>(effect: () => Promise<Value>): Promise<Value> {
      if (isDead) throw new Killed();
      calls += 1;
      if (calls !== killAt) return effect();
      isDead = true;
      counts.kills += 1;
      if (random() < 0.5) await effect();
      throw new Killed();
    }
    return createMobileClient({
      baseUrl: options.baseUrl,
      platform: 'ios',
      automatic: null,
      getToken: options.getToken,
      random,
      now: () => clockMs,
      sleep: async () => undefined,
      retry: { attempts: 50 },
      limits: { maxItems: 40, maxBytes: 12_000 },
      storage: {
        get: (key) => step(() => disk.get(key)),
        set: (key, value) => step(() => disk.set(key, value)),
        delete: (key) => step(() => disk.delete(key)),
        keys: (prefix) => step(() => disk.keys(prefix)),
      },
      fetch: (url, init) =>
        step(async () => {
          if (url.endsWith('/refresh')) counts.refreshes += 1;
          const dice = random();
          if (dice < lossRate) counts.lost += 1;
          if (dice < lossRate / 4) throw new TypeError('network request failed');
          const answer = await fetch(url, init);
          if (dice < lossRate / 2) throw new TypeError('connection reset');
          if (dice < (lossRate * 3) / 4) return new Response('<html>sign in to the Wi-Fi</html>', { status: 200 });
          if (dice < lossRate) return new Response('bad gateway', { status: 502, headers: { 'retry-after': '1' } });
          return answer;
        }),
    });
  }

  return {
    start,
    counts,
    storage: disk,
    values,
    changeClock(ms: number): void {
      clockMs += ms;
    },
  };
}

/** The loop of an app: queue the platform's changes after the stored anchor, then send. Throws `Killed` when the process ends. */
export async function runApp(client: MobileClient, changes: readonly Changes[]): Promise<void> {
  for (;;) {
    const from = Number((await client.readAnchor('all')) ?? 0);
    const change = changes[from];
    if (change === undefined) break;
    await client.enqueue(change, { name: 'all', value: String(from + 1) });
    if (from % 8 === 7) await flushOrThrow(client);
  }
  await flushOrThrow(client);
}

async function flushOrThrow(client: MobileClient): Promise<void> {
  const { stopped } = await client.flush();
  if (stopped !== null) throw new Killed(stopped);
}

/** Repeatable random numbers (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
