// A table of sample blocks as decision 0008 proposes it, in the variants that are compared.

import type pg from 'pg';
import {
  decodeBlock,
  encodeBlock,
  mergeSamples,
  type SampleColumns,
  splitIntoBlocks,
  summarizeBlock,
} from '../../src/domain/packed/sample-blocks/index.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/time/durations.ts';
import { type Compression, unpack } from './compressions.ts';

export type Variant = {
  readonly table: string;
  readonly name: string;
  readonly hours: number;
  readonly compression: Compression;
  readonly fillfactor: number;
  readonly storage: 'external' | 'extended' | 'main';
  /** Rows longer than this have their payload moved out of line; PostgreSQL's default is 2,040. */
  readonly toastTupleTarget: number;
  /** The type of the metric column, and its value. */
  readonly metric: readonly ['smallint', number] | readonly ['text', string];
};

const userIdOf = (user: number) => `01890a5d-ac96-774b-bcce-${user.toString(16).padStart(12, '0')}`;
const deviceIdOf = (user: number) => `01890a5d-ac96-774b-8aaa-${user.toString(16).padStart(12, '0')}`;

const COLUMNS_OF_ROW = 12;

export async function createBlockTable(db: pg.Pool, variant: Variant): Promise<void> {
  const { table, fillfactor, storage, metric, toastTupleTarget } = variant;
  await db.query(`create table ${table} (
    user_id uuid not null,
    device_id uuid not null,
    block_start timestamptz not null,
    min double precision not null,
    max double precision not null,
    sum double precision not null,
    revision integer not null,
    count integer not null,
    first_ms integer not null,
    last_ms integer not null,
    metric ${metric[0]} not null,
    payload bytea not null,
    primary key (user_id, metric, device_id, block_start)
  ) with (fillfactor = ${fillfactor}, toast_tuple_target = ${toastTupleTarget})`);
  await db.query(`alter table ${table} alter column payload set storage ${storage}`);
}

/** Reads the affected blocks, merges, and writes those that did not change meanwhile. Returns how many it wrote. */
export async function storeSamples(
  db: pg.PoolClient,
  variant: Variant,
  user: number,
  columns: SampleColumns,
): Promise<number> {
  const { table, metric } = variant;
  const parts = splitIntoBlocks(columns, variant.hours * HOUR_MS);
  const found = await db.query({
    name: `read_${table}`,
    text: `select block_start, revision, payload from ${table}
            where user_id = $1 and metric = $2 and device_id = $3 and block_start = any($4)`,
    values: [userIdOf(user), metric[1], deviceIdOf(user), parts.map(({ blockStart }) => new Date(blockStart))],
  });
  const existing = new Map(found.rows.map((row) => [row.block_start.getTime(), row]));
  const rows = parts.flatMap(({ blockStart, columns: incoming }) => {
    const row = existing.get(blockStart);
    const merged = mergeSamples(row ? decodeBlock(unpack(row.payload)) : null, incoming);
    if (merged.added + merged.replaced === 0) return [];
    return [describeRow(variant, user, blockStart, (row?.revision ?? 0) + 1, merged.columns)];
  });
  if (rows.length === 0) return 0;
  const written = await db.query({
    name: `write_${table}_${rows.length}`,
    text: upsertText(table, rows.length),
    values: rows.flat(),
  });
  if (written.rowCount !== rows.length)
    throw new Error('only one connection writes a user here, so a conflict is impossible');
  return rows.length;
}

export async function readSamples(
  db: pg.Pool,
  { table, hours, metric }: Variant,
  user: number,
  fromMs: number,
  days: number,
): Promise<number> {
  const from = Math.floor(fromMs / (hours * HOUR_MS)) * hours * HOUR_MS;
  const { rows } = await db.query({
    name: `read_range_${table}`,
    text: `select payload from ${table}
            where user_id = $1 and metric = $2 and device_id = $3 and block_start >= $4 and block_start < $5
            order by block_start`,
    values: [userIdOf(user), metric[1], deviceIdOf(user), new Date(from), new Date(fromMs + days * DAY_MS)],
  });
  return rows.reduce((sum, row) => sum + decodeBlock(unpack(row.payload)).starts.length, 0);
}

function describeRow(variant: Variant, user: number, blockStart: number, revision: number, columns: SampleColumns) {
  const { count, min, max, sum, firstStart, lastStart } = summarizeBlock(columns);
  const offsets = [firstStart - blockStart, lastStart - blockStart];
  const payload = variant.compression.pack(encodeBlock(columns));
  const key = [userIdOf(user), deviceIdOf(user), new Date(blockStart)];
  return [...key, min, max, sum, revision, count, ...offsets, variant.metric[1], payload];
}

/** Uses VALUES instead of unnest, because Citus sends each row to its shard. Skips a block that has changed since the read. */
function upsertText(table: string, rows: number): string {
  const values = Array.from({ length: rows }, (_, row) => {
    const placeholders = Array.from({ length: COLUMNS_OF_ROW }, (_, column) => `$${row * COLUMNS_OF_ROW + column + 1}`);
    return `(${placeholders.join(', ')})`;
  });
  return `insert into ${table} as stored
      (user_id, device_id, block_start, min, max, sum, revision, count, first_ms, last_ms, metric, payload)
    values ${values.join(', ')}
    on conflict (user_id, metric, device_id, block_start) do update
      set min = excluded.min, max = excluded.max, sum = excluded.sum, revision = excluded.revision,
          count = excluded.count, first_ms = excluded.first_ms, last_ms = excluded.last_ms, payload = excluded.payload
      where stored.revision = excluded.revision - 1`;
}
