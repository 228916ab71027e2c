// Writes the same month to every variant, alternating day by day, so that other load on the machine affects all of them.

import type pg from 'pg';
import { DAY_MS } from '../../src/domain/time/durations.ts';
import { median } from '../support/statistics.ts';
import { createBlockTable, readSamples, storeSamples, type Variant } from './block-table.ts';
import { FIRST_MS, type Upload } from './generate-series.ts';

export type MonthResult = {
  readonly variant: Variant;
  readonly samples: number;
  readonly samplesPerSecond: number;
  readonly uploadMs: number;
  readonly walPerSample: number;
  readonly rows: number;
  readonly blocksPerUpload: number;
  readonly hotShare: number;
  /** Bytes per sample. */
  readonly disk: { readonly heap: number; readonly index: number; readonly toast: number; readonly total: number };
  readonly readDayMs: number;
  readonly readWeekMs: number;
};

type Tally = { samples: number; uploads: number; ms: number; wal: number; blocks: number };

const CONNECTIONS = 4;
const READS = 150;
const WEEK_DAYS = 7;

export async function runMonth(
  db: pg.Pool,
  variants: readonly Variant[],
  slots: readonly Upload[][],
  slotsPerDay: number,
): Promise<MonthResult[]> {
  const tallies = new Map(variants.map((variant) => [variant, { samples: 0, uploads: 0, ms: 0, wal: 0, blocks: 0 }]));
  for (const variant of variants) await createBlockTable(db, variant);
  await db.query('checkpoint');
  for (let first = 0; first < slots.length; first += slotsPerDay)
    for (const [variant, tally] of tallies) await runDay(db, variant, slots.slice(first, first + slotsPerDay), tally);
  const results: MonthResult[] = [];
  for (const [variant, tally] of tallies) results.push(await describeResult(db, variant, tally, slots));
  for (const { table } of variants) await db.query(`drop table ${table}`);
  return results;
}

async function runDay(db: pg.Pool, variant: Variant, slots: readonly Upload[][], tally: Tally): Promise<void> {
  const walBefore = await readWal(db);
  const startMs = performance.now();
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async (_, connection) => {
      const client = await db.connect();
      try {
        for (const upload of slots.flat().filter(({ user }) => user % CONNECTIONS === connection)) {
          const blocks = await storeSamples(client, variant, upload.user, upload.columns);
          tally.blocks += blocks; // after the await: parallel writers add to it
          tally.samples += upload.columns.starts.length;
          tally.uploads += 1;
        }
      } finally {
        client.release();
      }
    }),
  );
  tally.ms += performance.now() - startMs;
  tally.wal += (await readWal(db)) - walBefore;
}

async function describeResult(
  db: pg.Pool,
  variant: Variant,
  tally: Tally,
  slots: readonly Upload[][],
): Promise<MonthResult> {
  const users = new Set(slots.flat().map(({ user }) => user)).size;
  const days = await readTimes(db, variant, users, 1);
  const weeks = await readTimes(db, variant, users, WEEK_DAYS);
  const sizes = await readSizes(db, variant.table);
  const perSample = (bytes: string | undefined) => Number(bytes) / Number(sizes.samples);
  const [heap, index, total] = [perSample(sizes.heap), perSample(sizes.index), perSample(sizes.total)];
  return {
    variant,
    samples: Number(sizes.samples),
    samplesPerSecond: (tally.samples / tally.ms) * 1000,
    uploadMs: (tally.ms * CONNECTIONS) / tally.uploads,
    walPerSample: tally.wal / tally.samples,
    rows: Number(sizes.rows),
    blocksPerUpload: tally.blocks / tally.uploads,
    hotShare: Number(sizes.hot),
    disk: { heap, index, toast: total - heap - index, total },
    readDayMs: median(days),
    readWeekMs: median(weeks),
  };
}

async function readTimes(db: pg.Pool, variant: Variant, users: number, days: number): Promise<number[]> {
  const times: number[] = [];
  for (let count = 0; count < READS; count += 1) {
    const startMs = performance.now();
    const samples = await readSamples(db, variant, count % users, FIRST_MS + (count % 3) * DAY_MS, days);
    times.push(performance.now() - startMs);
    if (samples === 0) throw new Error('nothing was read');
  }
  return times;
}

/** Statistics of other sessions arrive with some delay; sizes are exact. */
async function readSizes(db: pg.Pool, table: string): Promise<Record<string, string>> {
  const { rows } = await db.query(`select pg_relation_size('${table}') as heap, pg_indexes_size('${table}') as index,
      pg_total_relation_size('${table}') as total, sum(count) as samples, count(*) as rows,
      (select coalesce(n_tup_hot_upd::float8 / nullif(n_tup_upd, 0), 0) from pg_stat_user_tables
        where relname = '${table}') as hot from ${table}`);
  return rows[0];
}

async function readWal(db: pg.Pool): Promise<number> {
  const { rows } = await db.query(`select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as bytes`);
  return Number(rows[0].bytes);
}
