// Keeps connections per origin for the next request, and closes the least recently used origins first.
import type { Pool } from 'undici';
import type { Connector } from './connector.ts';

/** More than any sender uses at once, so that no request waits here: the wait would count as the receiver's response time. */
const CONNECTIONS_PER_ORIGIN = 1_024;
const KEPT_ORIGINS = 256; // origins with a request in flight are not counted; idle sockets close by themselves
const KEEP_ALIVE_MS = 4_000; // below the usual 5 s of servers, so that they do not close during a request
const KEEP_ALIVE_MAX_MS = 30_000; // even if a server offers more
const MAX_HEADER_BYTES = 16_384;

const POOL_OPTIONS: Pool.Options = {
  connections: CONNECTIONS_PER_ORIGIN,
  allowH2: false,
  keepAliveTimeout: KEEP_ALIVE_MS,
  keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
  maxHeaderSize: MAX_HEADER_BYTES,
  // The deadline of the whole request covers both.
  headersTimeout: 0,
  bodyTimeout: 0,
};

export class OriginPools {
  readonly #connector: Connector;
  /** Ordered by last use. */
  readonly #pools = new Map<string, Pool>();
  #makePool: ((origin: string) => Pool) | null = null;
  #isClosed = false;

  constructor(connector: Connector) {
    this.#connector = connector;
  }

  get size(): number {
    return this.#pools.size;
  }

  use<Result>(origin: string, work: (pool: Pool) => Promise<Result>): Promise<Result> {
    const make = this.#makePool;
    return make ? work(this.#take(origin, make)) : this.#load().then(() => this.use(origin, work));
  }

  /** Aborts all requests in flight. */
  async destroy(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#pools.values()].map((pool) => pool.destroy()));
    this.#pools.clear();
  }

  /** Loaded with the first request, because the library uses a sixth of the memory of an idle service. */
  async #load(): Promise<void> {
    const { Pool } = await import('undici');
    this.#makePool = (origin) => {
      const pool = new Pool(origin, { ...POOL_OPTIONS, connect: this.#connector.connectFor(origin) });
      if (this.#isClosed) void pool.destroy();
      return pool;
    };
  }

  #take(origin: string, make: (origin: string) => Pool): Pool {
    const known = this.#pools.get(origin);
    if (known) this.#pools.delete(origin);
    else this.#dropOldest();
    const pool = known ?? make(origin);
    this.#pools.set(origin, pool);
    return pool;
  }

  /** Removes the least recently used origin if the limit is reached. */
  #dropOldest(): void {
    let surplus = this.#pools.size + 1 - KEPT_ORIGINS;
    for (const [origin, pool] of this.#pools) {
      if (surplus <= 0) return;
      if (pool.stats.size > 0) continue;
      this.#pools.delete(origin);
      void pool.destroy();
      surplus--;
    }
  }
}
