// How many users have days to score now.
import { type Queryable, statement } from '../../../platform/db/database.ts';

const MAX_COUNTED = 10_000;
const READ_DUE = statement(
  'read_due_scoring',
  `select count(*)::int as waiting, min(due_at) as "oldestAt"
     from (select due_at from scoring_queue where due_at <= $1 order by due_at limit ${MAX_COUNTED}) due`,
);

export async function readDueScoring(db: Queryable, now: Date): Promise<{ waiting: number; oldestAt: Date | null }> {
  const [row] = await db.query<{ waiting: number; oldestAt: Date | null }>(READ_DUE, [now]);
  return row ?? { waiting: 0, oldestAt: null };
}
