// The way to PostgreSQL: a pool, prepared statements and transactions. Knows no table.
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { AppError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { asUnavailable, notUpYet } from './database-errors.ts';

/** SQL that is prepared once per connection under its name; the text never varies with input. */
export type Statement = { readonly name: string; readonly text: string };

export type Queryable = {
  query<Row extends pg.QueryResultRow>(statement: Statement | string, values?: readonly unknown[]): Promise<Row[]>;
};

/** Proof of being inside a transaction: what must commit together asks for this, not for a Queryable. */
export type Transaction = Queryable & { readonly kind: 'transaction' };

export type Database = Queryable & {
  readonly kind: 'pool';
  /** Until then every query fails as `unavailable`: the service answers before its database does. */
  attach(target: ConnectionTarget): void;
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  /** Commits without waiting for the disk: for what is merely done again if a crash takes it away. */
  asyncCommitTransaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  /** Does the work and takes it back: what would happen. */
  dryRun<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  /** For libraries that bring their own statements (the job worker). */
  pool(): pg.Pool;
  close(): Promise<void>;
};

export type DatabaseOptions = {
  readonly maxConnections: number;
  readonly log: Logger;
  /** For migrations: a statement may take as long as it needs. */
  readonly hasNoStatementTimeout?: boolean;
};

export type ConnectionTarget =
  | { readonly url: string }
  | { readonly host: string; readonly port: number; readonly user: string; readonly database: string };

const CONNECT_TIMEOUT_MS = 5_000; // a waiting client is told 503 rather than kept
const STATEMENT_TIMEOUT_MS = 10_000; // no statement needs more; jobs split their work
/** Ours, for a server that is connected and silent: its own timeout would never reach us. */
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 2_000;
const GOODBYE_LIMIT_MS = 1_000; // a server that is away answers no goodbye
const IDLE_TRANSACTION_TIMEOUT_MS = 60_000; // a hung process must not hold locks for ever

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
  const pool = new pg.Pool({
    ...('url' in target ? { connectionString: target.url } : target),
    max: options.maxConnections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: 30_000,
    ...(options.hasNoStatementTimeout ? {} : { statement_timeout: STATEMENT_TIMEOUT_MS }),
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
    application_name: 'tributary',
    keepAlive: true,
  });
  // An idle connection that breaks (server restart) is dropped by the pool; without a listener it would end the process.
  // Its reason only: the driver hangs the whole client on the error.
  pool.on('error', (error) => options.log.warn({ reason: error.message }, 'an idle database connection was lost'));
  // The same while it is checked out: whoever holds it sees its query fail, which is enough.
  pool.on(
    'connect',
    (client) =>
      void client.on('error', (error) =>
        options.log.debug({ reason: error.message }, 'a database connection was lost'),
      ),
  );
  if (!options.hasNoStatementTimeout) pool.on('connect', endWhenSilent);
  const open = new Set<pg.PoolClient>();
  pool.on('connect', (client) => void open.add(client));
  pool.on('remove', (client) => void open.delete(client));
  return { pool, end: () => endPool(pool, open) };
}

/**
 * Ends a connection whose server owes an answer and says nothing. Not by the driver's query_timeout, whose callbacks keep all
 * rows in memory until the next full collection.
 */
function endWhenSilent(client: pg.PoolClient): void {
  const known = client as pg.PoolClient & {
    readonly connection: { readonly stream: Socket };
    readonly readyForQuery: boolean;
  };
  const { stream } = known.connection;
  stream.setTimeout(ANSWER_TIMEOUT_MS, () => {
    if (!known.readyForQuery) stream.destroy(new Error('Query read timeout'));
  });
}

/** The driver's own end() does not wait for its last words: a server that is stopped next would cut them off as errors. */
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
    // A connection that is lost, or cannot even roll back, is thrown away instead of going back to the pool.
    client.release(broken);
  }
}

function rollBack(client: pg.PoolClient): Promise<Error | undefined> {
  return client.query('rollback').then(
    () => undefined,
    (error: Error) => error,
  );
}

function isUnavailable(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'unavailable';
}
