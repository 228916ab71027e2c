// Records the statements that a process sends to its database during some work.
import type { Database } from '../../src/platform/db/database.ts';

/** The texts of the statements sent through this handle, except in transactions. `work` can read the list so far. */
export async function countQueries(db: Database, work: (soFar: readonly string[]) => Promise<void>): Promise<string[]> {
  const texts: string[] = [];
  const watched = db as { query: Database['query'] };
  const original = watched.query;
  watched.query = (sent, values) => {
    texts.push(typeof sent === 'string' ? sent : sent.text);
    return original(sent, values);
  };
  try {
    await work(texts);
  } finally {
    watched.query = original;
  }
  return texts;
}
