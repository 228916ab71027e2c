// Adds days to the scoring queue. Users that share a transaction share the statement.
import type { DateRange } from '../../../domain/time/calendar.ts';
import { type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';
import { sharedWrite } from '../../../platform/db/shared-transaction.ts';
import { writeDateRanges } from '../../store/daily-store/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { DAY_SCORES_EVERY_MS, JOIN_MS, type Urgency } from './queue-entry.ts';
import type { DueUser } from './store.ts';

const ENQUEUE = statement(
  'enqueue_scoring',
  `insert into scoring_queue (user_id, account_id, environment, days, due_at)
   select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::datemultirange[], $5::timestamptz[])
   on conflict (user_id) do update set days = scoring_queue.days + excluded.days,
     due_at = least(scoring_queue.due_at, case when $6 then excluded.due_at
       else greatest(excluded.due_at, scoring_queue.day_scored_at + $7::int * interval '1 ms') end),
     day_scored_at = case when $8 then null else scoring_queue.day_scored_at end`,
);

/** Days that are queued already stay queued. */
export async function queueDays(
  tx: Transaction,
  { userId, tenant }: UserHandle,
  days: readonly DateRange[],
  urgency: Urgency,
  now: Date,
): Promise<void> {
  const dueAt = new Date(now.getTime() + JOIN_MS);
  await ENQUEUE_BY_URGENCY[urgency](tx, { userId, tenant, days, dueAt });
}

type QueuedDays = DueUser & { readonly days: readonly DateRange[]; readonly dueAt: Date };

const ENQUEUE_BY_URGENCY: Readonly<Record<Urgency, (tx: Queryable, queued: QueuedDays) => Promise<void>>> = {
  paced: enqueueAs('paced'),
  soon: enqueueAs('soon'),
  decided: enqueueAs('decided'),
};

function enqueueAs(urgency: Urgency) {
  return sharedWrite<QueuedDays>((db, queued) =>
    db.query(ENQUEUE, [
      queued.map(({ userId }) => userId),
      queued.map(({ tenant }) => tenant.accountId),
      queued.map(({ tenant }) => tenant.environment),
      queued.map(({ days }) => writeDateRanges(days)),
      queued.map(({ dueAt }) => dueAt),
      urgency !== 'paced',
      DAY_SCORES_EVERY_MS,
      urgency === 'decided',
    ]),
  );
}
