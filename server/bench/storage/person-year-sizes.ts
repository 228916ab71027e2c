// What one user's year takes, by table: the layers that stay for ever.
import type { Database } from '../../src/platform/db/database.ts';
import { createYear, YEAR_DAYS } from '../support/person-year.ts';
import { presentTable } from '../support/present-table.ts';

const TABLES = [
  'sample_blocks',
  'device_months',
  'daily_months',
  'sleep_sessions',
  'workouts',
  'score_inputs',
  'scores',
  'observed_max_heart_rates',
] as const;

/** The tables are rewritten first, so that the figures do not depend on when autovacuum last ran. */
export async function measurePersonYear(db: Database): Promise<string> {
  await createYear(db);
  const sizes: { table: string; bytes: number }[] = [];
  for (const table of TABLES) {
    await db.query(`vacuum full ${table}`);
    const [row] = await db.query<{ bytes: string }>('select pg_total_relation_size($1::regclass) as bytes', [table]);
    sizes.push({ table, bytes: Number(row?.bytes) });
  }
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  const rows = [...sizes, { table: 'all', bytes: total }].map(({ table, bytes }) => [
    table,
    Math.round(bytes / YEAR_DAYS).toLocaleString('en'),
    `${((100 * bytes) / total).toFixed(1)} %`,
  ]);
  return presentTable(['a year of one user, scored', 'B/day', 'share'], rows);
}
