// Keeps cached credentials honest across processes. A change bumps one row in its own transaction; every process
// asks for that row a few times a second and may trust its cache only while its last answer is fresh.
import type { Clock } from './clock.ts';
import { type Database, statement, type Transaction } from './db/database.ts';

export type CredentialVersion = {
  /** Part of the change's own transaction: nobody sees the bump before the change. */
  bump(tx: Transaction): Promise<void>;
  /** False while the database has not confirmed the version lately; then every credential is looked up anew. */
  isFresh(): boolean;
  /** Asks now; used after a change made by this process, so that it takes effect at once here. */
  refresh(): Promise<void>;
  /** Counts the changes seen; a look-up that began under another generation must not be cached. */
  generation(): number;
  onChange(listener: () => void): void;
  start(): void;
  stop(): void;
};

const POLL_INTERVAL_MS = 300;
const FRESH_FOR_MS = 900; // a rotated key stops within a second on every process (gap G-44)

const READ_VERSION = statement('read_credential_cache_version', 'select version from credential_cache_version');
const BUMP_VERSION = statement(
  'bump_credential_cache_version',
  'update credential_cache_version set version = version + 1',
);

export function createCredentialVersion(db: Database, clock: Clock): CredentialVersion {
  const listeners: (() => void)[] = [];
  let version: string | null = null;
  let generation = 0;
  let confirmedMs = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function refresh(): Promise<void> {
    const requestedMs = clock.monotonicMs(); // the answer is at least as new as the question
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
      .catch(() => undefined) // a database that is away makes the cache stale by itself
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
