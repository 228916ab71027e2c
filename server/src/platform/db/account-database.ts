// The database for operations of one account: limits the connections it uses at once, so that other accounts always find one.
import type { FairShares } from '../fair-shares.ts';
import type { Database } from './database.ts';

/** Separate shares for transactions and statements: a query beside a transaction never waits for other transactions. */
export type ConnectionShares = { readonly transaction: FairShares; readonly statement: FairShares };

export function limitConnections(db: Database, shares: ConnectionShares, account: string): Database {
  const { transaction, statement } = shares;
  return {
    ...db,
    query: (text, values) => statement.run(account, () => db.query(text, values)),
    transaction: (work) => transaction.run(account, () => db.transaction(work)),
    asyncCommitTransaction: (work) => transaction.run(account, () => db.asyncCommitTransaction(work)),
    dryRun: (work) => transaction.run(account, () => db.dryRun(work)),
  };
}
