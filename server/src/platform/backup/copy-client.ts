// A connection for copying: without time limits, and closed at the end of the work, whatever state it is in.
import pg from 'pg';
import type { ConnectionTarget, Transaction } from '../db/database.ts';
import { parseDatabaseUrl } from '../db/database-url.ts';
import { AppError } from '../errors.ts';
import { CopyError } from './copy-error.ts';

export async function withCopyClient<Result>(
  target: ConnectionTarget,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    ...('url' in target ? { connectionString: readOneHost(target.url) } : target),
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    application_name: 'tributary copy',
    keepAlive: true,
  });
  client.on('error', () => undefined); // the query in progress fails with it
  try {
    await client.connect().catch((error: Error) => {
      throw new AppError('unavailable', { cause: error });
    });
    await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = 0');
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

const CONNECT_LIMIT_MS = 10_000;

/** A copy needs one server. Throws before anything is done. */
export function readOneHost(url: string): string {
  const { driverUrl, hosts, location } = parseDatabaseUrl(url);
  if (hosts.length > 1)
    throw new CopyError(
      `The URL names several hosts (${location}). Name only the one that accepts writes, and try again.`,
    );
  return driverUrl;
}

/** The connection has begun a transaction. */
export function asTransaction(client: pg.ClientBase): Transaction {
  return {
    kind: 'transaction',
    isOnCitus: false, // copies whole tables and changes no user's data
    query: async <Row extends pg.QueryResultRow>(
      text: Parameters<Transaction['query']>[0],
      values: readonly unknown[] = [],
    ) => {
      const config = typeof text === 'string' ? { text } : { name: text.name, text: text.text };
      return (await client.query<Row>({ ...config, values: [...values] })).rows;
    },
  };
}
