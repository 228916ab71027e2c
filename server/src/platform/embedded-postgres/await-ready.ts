// Waits until the server accepts queries, and creates the database and its roles if they are missing.

import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { MINUTE_MS } from '../../domain/time/durations.ts';
import { EmbeddedPostgresError, readErrorCode } from './embedded-postgres-error.ts';
import { ensureRoles } from './ensure-roles.ts';
import { DATABASE_USER } from './initialize-cluster.ts';
import type { PostgresLog } from './server-log.ts';
import { SOCKET_PORT } from './socket-folder.ts';

/** Exists in every cluster, so connecting works before our database exists. */
const MAINTENANCE_DATABASE = 'postgres';

const POLL_MS = 10;
const PROGRESS_MS = 5000;
/** Crash recovery replays about max_wal_size at most, which takes minutes on a slow disk. */
const READY_LIMIT_MS = 15 * MINUTE_MS;
/** Reconnects to a server that accepts a connection but does not respond within this time. */
const CONNECT_TIMEOUT_MS = 10_000;

/** Temporary errors: no socket or a stale one, or a server that starts, recovers or has just died. */
const PASSING_CODES = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'EAGAIN', '57P03', '57P01', '57P02']);

/** Returns the server's version, for example '18.4'. Rejects with the signal's reason when aborted. */
export async function awaitReady(socketDir: string, log: PostgresLog, signal: AbortSignal): Promise<string> {
  const startedAt = performance.now();
  let nextProgress = startedAt + PROGRESS_MS;
  for (;;) {
    const client = await connect(socketDir);
    if (client) return useAndClose(client, socketDir);
    const waitedMs = Math.round(performance.now() - startedAt);
    if (performance.now() >= nextProgress) {
      log.info({ waitedMs }, 'PostgreSQL is not ready yet (it may be recovering from a crash); still waiting');
      nextProgress += PROGRESS_MS;
    }
    if (waitedMs > READY_LIMIT_MS) {
      throw new EmbeddedPostgresError(`PostgreSQL did not become ready within ${READY_LIMIT_MS / MINUTE_MS} minutes.`);
    }
    await delay(POLL_MS, undefined, { signal });
  }
}

async function connect(socketDir: string): Promise<Client | null> {
  const client = new Client({
    host: socketDir,
    port: SOCKET_PORT,
    user: DATABASE_USER,
    database: MAINTENANCE_DATABASE,
    ssl: false,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    void client.end().catch(() => undefined);
    const code = readErrorCode(error);
    // pg reports connections that close or time out during the handshake without a code.
    if (code === null || PASSING_CODES.has(code)) return null;
    throw error;
  }
}

async function useAndClose(client: Client, socketDir: string): Promise<string> {
  try {
    const { rows } = await client.query<{ version: string }>(`select current_setting('server_version') as version`);
    await ensureRoles(client, socketDir);
    return rows[0]?.version.split(' ')[0] ?? '';
  } finally {
    await client.end().catch(() => undefined);
  }
}
