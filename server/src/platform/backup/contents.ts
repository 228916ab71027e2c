// What a copy of a database consists of, in a backup or read from a running server.
import type { TableCopy } from './copy-out.ts';

export type CopiedTable = {
  /** Quoted where needed. Our schema is named public, whatever its name is in the database: `public.users`. */
  readonly name: string;
  readonly columns: readonly string[];
};

export type Contents = {
  /** Version of Tributary that made the copy. */
  readonly version: string;
  /** When the snapshot was taken. */
  readonly at: string;
  readonly postgres: string;
  /** Fingerprints of the master keys that open the secrets in the copy. */
  readonly masterKeys: readonly string[];
  readonly migrations: readonly { readonly version: number; readonly name: string; readonly checksum: string }[];
  readonly tables: readonly CopiedTable[];
  /** Partitions are created while the service runs, so migrations do not create them. */
  readonly partitions: readonly { readonly name: string; readonly parent: string; readonly bound: string }[];
};

/** The last value that was used. */
export type SequenceValue = { readonly name: string; readonly last: string };

export type CopySource = {
  readonly contents: Contents;
  /** One table at a time, read to its end before the next. */
  openTable(table: CopiedTable): TableCopy;
  /** Read after all tables, so that no row has a later value. */
  listSequences(): Promise<readonly SequenceValue[]>;
};
