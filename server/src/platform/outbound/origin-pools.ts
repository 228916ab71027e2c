// Connections by origin, kept for the next request. The origins that were not asked for longest go first.
import type { Pool } from 'undici';
import type { Connector } from './connector.ts';

/** More than any sender has under way: a request that waited here would begin after it was called off, and its wait would count as the receiver's. */
const CONNECTIONS_PER_ORIGIN = 1_024;
const KEPT_ORIGINS = 256; // without a request under way; their sockets close by themselves, this bounds the rest
const KEEP_ALIVE_MS = 4_000; // below the 5 s after which common servers close, so that they do not close under a request
const KEEP_ALIVE_MAX_MS = 30_000; // also where a server offers more
const MAX_HEADER_BYTES = 16_384;

type Entry = { readonly pool: Pool; inUse: number };

export class OriginPools {
  readonly #connector: Connector;
  /** In the order of last use. */
  readonly #entries = new Map<string, Entry>();
  #isClosed = false;

  constructor(connector: Connector) {
    this.#connector = connector;
  }

  get size(): number {
    return this.#entries.size;
  }

  async use<Result>(origin: string, work: (pool: Pool) => Promise<Result>): Promise<Result> {
    // With the first request: it takes a sixth of the memory of a service at rest, and many never send one.
    const { Pool } = await import('undici');
    const entry = this.#take(origin, Pool);
    entry.inUse++;
    try {
      return await work(entry.pool);
    } finally {
      entry.inUse--;
      this.#dropOldest();
    }
  }

  /** Ends every request under way. */
  async destroy(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#entries.values()].map(({ pool }) => pool.destroy()));
    this.#entries.clear();
  }

  #take(origin: string, make: typeof Pool): Entry {
    const entry = this.#entries.get(origin) ?? { pool: this.#makePool(origin, make), inUse: 0 };
    this.#entries.delete(origin);
    this.#entries.set(origin, entry);
    return entry;
  }

  #makePool(origin: string, make: typeof Pool): Pool {
    const pool = new make(origin, {
      connect: this.#connector.connectFor(origin),
      connections: CONNECTIONS_PER_ORIGIN,
      allowH2: false,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      // The deadline of the whole request stands for both.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    if (this.#isClosed) void pool.destroy();
    return pool;
  }

  #dropOldest(): void {
    let surplus = this.#entries.size - KEPT_ORIGINS;
    for (const [origin, { pool, inUse }] of this.#entries) {
      if (surplus <= 0) return;
      if (inUse > 0) continue;
      this.#entries.delete(origin);
      void pool.destroy();
      surplus--;
    }
  }
}
