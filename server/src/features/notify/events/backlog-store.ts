// How many events wait to be published.
import { type Queryable, statement } from '../../../platform/db/database.ts';

const MAX_COUNTED = 10_000; // there may be millions after an outage
const READ_WAITING = statement(
  'read_waiting_events',
  `select count(*)::int as waiting, min(created_at) as "oldestAt"
     from (select created_at from event_outbox order by seq limit ${MAX_COUNTED}) oldest`,
);

export async function readWaitingEvents(db: Queryable): Promise<{ waiting: number; oldestAt: Date | null }> {
  const [row] = await db.query<{ waiting: number; oldestAt: Date | null }>(READ_WAITING);
  return row ?? { waiting: 0, oldestAt: null };
}
