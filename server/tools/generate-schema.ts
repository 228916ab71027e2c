// Generates schema.sql: the result of all migrations, read back from a temporary embedded PostgreSQL.
import { createDatabase } from '../src/platform/db/database.ts';
import { describeSchema } from '../src/platform/db/describe-schema.ts';
import { loadMigrations, migrate } from '../src/platform/db/migrate.ts';
import { createLogger } from '../src/platform/log.ts';
import { startTestPostgres } from './start-test-postgres.ts';

let made: Promise<string> | null = null;

/** One server serves all requests for the text in a run. */
export function describeMigratedSchema(): Promise<string> {
  made ??= make();
  return made;
}

async function make(): Promise<string> {
  const postgres = await startTestPostgres('embedded');
  const db = createDatabase({ maxConnections: 1, log: createLogger('silent') });
  try {
    db.attach({ url: postgres.url });
    await migrate(db, loadMigrations());
    return await describeSchema(db);
  } finally {
    await db.close();
    await postgres.stop();
  }
}
