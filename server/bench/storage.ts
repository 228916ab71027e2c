// Measures bytes per sample after a month of hourly uploads with late data, sent through the upload pipeline, on an embedded
// PostgreSQL. The raw layer is reported separately, because retention deletes it.
import { rm } from 'node:fs/promises';
import type { Database } from '../src/platform/db/database.ts';
import { createDatabase } from '../src/platform/db/database.ts';
import { loadMigrations, migrate } from '../src/platform/db/migrate.ts';
import { startEmbeddedPostgres } from '../src/platform/embedded-postgres/index.ts';
import { createLogger } from '../src/platform/log.ts';
import { measurePersonYear } from './storage/person-year-sizes.ts';
import { createUsers, type Month, runMonth } from './storage/run-month.ts';
import { readTableSizes, type TableSizes } from './storage/table-sizes.ts';
import { CADENCES, type Cadence, type Late } from './storage-intervals/generate-series.ts';
import { describeMachine } from './support/describe-machine.ts';
import { makeDataFolder } from './support/make-data-folder.ts';
import { presentTable } from './support/present-table.ts';

type Size = { readonly users: number; readonly days: number };
type Run = { readonly cadence: Cadence; readonly month: Month; readonly sizes: TableSizes };

const FULL: Size = { users: 20, days: 30 };
const QUICK: Size = { users: 10, days: 5 };
const CONNECTIONS = 4;
/** The month takes a few minutes, so autovacuum runs about once per simulated day; in a real month it would run far oftener. */
const SETTINGS = { autovacuum_naptime: '2s' };
const AIMS: Readonly<Record<string, number>> = { 'dense, 10 s': 2, 'sparse, 5 min': 6 };

/**
 * `--quick`: a small month, no verdict on sizes. `--late-hours`: late data arrives in whole hours, not as single samples.
 * `--sparse`: only the sparse cadence, which is close to its limit. `--person`: only the tables of a user with a scored year.
 */
export async function benchStorage(options: readonly string[]): Promise<string> {
  if (options.includes('--person')) return presentPersonYear();
  const size = options.includes('--quick') ? QUICK : FULL;
  const late: Late = options.includes('--late-hours') ? 'by the hour' : 'one by one';
  const runs: Run[] = [];
  let version = '';
  const isWanted = ({ name }: Cadence) => !options.includes('--sparse') || name.startsWith('sparse');
  for (const cadence of CADENCES.filter(isWanted))
    await withDatabase(async (db, serverVersion) => {
      version = serverVersion;
      const users = await createUsers(db, size.users);
      const month = await runMonth(db, users, { cadence, late, days: size.days, connections: CONNECTIONS });
      runs.push({ cadence, month, sizes: await readTableSizes(db) });
    });
  return present(runs, size, late, version);
}

async function presentPersonYear(): Promise<string> {
  let text = '';
  await withDatabase(async (db, version) => {
    text = `${describeMachine()}, PostgreSQL ${version}\n\n${await measurePersonYear(db)}\n`;
  });
  return text;
}

/** Each cadence gets its own database, so that sizes can be attributed. */
async function withDatabase(work: (db: Database, version: string) => Promise<void>): Promise<void> {
  const dataDir = await makeDataFolder();
  const log = createLogger('silent');
  const server = await startEmbeddedPostgres({ dataDir, print: () => undefined, log, settings: SETTINGS });
  const db = createDatabase({ maxConnections: CONNECTIONS + 1, log });
  try {
    db.attach(server.connection);
    await migrate(db, loadMigrations());
    await work(db, server.serverVersion);
  } finally {
    await db.close();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function present(runs: readonly Run[], { users, days }: Size, late: Late, version: string): string {
  const rows = runs.map(({ cadence, month, sizes }) => {
    const perSample = (bytes: number) => (bytes / sizes.samples).toFixed(2);
    const { blocks, days: sheets, others } = sizes;
    return [
      `${cadence.name}, hourly`,
      perSample(blocks.total),
      `≤ ${AIMS[cadence.name]}`,
      perSample(blocks.heap),
      perSample(blocks.index),
      perSample(blocks.total - blocks.heap - blocks.index),
      perSample(sheets.total),
      Math.round(sheets.total / (users * days)).toLocaleString('en'),
      perSample(others.total),
      sizes.samples.toLocaleString('en'),
      (month.ms / month.uploads).toFixed(1),
      (month.wal / month.samples).toFixed(1),
    ];
  });
  const head = ['uploads', 'blocks', 'aim', 'heap', 'index', 'toast', 'days', 'days, B/user-day', 'others'];
  const conditions = [
    `${users} users, ${days} days, one metric of one device each, ${CONNECTIONS} connections; 1 % late by up to 3 days, ${late}, 0.2 % corrected.`,
    'B/sample unless another unit is given. blocks: sample_blocks with its index, heap and toast. days: device_months and daily_months.',
    'others: users, devices, event_outbox, scoring_queue. ms: the whole transaction of an upload on one connection.',
  ];
  const table = presentTable([...head, 'samples', 'ms/upload', 'WAL B/sample'], rows);
  return [`${describeMachine()}, PostgreSQL ${version}`, ...conditions, '', table, ''].join('\n');
}
