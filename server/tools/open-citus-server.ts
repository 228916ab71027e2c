// Uses a running server with Citus for a test run, for a machine that has no binaries of Citus. Every test creates a database there, which is a
// cluster of this one node.
import pg from 'pg';

/** One run at a time: `stop` drops all databases with the names of `test-database.ts`. */
const RUN_LOCK = 74_756;
const TEST_DATABASES = `select quote_ident(datname) as name from pg_database
  where datname ~ '^(test|template)_[0-9a-f]{12}(_draft)?$'`;

export async function openCitusServer(url: string): Promise<{ stop: () => Promise<void> }> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined); // the server went away: the tests report it
  await client.connect();
  try {
    await requireCitus(client);
    await lockServer(client);
    await dropTestDatabases(client); // of a run that was killed, perhaps with other tables
  } catch (error) {
    await client.end();
    throw error;
  }
  return { stop: () => dropTestDatabases(client).finally(() => client.end()) };
}

async function requireCitus(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`select current_setting('citus.shard_count', true) is not null as "isLoaded"`);
  if (!rows[0].isLoaded)
    throw new Error(
      "The server of TEST_POSTGRES does not load Citus: set shared_preload_libraries = 'citus' and restart it.",
    );
}

/** Until the connection ends. */
async function lockServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query('select pg_try_advisory_lock($1) as "isLocked"', [RUN_LOCK]);
  if (!rows[0].isLocked)
    throw new Error('Another test run uses the server of TEST_POSTGRES: wait for its end, or use another server.');
}

async function dropTestDatabases(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(TEST_DATABASES);
  for (const { name } of rows) await client.query(`drop database ${name} with (force)`);
}
