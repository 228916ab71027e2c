// Access to PostgreSQL: connection pool, prepared statements and transactions.
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { isUnavailable } from '../errors.ts';
import type { Logger } from '../log.ts';
import { asUnavailable, notUpYet } from './database-errors.ts';

/** SQL that is prepared once per connection under its name; its text must not depend on input. */
export type Statement = { readonly name: string; readonly text: string };

export type Queryable = {
  query<Row extends pg.QueryResultRow>(statement: Statement | string, values?: readonly unknown[]): Promise<Row[]>;
};

/** Proves that a transaction is open. Functions whose writes must commit together require it instead of a Queryable. */
export type Transaction = Queryable & { readonly kind: 'transaction' };

export type Database = Queryable & {
  readonly kind: 'pool';
  /** Before this call every query fails with `unavailable`, because the service starts before its database. */
  attach(target: ConnectionTarget): void;
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  /** Commits without waiting for the disk, for work that is simply repeated after a crash. */
  asyncCommitTransaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  /** Runs the work and rolls it back. */
  dryRun<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  /** For libraries with their own SQL (the job worker). */
  pool(): pg.Pool;
  close(): Promise<void>;
};

export type DatabaseOptions = {
  readonly maxConnections: number;
  readonly log: Logger;
  /** For migrations, whose statements can take long. */
  readonly hasNoStatementTimeout?: boolean;
  readonly timeouts?: DatabaseTimeouts;
};

export type DatabaseTimeouts = {
  readonly connectMs: number;
  readonly statementMs: number;
  /** Client-side, for a server that is connected but does not respond. */
  readonly answerMs: number;
};

export type ConnectionTarget =
  | { readonly url: string }
  | { readonly host: string; readonly port: number; readonly user: string; readonly database: string };

export const DATABASE_TIMEOUTS: DatabaseTimeouts = {
  connectMs: 5_000, // a client gets 503 instead of waiting longer
  statementMs: 10_000, // no statement needs longer; jobs split their work
  answerMs: 12_000, // a server that works ends the statement first
};
const GOODBYE_LIMIT_MS = 1_000; // an unreachable server does not confirm the end
const IDLE_TRANSACTION_TIMEOUT_MS = 60_000; // a hung process must not hold locks forever

const BEGIN_LOOSELY = 'begin; set local synchronous_commit to off'; // one message

export function statement(name: string, text: string): Statement {
  return { name, text };
}

export function createDatabase(options: DatabaseOptions): Database {
  let attached: { pool: pg.Pool; end(): Promise<void> } | null = null;
  const pool = (): pg.Pool => {
    if (!attached) throw notUpYet();
    return attached.pool;
  };
  return {
    kind: 'pool',
    pool,
    attach(target) {
      attached = createPool(target, options);
    },
    query: async (text, values) => runQuery(pool(), text, values),
    transaction: async (work) => runTransaction(pool(), work, 'commit'),
    asyncCommitTransaction: async (work) => runTransaction(pool(), work, 'commit', BEGIN_LOOSELY),
    dryRun: async (work) => runTransaction(pool(), work, 'rollback'),
    close: async () => attached?.end(),
  };
}

function createPool(target: ConnectionTarget, options: DatabaseOptions) {
  const { timeouts = DATABASE_TIMEOUTS } = options;
  const pool = new pg.Pool({
    ...('url' in target ? { connectionString: target.url } : target),
    max: options.maxConnections,
    connectionTimeoutMillis: timeouts.connectMs,
    idleTimeoutMillis: 30_000,
    ...(options.hasNoStatementTimeout ? {} : { statement_timeout: timeouts.statementMs }),
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
    application_name: 'tributary',
    keepAlive: true,
  });
  // The pool drops a broken idle connection; without a listener the error would end the process. Log only the reason, because
  // the driver attaches the whole client to the error.
  pool.on('error', (error) => options.log.warn({ reason: error.message }, 'lost an idle database connection'));
  // The same for a connection in use: its query fails, which is enough.
  pool.on(
    'connect',
    (client) =>
      void client.on('error', (error) => options.log.debug({ reason: error.message }, 'lost a database connection')),
  );
  if (!options.hasNoStatementTimeout) pool.on('connect', (client) => endWhenSilent(client, timeouts.answerMs));
  const open = new Set<pg.PoolClient>();
  pool.on('connect', (client) => void open.add(client));
  pool.on('remove', (client) => void open.delete(client));
  return { pool, end: () => endPool(pool, open) };
}

/**
 * Ends a connection whose server does not respond. Does not use the driver's query_timeout, whose callbacks keep all rows in
 * memory until the next full garbage collection.
 */
function endWhenSilent(client: pg.PoolClient, answerMs: number): void {
  const known = client as pg.PoolClient & {
    readonly connection: { readonly stream: Socket };
    readonly readyForQuery: boolean;
  };
  const { stream } = known.connection;
  stream.setTimeout(answerMs, () => {
    if (!known.readyForQuery) stream.destroy(new Error('Query read timeout'));
  });
}

/** The driver's end() does not wait until the connection is closed, and stopping the server next would log errors. */
async function endPool(pool: pg.Pool, open: ReadonlySet<pg.PoolClient>): Promise<void> {
  await pool.end();
  const { promise: allClosed, resolve } = Promise.withResolvers<void>();
  pool.on('remove', () => open.size === 0 && resolve());
  if (open.size > 0) await Promise.race([allClosed, delay(GOODBYE_LIMIT_MS, undefined, { ref: false })]);
}

async function runQuery<Row extends pg.QueryResultRow>(
  target: pg.Pool | pg.PoolClient,
  text: Statement | string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  try {
    const result = await target.query<Row>(
      typeof text === 'string'
        ? { text, values: [...values] }
        : { name: text.name, text: text.text, values: [...values] },
    );
    return result.rows;
  } catch (error) {
    throw asUnavailable(error) ?? error;
  }
}

async function runTransaction<Result>(
  pool: pg.Pool,
  work: (tx: Transaction) => Promise<Result>,
  ending: 'commit' | 'rollback',
  beginning = 'begin',
): Promise<Result> {
  let client: pg.PoolClient;
  try {
    client = await pool.connect();
  } catch (error) {
    throw asUnavailable(error) ?? error;
  }
  let broken: Error | undefined;
  try {
    await runQuery(client, beginning);
    const result = await work({ kind: 'transaction', query: (text, values) => runQuery(client, text, values) });
    await runQuery(client, ending);
    return result;
  } catch (error) {
    broken = isUnavailable(error) ? error : await rollBack(client);
    throw error;
  } finally {
    // A connection that is lost or cannot roll back does not go back to the pool.
    client.release(broken);
  }
}

function rollBack(client: pg.PoolClient): Promise<Error | undefined> {
  return client.query('rollback').then(
    () => undefined,
    (error: Error) => error,
  );
}
