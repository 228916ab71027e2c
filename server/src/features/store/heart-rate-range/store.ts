// All SQL of observed maximum heart rates.
import type { LocalDate } from '../../../domain/time/calendar.ts';
import { type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';

const READ_OBSERVED_MAX = statement(
  'read_observed_max_heart_rates',
  'select date::text as date, bpm from observed_max_heart_rates where user_id = $1 and date between $2 and $3',
);
const WRITE_OBSERVED_MAX = statement(
  'write_observed_max_heart_rates',
  `insert into observed_max_heart_rates (user_id, date, bpm) select $1, * from unnest($2::date[], $3::real[])
   on conflict (user_id, date) do update set bpm = excluded.bpm`,
);
const DELETE_OBSERVED_MAX = statement(
  'delete_observed_max_heart_rates',
  'delete from observed_max_heart_rates where user_id = $1 and date = any($2::date[])',
);

export type ObservedMaximum = { readonly date: LocalDate; readonly bpm: number };

export function readObservedMax(
  db: Queryable,
  user: UserHandle,
  from: LocalDate,
  to: LocalDate,
): Promise<ObservedMaximum[]> {
  return db.query<ObservedMaximum>(READ_OBSERVED_MAX, [user.userId, from, to]);
}

/** Null removes the maximum of a day. */
export async function saveObservedMax(
  tx: Transaction,
  user: UserHandle,
  maxima: ReadonlyMap<LocalDate, number | null>,
): Promise<void> {
  const removed = [...maxima].filter(([, bpm]) => bpm === null).map(([date]) => date);
  const kept = [...maxima].filter(([, bpm]) => bpm !== null);
  if (removed.length > 0) await tx.query(DELETE_OBSERVED_MAX, [user.userId, removed]);
  if (kept.length === 0) return;
  await tx.query(WRITE_OBSERVED_MAX, [user.userId, kept.map(([date]) => date), kept.map(([, bpm]) => bpm)]);
}

/** Erases the observed maxima of a user. */
export async function removeObservedMax(tx: Transaction, user: UserHandle): Promise<void> {
  await tx.query('delete from observed_max_heart_rates where user_id = $1', [user.userId]);
}
