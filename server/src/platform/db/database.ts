// Access to PostgreSQL: connection pools, prepared statements and transactions.
import type pg from 'pg';
import type { Logger } from '../log.ts';
import { notUpYet } from './database-errors.ts';
import { isRead } from './is-read.ts';
import { type ConnectionTarget, type DatabaseTimeouts, type OpenPool, openPool } from './open-pool.ts';
import type { Queryable, Statement, Transaction } from './queryable.ts';
import { runRead, runTransaction, runWrite } from './run-transaction.ts';

export type { ConnectionTarget, DatabaseTimeouts, Queryable, Statement, Transaction };

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
  /** The same one unless reads have connections of their own. */
  readPool(): pg.Pool;
  /** From now on, a commit that waits for a standby ends with the limit of a statement, so that jobs can stop. */
  stopHolding(): void;
  close(): Promise<void>;
};

type DatabaseOptions = {
  /** For everything, or for writes and transactions if reads have connections of their own. */
  readonly maxConnections: number;
  /** Reads then succeed while all commits wait for a standby. */
  readonly readConnections?: number;
  readonly log: Logger;
  /** For migrations, whose statements can take long. */
  readonly hasNoStatementTimeout?: boolean;
  readonly timeouts?: DatabaseTimeouts;
};

export const DATABASE_TIMEOUTS: DatabaseTimeouts = {
  connectMs: 4_000, // a client gets 503 instead of waiting longer
  statementMs: 10_000, // no statement needs longer; jobs split their work
  silentMs: 2_000, // with checkMs: a host that does not answer is abandoned after 4.5 s
  checkMs: 2_500,
  answerMs: 12_000, // a server that works ends the statement first
};

const BEGIN_LOOSELY = 'begin; set local synchronous_commit to off'; // one message

export function statement(name: string, text: string): Statement {
  return { name, text };
}

export function createDatabase(options: DatabaseOptions): Database {
  const { timeouts = DATABASE_TIMEOUTS, hasNoStatementTimeout = false, log, maxConnections, readConnections } = options;
  let attached: { readonly reads: OpenPool; readonly writes: OpenPool } | null = null;
  const pools = () => {
    if (!attached) throw notUpYet();
    return attached;
  };
  const open = (target: ConnectionTarget, max: number) =>
    openPool(target, { maxConnections: max, log, timeouts, hasNoStatementTimeout });
  return {
    kind: 'pool',
    pool: () => pools().writes.pool,
    readPool: () => pools().reads.pool,
    attach(target) {
      const writes = open(target, maxConnections);
      attached = { writes, reads: readConnections === undefined ? writes : open(target, readConnections) };
    },
    query: async (text, values = []) =>
      isRead(typeof text === 'string' ? text : text.text)
        ? runRead(pools().reads, text, values)
        : runWrite(pools().writes, text, values),
    transaction: async (work) => runTransaction(pools().writes, work, 'commit'),
    asyncCommitTransaction: async (work) => runTransaction(pools().writes, work, 'commit', BEGIN_LOOSELY),
    dryRun: async (work) => runTransaction(pools().writes, work, 'rollback'),
    stopHolding() {
      attached?.writes.watch.stopHolding();
    },
    async close() {
      if (attached) await Promise.all([...new Set([attached.reads, attached.writes])].map((pool) => pool.end()));
    },
  };
}
