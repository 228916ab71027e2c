// The blocks that the statements of a read touch. Unlike their time, they do not depend on other work of the machine.
import type { Queryable } from '../../src/platform/db/database.ts';

type Explained = { readonly Plan: Plan };
type Plan = {
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  /** Only on Citus. */
  readonly 'Distributed Query'?: { readonly Job: { readonly Tasks: { readonly 'Remote Plan': Explained[][] }[] } };
};

export async function countBlocks(db: Queryable, read: (db: Queryable) => Promise<unknown>): Promise<number> {
  let blocks = 0;
  await read({
    async query(statement, values) {
      const text = typeof statement === 'string' ? statement : statement.text;
      const rows = await db.query<{ 'QUERY PLAN': Explained[] }>(
        `explain (analyze, buffers, timing off, format json) ${text}`,
        values,
      );
      const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
      if (plan === undefined) throw new Error('the statement has no plan');
      blocks += blocksOf(plan);
      return db.query(statement, values);
    },
  } as Queryable);
  return blocks;
}

/** On Citus, those of the nodes that hold the rows: the coordinator only looks up its catalogs. */
function blocksOf(plan: Plan): number {
  const tasks = plan['Distributed Query']?.Job.Tasks;
  if (tasks === undefined) return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  const remote = tasks.flatMap((task) => task['Remote Plan'].flat());
  if (remote.length === 0) throw new Error('the statement has no plan on a node');
  return remote.reduce((sum, { Plan: one }) => sum + blocksOf(one), 0);
}
