// Work that waits in a table, as operators see it.
import type { Queryable, Statement } from './queryable.ts';

export type Backlog = { readonly waiting: number; readonly oldestAt: Date | null };

/** Counts of waiting rows stop here: there may be millions after an outage. */
export const MAX_COUNTED = 10_000;

/** For a statement that selects `waiting` and `oldestAt`. */
export async function readBacklog(
  db: Queryable,
  statement: Statement,
  values: readonly unknown[] = [],
): Promise<Backlog> {
  const [row] = await db.query<Backlog>(statement, values);
  return row ?? { waiting: 0, oldestAt: null };
}
