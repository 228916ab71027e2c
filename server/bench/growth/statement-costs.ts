// What statements cost the database, from pg_stat_statements: blocks are exact on a machine with other work, times are not.
import type pg from 'pg';

/** Of one call of an operation, or of a minute. */
export type Cost = { readonly statements: number; readonly blocks: number; readonly ms: number };

/** `work` returns how many calls it made. */
export async function measureCost(client: pg.Client, work: () => Promise<number>): Promise<Cost> {
  await client.query('select pg_stat_statements_reset()');
  const calls = await work();
  const { rows } = await client.query<{ statements: number; blocks: number; ms: number }>(
    `select coalesce(sum(calls), 0)::float8 as statements, coalesce(sum(total_exec_time), 0)::float8 as ms,
            coalesce(sum(shared_blks_hit + shared_blks_read), 0)::float8 as blocks
       from pg_stat_statements s join pg_database d on d.oid = s.dbid
      where d.datname = current_database() and query not like '%pg_stat_statements%'`,
  );
  const [sum] = rows;
  if (sum === undefined || calls === 0) throw new Error('nothing was measured');
  return { statements: sum.statements / calls, blocks: sum.blocks / calls, ms: sum.ms / calls };
}

/** The most expensive statements since the last reset, to find the cause of a bad exponent. */
export async function listCostly(client: pg.Client, count: number): Promise<string[]> {
  const { rows } = await client.query<{ query: string; calls: number; blocks: number }>(
    `select query, calls::float8 as calls, (shared_blks_hit + shared_blks_read)::float8 as blocks from pg_stat_statements
      where query not like '%pg_stat_statements%' order by shared_blks_hit + shared_blks_read desc limit $1`,
    [count],
  );
  return rows.map(
    ({ query, calls, blocks }) => `${blocks} blocks, ${calls} calls: ${query.replaceAll(/\s+/g, ' ').slice(0, 160)}`,
  );
}
