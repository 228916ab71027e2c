// Adds days to the scoring queue. Users that share a transaction share the statement.
import type { DateRange } from '../../../domain/time/calendar.ts';
import type { Queryable, Transaction } from '../../../platform/db/database.ts';
import { sharedRows } from '../../../platform/db/row-statement.ts';
import { writeDateRanges } from '../../store/daily-store/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { DAY_SCORES_EVERY_MS, JOIN_MS, type ScoringUrgency } from './queue-entry.ts';
import type { DueUser } from './store.ts';

/** In UTC, because Citus accepts only immutable functions here, and no parameters. */
const NEXT_PACED = `(scoring_queue.day_scored_at at time zone 'UTC' + interval '${DAY_SCORES_EVERY_MS} ms') at time zone 'UTC'`;

/** What happens to days that wait already. */
const CONFLICT_UPDATES: Readonly<Record<ScoringUrgency, string>> = {
  paced: `due_at = least(scoring_queue.due_at, greatest(excluded.due_at, ${NEXT_PACED}))`,
  soon: 'due_at = least(scoring_queue.due_at, excluded.due_at)',
  decided: 'due_at = least(scoring_queue.due_at, excluded.due_at), day_scored_at = null',
};

/** Days that are queued already stay queued. */
export async function queueDays(
  tx: Transaction,
  { userId, tenant }: UserHandle,
  days: readonly DateRange[],
  urgency: ScoringUrgency,
  now: Date,
): Promise<void> {
  const dueAt = new Date(now.getTime() + JOIN_MS);
  await ENQUEUE_BY_URGENCY[urgency](tx, { userId, tenant, days, dueAt });
}

type QueuedDays = DueUser & { readonly days: readonly DateRange[]; readonly dueAt: Date };

const ENQUEUE_BY_URGENCY: Readonly<Record<ScoringUrgency, (tx: Queryable, queued: QueuedDays) => Promise<void>>> = {
  paced: enqueueAs('paced'),
  soon: enqueueAs('soon'),
  decided: enqueueAs('decided'),
};

function enqueueAs(urgency: ScoringUrgency): (tx: Queryable, queued: QueuedDays) => Promise<void> {
  const enqueue = sharedRows({
    name: `enqueue_scoring_${urgency}`,
    columns: 5,
    text: (rows) =>
      `insert into scoring_queue (user_id, account_id, environment, days, due_at) values ${rows}
       on conflict (user_id) do update set days = scoring_queue.days + excluded.days, ${CONFLICT_UPDATES[urgency]}`,
  });
  return (tx, { userId, tenant, days, dueAt }) =>
    enqueue(tx, [[userId, tenant.accountId, tenant.environment, writeDateRanges(days), dueAt]]);
}
