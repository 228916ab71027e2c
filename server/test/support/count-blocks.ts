// The blocks that the statements of a read touch. Unlike their time, they do not depend on other work of the machine.
import type { Queryable } from '../../src/platform/db/database.ts';

type Plan = { readonly 'Shared Hit Blocks': number; readonly 'Shared Read Blocks': number };

export async function countBlocks(db: Queryable, read: (db: Queryable) => Promise<unknown>): Promise<number> {
  let blocks = 0;
  await read({
    async query(statement, values) {
      const text = typeof statement === 'string' ? statement : statement.text;
      const rows = await db.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
        `explain (analyze, buffers, timing off, format json) ${text}`,
        values,
      );
      const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
      if (plan === undefined) throw new Error('the statement has no plan');
      blocks += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
      return db.query(statement, values);
    },
  } as Queryable);
  return blocks;
}
