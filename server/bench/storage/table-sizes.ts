// The disk usage of each layer, including indexes and bloat.
import type { Queryable } from '../../src/platform/db/database.ts';

type Bytes = { readonly heap: number; readonly index: number; readonly total: number };
export type TableSizes = {
  readonly samples: number;
  readonly blocks: Bytes;
  readonly days: Bytes;
  readonly others: Bytes;
};

const TABLES = {
  blocks: ['sample_blocks'],
  days: ['device_months', 'daily_months'],
  others: ['users', 'user_zones', 'devices', 'event_outbox', 'scoring_queue'],
} as const;

export async function readTableSizes(db: Queryable): Promise<TableSizes> {
  const [counted] = await db.query<{ samples: string }>('select sum(count) as samples from sample_blocks');
  const [blocks, days, others] = await Promise.all(
    [TABLES.blocks, TABLES.days, TABLES.others].map((tables) => readBytes(db, tables)),
  );
  if (!blocks || !days || !others) throw new Error('nothing was measured');
  return { samples: Number(counted?.samples), blocks, days, others };
}

async function readBytes(db: Queryable, tables: readonly string[]): Promise<Bytes> {
  const [row] = await db.query<{ heap: string; index: string; total: string }>(
    `select sum(pg_relation_size(name::regclass)) as heap, sum(pg_indexes_size(name::regclass)) as index,
            sum(pg_total_relation_size(name::regclass)) as total from unnest($1::text[]) as tables(name)`,
    [tables],
  );
  return { heap: Number(row?.heap), index: Number(row?.index), total: Number(row?.total) };
}
