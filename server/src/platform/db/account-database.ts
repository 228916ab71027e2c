// The database for operations of one account: limits the connections it uses at once, so that other accounts always find one.
import type { FairShares } from '../fair-shares.ts';
import type { Database } from './database.ts';
import { isRead } from './is-read.ts';

/** Separate shares: a statement beside a transaction never waits for other transactions, and a read waits for no commit. */
export type ConnectionShares = {
  readonly transaction: FairShares;
  /** Single statements that write. */
  readonly write: FairShares;
  readonly read: FairShares;
};

export function limitConnections(db: Database, shares: ConnectionShares, account: string): Database {
  const { transaction, write, read } = shares;
  return {
    ...db,
    query: (text, values) => {
      const share = isRead(typeof text === 'string' ? text : text.text) ? read : write;
      return share.run(account, () => db.query(text, values));
    },
    transaction: (work) => transaction.run(account, () => db.transaction(work)),
    asyncCommitTransaction: (work) => transaction.run(account, () => db.asyncCommitTransaction(work)),
    dryRun: (work) => transaction.run(account, () => db.dryRun(work)),
  };
}
