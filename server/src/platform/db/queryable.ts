// What executes SQL: the pool, or an open transaction.
import type pg from 'pg';

/** SQL that is prepared once per connection under its name; its text must not depend on input. */
export type Statement = { readonly name: string; readonly text: string };

export type Queryable = {
  query<Row extends pg.QueryResultRow>(statement: Statement | string, values?: readonly unknown[]): Promise<Row[]>;
};

/** Proves that a transaction is open. Functions whose writes must commit together require it instead of a Queryable. */
export type Transaction = Queryable & {
  readonly kind: 'transaction';
  /** The commit of the coordinator can be visible before that of a node. */
  readonly isOnCitus: boolean;
};
