// Short queries to one host over a separate connection: whether it accepts writes, and which of our backends run there.
import type { Socket } from 'node:net';
import pg from 'pg';
import { type DatabaseHost, describeHost } from './database-url.ts';

/** Internals of the driver; the version is pinned. */
export type DriverClient = pg.Client & {
  readonly connection: { readonly stream: Socket };
  readonly readyForQuery: boolean;
  readonly processID: number | null;
};

/** What our backends of a server wait for, by process id; null behind a pooler, which hides them. */
export type Backends = ReadonlyMap<number, string | null>;

type AskHost = {
  requireWritable(host: DatabaseHost): Promise<void>;
  /** Rejects if the host does not answer, or has lost all backends. */
  listBackends(host: DatabaseHost | null): Promise<Backends | null>;
};

const READ_ONLY = 'show transaction_read_only';
const LIST_BACKENDS = `select pid, wait_event, pid = pg_backend_pid() as "isOwn" from pg_stat_activity where usename = current_user`;
/** The server works but does not let us in, for example because it has no free connection. */
const REFUSALS = /^(53|28|3D|42)/;

export function createAskHost(config: pg.ClientConfig, limitMs: number): AskHost {
  return {
    async requireWritable(host) {
      const { rows } = await ask<{ transaction_read_only: string }>(config, host, READ_ONLY, limitMs);
      requireReadWrite(rows, host);
    },
    async listBackends(host) {
      try {
        const { rows, processID } = await ask<{ pid: number; wait_event: string | null; isOwn: boolean }>(
          config,
          host,
          LIST_BACKENDS,
          limitMs,
        );
        if (!rows.some(({ pid, isOwn }) => isOwn && pid === processID)) return null;
        return new Map(rows.map(({ pid, wait_event }) => [pid, wait_event]));
      } catch (error) {
        if (REFUSALS.test(String((error as { code?: unknown }).code))) return null;
        throw error;
      }
    },
  };
}

export function requireReadWrite(
  rows: readonly { readonly transaction_read_only: string }[],
  host: DatabaseHost | null,
): void {
  if (rows[0]?.transaction_read_only === 'off') return;
  const where = host ? describeHost(host) : 'the server';
  throw Object.assign(new Error(`${where} is read-only (a standby?)`), { code: '25006' });
}

/** Connects the client to one of several hosts instead of the one in its configuration. */
export function directTo(client: pg.Client, host: DatabaseHost | null): void {
  if (host) Object.assign(client, { host: host.host, port: host.port });
}

async function ask<Row extends pg.QueryResultRow>(
  config: pg.ClientConfig,
  host: DatabaseHost | null,
  sql: string,
  limitMs: number,
): Promise<{ rows: Row[]; processID: number | null }> {
  const client = new pg.Client(config) as DriverClient;
  directTo(client, host);
  client.on('error', () => undefined); // the call below fails with it
  const limit = setTimeout(
    () => client.connection.stream.destroy(new Error(`no response within ${limitMs} ms`)),
    limitMs,
  );
  try {
    await client.connect();
    const { rows } = await client.query<Row>(sql);
    return { rows, processID: client.processID };
  } finally {
    clearTimeout(limit);
    void client.end().catch(() => undefined);
  }
}
