// How many provider webhooks wait to be read.
import { type Queryable, statement } from '../../../platform/db/database.ts';

const MAX_COUNTED = 10_000;
const READ_WAITING = statement(
  'read_waiting_provider_webhooks',
  `select count(*)::int as waiting, min(received_at) as "oldestAt"
     from (select received_at from provider_webhooks order by id limit ${MAX_COUNTED}) oldest`,
);

export async function readWaitingWebhooks(db: Queryable): Promise<{ waiting: number; oldestAt: Date | null }> {
  const [row] = await db.query<{ waiting: number; oldestAt: Date | null }>(READ_WAITING);
  return row ?? { waiting: 0, oldestAt: null };
}
