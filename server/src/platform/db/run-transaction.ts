// Runs statements and transactions on connections of a pool.

import type pg from 'pg';
import { AppError, isUnavailable } from '../errors.ts';
import { asUnavailable } from './database-errors.ts';
import type { OpenPool } from './open-pool.ts';
import type { Statement, Transaction } from './queryable.ts';
import { writeArray } from './write-array.ts';

const READ_ONLY = '25006';
const FIND_CITUS = `select 1 from pg_extension where extname = 'citus'`;
const MAX_HELD_SHARE = 0.5; // if half of all commits wait for a standby, the next one would as well

/** A statement that changes nothing, so that it never waits for a commit. */
export async function runRead<Row extends pg.QueryResultRow>(
  { pool }: OpenPool,
  text: Statement | string,
  values: readonly unknown[],
): Promise<Row[]> {
  try {
    return (await pool.query<Row>(toQuery(text, values))).rows;
  } catch (error) {
    throw asUnavailable(error) ?? error;
  }
}

/** A statement that is its own transaction. */
export async function runWrite<Row extends pg.QueryResultRow>(
  open: OpenPool,
  text: Statement | string,
  values: readonly unknown[],
): Promise<Row[]> {
  const client = await checkOut(open);
  let broken: Error | undefined;
  try {
    return await awaitCommit(open, client, runQuery<Row>(open, client, text, values));
  } catch (error) {
    if (isUnavailable(error)) broken = error;
    throw error;
  } finally {
    release(open, client, broken);
  }
}

export async function runTransaction<Result>(
  open: OpenPool,
  work: (tx: Transaction) => Promise<Result>,
  ending: 'commit' | 'rollback',
  beginning = 'begin',
): Promise<Result> {
  const client = await checkOut(open);
  let broken: Error | undefined;
  try {
    await runQuery(open, client, beginning);
    const isOnCitus = await findCitus(open, client);
    const query: Transaction['query'] = (text, values) => runQuery(open, client, text, values);
    const result = await work({ kind: 'transaction', isOnCitus, query });
    await awaitCommit(open, client, runQuery(open, client, ending));
    return result;
  } catch (error) {
    broken = isUnavailable(error) ? error : await rollBack(client);
    throw error;
  } finally {
    release(open, client, broken);
  }
}

/** Asks once per pool. */
async function findCitus(open: OpenPool, client: pg.PoolClient): Promise<boolean> {
  open.isOnCitus ??= (await runQuery(open, client, FIND_CITUS)).length > 0;
  return open.isOnCitus;
}

async function checkOut({ pool, held }: OpenPool): Promise<pg.PoolClient> {
  if (held.size >= MAX_HELD_SHARE * (pool.options.max ?? 0)) throw standbyMissing();
  try {
    return await pool.connect();
  } catch (error) {
    throw asUnavailable(error) ?? error;
  }
}

/**
 * A commit that waits for a standby cannot be cancelled, and a new connection for each would use up the server's. So the caller
 * gets `unavailable`, and the connection stays taken until the server answers.
 */
function awaitCommit<Result>(open: OpenPool, client: pg.PoolClient, answer: Promise<Result>): Promise<Result> {
  const { promise: givenUp, reject } = Promise.withResolvers<never>();
  open.watch.whenHeld(client, () => {
    open.held.set(client, answer);
    reject(standbyMissing());
  });
  return Promise.race([answer, givenUp]);
}

function standbyMissing(): AppError {
  const cause = new Error('commits wait for a synchronous standby that does not answer');
  return new AppError('unavailable', { cause });
}

/** A connection that is lost or cannot roll back does not go back to the pool. */
function release({ watch, held }: OpenPool, client: pg.PoolClient, broken: Error | undefined): void {
  watch.whenHeld(client, null);
  const answer = held.get(client);
  if (!answer) {
    client.release(broken);
    return;
  }
  const end = (error?: Error) => {
    held.delete(client);
    client.release(error);
  };
  answer.then(() => end(), end);
}

async function runQuery<Row extends pg.QueryResultRow>(
  { onReadOnly }: OpenPool,
  client: pg.PoolClient,
  text: Statement | string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  try {
    return (await client.query<Row>(toQuery(text, values))).rows;
  } catch (error) {
    if ((error as { code?: unknown }).code === READ_ONLY) onReadOnly(client);
    throw asUnavailable(error) ?? error;
  }
}

function toQuery(text: Statement | string, values: readonly unknown[]): pg.QueryConfig {
  const written = values.map(writeArray);
  return typeof text === 'string' ? { text, values: written } : { name: text.name, text: text.text, values: written };
}

function rollBack(client: pg.PoolClient): Promise<Error | undefined> {
  return client.query('rollback').then(
    () => undefined,
    (error: Error) => error,
  );
}
