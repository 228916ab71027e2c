// Distributes tables over the nodes of a Citus cluster.
import { CliError } from '../cli-error.ts';
import type { Database, Queryable, Transaction } from './database.ts';
import { ADVISORY_LOCK } from './migrate.ts';

export class DistributionError extends CliError {}

type Layout = {
  /** By user_id, co-located. */
  readonly tables: readonly string[];
  /** Stays on the coordinator; transactions that change it and a distributed table commit in two phases. */
  readonly coordinated: string;
};

/** Has no rows. */
const MARKER = 'two_phase_commits';
const NOTHING_CHANGED = 'Nothing was changed.';
/** Few, because each statement of grouped uploads is one task per shard. A shard can be split for a node that is added later. */
const SHARDS_PER_NODE = 1;

/** Moves the rows too. Writers wait meanwhile, so stop the service before. */
export async function distribute(db: Database, { tables, coordinated }: Layout): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCK]);
    const nodeCount = await requireCitus(tx);
    if ((await listDistributed(tx)).size > 0)
      throw new DistributionError(`The tables of health data are distributed already. ${NOTHING_CHANGED}`);
    await markChanges(tx, coordinated);
    // A value that the operator has set stays.
    await tx.query(
      `select set_config(name, $1, true) from pg_settings where name = 'citus.shard_count' and source = 'default'`,
      [String(nodeCount * SHARDS_PER_NODE)],
    );
    for (const table of tables) await distributeTable(tx, table, tables);
  });
}

/** After a migration: a new table is distributed like the others. Does nothing on a database that is not distributed. */
export async function distributeNewTables(db: Database, tables: readonly string[]): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await hasCitus(tx))) return;
    await tx.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCK]);
    const distributed = await listDistributed(tx);
    if (distributed.size === 0) return;
    for (const table of tables) if (!distributed.has(table)) await distributeTable(tx, table, [...distributed]);
  });
}

/**
 * Lets every transaction that changes the table also change one that Citus knows, and so commit in two phases. Citus does not know the
 * table itself, because it would plan each of its statements twice.
 */
async function markChanges(tx: Transaction, table: string): Promise<void> {
  await tx.query(`create table ${MARKER} (id integer primary key)`);
  await tx.query('select citus_add_local_table_to_metadata($1::regclass)', [MARKER]);
  await tx.query(`create function mark_two_phase_commit() returns trigger language plpgsql as
    $$ begin update ${MARKER} set id = id; return null; end $$`);
  await tx.query(`create trigger mark_two_phase_commit after insert or update or delete on ${table}
    for each statement execute function mark_two_phase_commit()`);
}

async function distributeTable(tx: Transaction, table: string, others: readonly string[]): Promise<void> {
  const [first] = others;
  if (first === undefined || first === table)
    await tx.query(`select create_distributed_table($1::regclass, 'user_id', colocate_with => 'none')`, [table]);
  else await tx.query(`select create_distributed_table($1::regclass, 'user_id', colocate_with => $2)`, [table, first]);
}

/** Returns the number of nodes that hold data. */
async function requireCitus(tx: Transaction): Promise<number> {
  if (!(await hasCitus(tx)))
    throw new DistributionError(
      'The extension citus does not exist in this database. Install Citus on every node, run "create extension citus" ' +
        `as a superuser, add the worker nodes (docs/scaling.md), and try again. ${NOTHING_CHANGED}`,
    );
  const nodes = await tx.query<{ groupid: number; holds: boolean }>(
    'select groupid, shouldhaveshards as holds from pg_dist_node where isactive',
  );
  if (!nodes.some(({ groupid }) => groupid === 0))
    throw new DistributionError(
      `The coordinator is not in the list of nodes. Run "select citus_set_coordinator_host('HOST', PORT)" with an ` +
        `address that the workers can reach, and try again. ${NOTHING_CHANGED}`,
    );
  const nodeCount = nodes.filter(({ holds }) => holds).length;
  if (nodeCount === 0)
    throw new DistributionError(
      `The cluster has no node that holds data. Run "select citus_add_node('HOST', PORT)" for each worker, and try again. ${NOTHING_CHANGED}`,
    );
  return nodeCount;
}

async function hasCitus(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ exists: boolean }>(
    `select exists (select from pg_extension where extname = 'citus') as exists`,
  );
  return row?.exists === true;
}

async function listDistributed(tx: Transaction): Promise<Set<string>> {
  const rows = await tx.query<{ name: string }>(
    `select logicalrelid::text as name from pg_dist_partition where partmethod = 'h' order by 1`,
  );
  return new Set(rows.map(({ name }) => name));
}
