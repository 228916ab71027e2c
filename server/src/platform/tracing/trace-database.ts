// Adds a span for each statement and transaction within a traced request or job. A span has the name of the statement, no values.
import type { Database, Queryable, Statement, Transaction } from '../db/database.ts';
import type { Tracer } from './tracer.ts';

const SYSTEM = { 'db.system.name': 'postgresql' };

export function traceDatabase(db: Database, tracer: Tracer | null): Database {
  if (tracer === null) return db;
  type Run = <Result>(work: (tx: Transaction) => Promise<Result>) => Promise<Result>;
  /** Without a parent, loops that look for work would fill the traces. */
  const inSpan = <Result>(name: string, work: () => Promise<Result>): Promise<Result> =>
    tracer.current()?.isSampled ? tracer.span(name, 'client', { ...SYSTEM, 'db.query.summary': name }, work) : work();
  const traceQuery =
    (target: Queryable): Queryable['query'] =>
    (statement, values) =>
      inSpan(nameOf(statement), () => target.query(statement, values));
  const traceTransaction =
    (name: string, run: Run): Run =>
    (work) =>
      inSpan(name, () => run((tx) => work({ ...tx, query: traceQuery(tx) })));
  return {
    ...db,
    query: traceQuery(db),
    transaction: traceTransaction('transaction', db.transaction),
    asyncCommitTransaction: traceTransaction('transaction', db.asyncCommitTransaction),
    dryRun: traceTransaction('dry run', db.dryRun),
  };
}

/** A statement without a name is shown by its first word. */
function nameOf(statement: Statement | string): string {
  if (typeof statement !== 'string') return statement.name;
  return /^\s*(\w+)/.exec(statement)?.[1]?.toLowerCase() ?? 'statement';
}
