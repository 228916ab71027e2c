// Whether time partitions pay off for the tables that lose rows by age: what a row costs from its insertion to its removal, and
// what a read costs, in a plain table and in one with partitions by week or day.
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { createDatabase, type Database } from '../src/platform/db/database.ts';
import { startEmbeddedPostgres } from '../src/platform/embedded-postgres/index.ts';
import { createLogger } from '../src/platform/log.ts';
import { SHAPES, type Shape } from './partitions/shapes.ts';
import { readDatabaseCpuMs } from './support/database-cpu.ts';
import { describeMachine } from './support/describe-machine.ts';
import { makeDataFolder } from './support/make-data-folder.ts';
import { presentTable } from './support/present-table.ts';

type Size = { readonly users: number; readonly rows: number; readonly days: number; readonly reads: number };
type Cost = { readonly cpuMs: number; readonly walBytes: number };

const FULL: Size = { users: 1_000, rows: 2, days: 14, reads: 3_000 };
const QUICK: Size = { users: 100, rows: 2, days: 14, reads: 300 };
const SPARE_DAYS = 21; // created ahead
const LOT_ROWS = 1_000;
/** Days of a partition; 0: a plain table. */
const FORMS = { plain: 0, weekly: 7, daily: 1 } as const;
type Form = keyof typeof FORMS;

export async function benchPartitions(options: readonly string[]): Promise<string> {
  const size = options.includes('--quick') ? QUICK : FULL;
  const dataDir = await makeDataFolder();
  const log = createLogger('silent');
  const server = await startEmbeddedPostgres({ dataDir, print: () => undefined, log });
  const db = createDatabase({ maxConnections: 1, log });
  try {
    db.attach(server.connection);
    await db.query('alter system set autovacuum = off');
    await db.query('select pg_reload_conf()');
    const rows: string[][] = [];
    for (const shape of SHAPES)
      for (const form of Object.keys(FORMS) as Form[]) rows.push(...(await measureShape(db, shape, form, size)));
    const table = presentTable(['', 'form', 'insert', 'WAL B', 'remove', 'WAL B', 'read', 'CPU µs', 'blocks'], rows);
    return [
      `${describeMachine()}, PostgreSQL ${server.serverVersion}`,
      `insert, remove: µs of database CPU and bytes of WAL per row; removal includes vacuum. ${size.users * size.rows} rows a day, ${size.days} days removed.`,
      '',
      table,
      '',
    ].join('\n');
  } finally {
    await db.close();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measureShape(db: Database, shape: Shape, form: Form, size: Size): Promise<string[][]> {
  const table = `${shape.table}_${form}`;
  await createTable(db, shape, form, table);
  const total = shape.keptDays + size.days;
  const fill = (day: number) => db.query(`insert into ${table} ${shape.fill}`, [day, size.users, size.rows]);
  for (let day = 0; day < shape.keptDays; day += 1) await fill(day);
  await db.query(`vacuum analyze ${table}`);
  const inserted = await measure(db, async () => {
    for (let day = shape.keptDays; day < total; day += 1) await fill(day);
  });
  const removed = await measure(db, () =>
    form === 'plain' ? removeDays(db, table, size) : dropParts(db, table, form, size),
  );
  const count = size.users * size.rows * size.days;
  const perRow = ({ cpuMs, walBytes }: Cost) => [((1_000 * cpuMs) / count).toFixed(1), (walBytes / count).toFixed(0)];
  const costs = [...perRow(inserted), ...perRow(removed)];
  const rows: string[][] = [];
  for (const [name, sql] of Object.entries(shape.reads)) {
    const read = await measureRead(db, sql.replaceAll('TABLE', table), size, total - 1);
    const first = rows.length === 0;
    rows.push([first ? shape.table : '', form, ...(first ? costs : ['', '', '', '']), name, read.cpu, read.blocks]);
  }
  await db.query(`drop table ${table}`);
  return rows;
}

async function createTable(db: Database, shape: Shape, form: Form, table: string): Promise<void> {
  const { columns, key, age, indexes, keptDays } = shape;
  const isPlain = form === 'plain';
  await db.query(
    `create table ${table} (${columns}, primary key (${key}${isPlain ? '' : `, ${age}`})) ${isPlain ? '' : `partition by range (${age})`}`,
  );
  for (const index of isPlain ? [...indexes, `(${age})`] : indexes) await db.query(`create index on ${table} ${index}`);
  if (shape.table === 'raw_payloads') await db.query(`alter table ${table} alter column payload set storage external`);
  if (isPlain) return;
  const days = FORMS[form];
  const edge = (part: number) => new Date(Date.UTC(2026, 0, 1 + part * days)).toISOString();
  for (let part = 0; part * days < keptDays + SPARE_DAYS; part += 1)
    await db.query(
      `create table ${table}_${part} partition of ${table} for values from ('${edge(part)}') to ('${edge(part + 1)}')`,
    );
  await db.query(`create table ${table}_rest partition of ${table} default`);
}

/** As the tidying jobs do: the oldest rows in lots, then vacuum. */
async function removeDays(db: Database, table: string, size: Size): Promise<void> {
  const before = new Date(Date.UTC(2026, 0, 1 + size.days));
  const lot = `with old as (select ctid as address from ${table} where at < $1 order by at limit ${LOT_ROWS})
               delete from ${table} using old where ${table}.ctid = old.address returning 1 as removed`;
  while ((await db.query(lot, [before])).length === LOT_ROWS);
  await db.query(`vacuum ${table}`);
}

async function dropParts(db: Database, table: string, form: Form, size: Size): Promise<void> {
  for (let part = 0; part < size.days / FORMS[form]; part += 1) await db.query(`drop table ${table}_${part}`);
}

async function measure(db: Database, work: () => Promise<void>): Promise<Cost> {
  const read = async () => {
    const [wal] = await db.query<{ bytes: string }>(`select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as bytes`);
    return { cpuMs: (await readDatabaseCpuMs(db)) ?? 0, walBytes: Number(wal?.bytes) };
  };
  const before = await read();
  await work();
  const after = await read();
  return { cpuMs: after.cpuMs - before.cpuMs, walBytes: after.walBytes - before.walBytes };
}

async function measureRead(db: Database, text: string, size: Size, lastDay: number) {
  const name = createHash('md5').update(text).digest('hex');
  const values = (n: number) => [lastDay - (n % 20), 1 + ((n * 37) % size.users), 1 + (n % size.rows)];
  for (let n = 0; n < 20; n += 1) await db.query({ name, text }, values(n));
  const { cpuMs } = await measure(db, async () => {
    for (let n = 0; n < size.reads; n += 1) await db.query({ name, text }, values(n));
  });
  const [day, user, row] = values(7);
  const bound = text.replaceAll('$1', String(day)).replaceAll('$2', String(user)).replaceAll('$3', String(row));
  const plan = await db.query<{ 'QUERY PLAN': string }>(`explain (analyze, buffers, timing off) ${bound}`);
  const blocks = /shared (?:hit=(\d+))?(?: ?read=(\d+))?/.exec(plan.map((line) => line['QUERY PLAN']).join('\n'));
  return {
    cpu: ((1_000 * cpuMs) / size.reads).toFixed(0),
    blocks: String(Number(blocks?.[1] ?? 0) + Number(blocks?.[2] ?? 0)),
  };
}
