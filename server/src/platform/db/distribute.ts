// Distributes tables over the nodes of a Citus cluster.
import { CliError } from '../cli-error.ts';
import type { Database, Queryable, Transaction } from './database.ts';
import { ADVISORY_LOCK } from './migrate.ts';

export class DistributionError extends CliError {}

type Layout = {
  /** By user_id, co-located. */
  readonly distributed: readonly string[];
  /** Stay on the coordinator. Every node can use them, and a transaction that changes them and a distributed table commits in two phases. */
  readonly shared: readonly string[];
};

/** In `partmethod` of Citus. */
const DISTRIBUTED = 'h';
const ON_COORDINATOR = 'n';
const NOTHING_CHANGED = 'Nothing was changed.';
/** Few, because each statement of grouped uploads is one task per shard. A shard can be split for a node that is added later. */
const SHARDS_PER_NODE = 1;

/** Moves the rows too. Writers wait meanwhile, so stop the service before. */
export async function distribute(db: Database, layout: Layout): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCK]);
    const nodeCount = await requireCitus(tx);
    if ((await listKnown(tx, DISTRIBUTED)).size > 0)
      throw new DistributionError(`The tables of health data are distributed already. ${NOTHING_CHANGED}`);
    // A value that the operator has set stays.
    await tx.query(
      `select set_config(name, $1, true) from pg_settings where name = 'citus.shard_count' and source = 'default'`,
      [String(nodeCount * SHARDS_PER_NODE)],
    );
    for (const table of layout.distributed) await distributeTable(tx, table, layout.distributed);
    for (const table of layout.shared) await shareTable(tx, table);
  });
}

/** After a migration: new tables become like the others. Does nothing on a database that is not distributed. */
export async function distributeNewTables(db: Database, layout: Layout): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await hasCitus(tx))) return;
    await tx.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCK]);
    const distributed = await listKnown(tx, DISTRIBUTED);
    if (distributed.size === 0) return;
    await tx.query('drop function if exists mark_two_phase_commit cascade'); // of an earlier version, as is the table
    await tx.query('drop table if exists two_phase_commits');
    for (const table of layout.distributed)
      if (!distributed.has(table)) await distributeTable(tx, table, [...distributed]);
    const shared = await listKnown(tx, ON_COORDINATOR);
    for (const table of layout.shared) if (!shared.has(table)) await shareTable(tx, table);
  });
}

/** A foreign key would add all accounts, keys and members to the tables that Citus plans. */
async function shareTable(tx: Transaction, table: string): Promise<void> {
  const keys = await tx.query<{ name: string }>(
    `select quote_ident(conname) as name from pg_constraint where conrelid = $1::regclass and contype = 'f'`,
    [table],
  );
  for (const { name } of keys) await tx.query(`alter table ${table} drop constraint ${name}`);
  const numbered = await tx.query<{ column: string; sequence: string }>(
    `select quote_ident(attname) as column, pg_get_serial_sequence($1, attname) as sequence
       from pg_attribute where attrelid = $1::regclass and attidentity <> ''`,
    [table],
  );
  for (const { column, sequence } of numbered) await numberOnCoordinator(tx, table, column, sequence);
  await tx.query('select citus_add_local_table_to_metadata($1::regclass)', [table]);
}

/** Each node has a sequence with a range of its own. The trigger runs where the rows are, so that all numbers are of one sequence. */
async function numberOnCoordinator(tx: Transaction, table: string, column: string, sequence: string): Promise<void> {
  const name = `number_${table}`;
  await tx.query(`create or replace function ${name}() returns trigger language plpgsql as
    $$ begin new.${column} := nextval('${sequence}'); return new; end $$`);
  await tx.query(`create or replace trigger ${name} before insert on ${table} for each row execute function ${name}()`);
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

async function listKnown(tx: Transaction, method: string): Promise<Set<string>> {
  const rows = await tx.query<{ name: string }>(
    'select logicalrelid::text as name from pg_dist_partition where partmethod = $1 order by 1',
    [method],
  );
  return new Set(rows.map(({ name }) => name));
}
