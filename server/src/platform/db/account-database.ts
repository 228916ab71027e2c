// The database as one account uses it: so many connections of an account at once, and whatever else it wants waits without
// one. So other accounts find a connection, whatever this one does.
import type { FairShares } from '../fair-shares.ts';
import type { Database } from './database.ts';

/** Two shares, as a transaction may ask for something beside itself: it never waits for other transactions then. */
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
