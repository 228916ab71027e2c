// Invalidates cached credentials across processes. A change increments a version row in its own transaction; every process
// reads that row a few times per second and uses its cache only while the last read is recent.
import type { Clock } from './clock.ts';
import { type Database, statement, type Transaction } from './db/database.ts';

export type CredentialVersion = {
  /** Runs in the transaction of the change, so that both become visible together. */
  bump(tx: Transaction): Promise<void>;
  /** False if the version was not read recently; then every credential is looked up again. */
  isFresh(): boolean;
  /** Reads the version now, so that a change by this process takes effect here immediately. */
  refresh(): Promise<void>;
  /** Number of observed changes; a look-up that began in another generation must not be cached. */
  generation(): number;
  onChange(listener: () => void): void;
  start(): void;
  stop(): void;
};

const POLL_INTERVAL_MS = 300;
const FRESH_FOR_MS = 900; // a rotated key stops within a second on every process (gap G-44)

const READ_VERSION = statement('read_credential_cache_version', 'select version from credential_cache_version');
/** By a random number: a standby that took over without the last change must not reach the same version by another one. */
const BUMP_VERSION = statement(
  'bump_credential_cache_version',
  'update credential_cache_version set version = version + 1 + floor(random() * 1000000000)::bigint',
);

export function createCredentialVersion(db: Database, clock: Clock): CredentialVersion {
  const listeners: (() => void)[] = [];
  let version: string | null = null;
  let generation = 0;
  let confirmedMs = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function refresh(): Promise<void> {
    const requestedMs = clock.monotonicMs(); // the result is at least as new as the request
    const [row] = await db.query<{ version: string }>(READ_VERSION);
    if (row && row.version !== version) {
      version = row.version;
      generation += 1;
      for (const listener of listeners) listener();
    }
    confirmedMs = Math.max(confirmedMs, requestedMs);
  }

  function poll(): void {
    refresh()
      .catch(() => undefined) // without the database the cache becomes stale by itself
      .finally(() => {
        if (!isStopped) timer = setTimeout(poll, POLL_INTERVAL_MS).unref();
      });
  }

  return {
    bump: async (tx) => void (await tx.query(BUMP_VERSION)),
    isFresh: () => clock.monotonicMs() - confirmedMs < FRESH_FOR_MS,
    refresh,
    generation: () => generation,
    onChange: (listener) => void listeners.push(listener),
    start: poll,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
