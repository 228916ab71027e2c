// Which statements a process sends to its database while something happens.
import type { Database } from '../../src/platform/db/database.ts';

/** The texts of those that go through this handle, transactions aside. `work` can look at those so far. */
export async function countQueries(db: Database, work: (soFar: readonly string[]) => Promise<void>): Promise<string[]> {
  const texts: string[] = [];
  const watched = db as { query: Database['query'] };
  const original = watched.query;
  watched.query = (asked, values) => {
    texts.push(typeof asked === 'string' ? asked : asked.text);
    return original(asked, values);
  };
  try {
    await work(texts);
  } finally {
    watched.query = original;
  }
  return texts;
}
