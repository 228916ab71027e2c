// All SQL of observed maximum heart rates.
import type { LocalDate } from '../../../domain/time/calendar.ts';
import { MIN_OBSERVED_MAX_BPM } from '../../../domain/workouts/index.ts';
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

/** Stores only heart rates that are high enough to be a maximum. */
export async function saveObservedMax(
  tx: Transaction,
  user: UserHandle,
  maxima: ReadonlyMap<LocalDate, number | null>,
): Promise<void> {
  const isKept = (bpm: number | null): bpm is number => bpm !== null && bpm > MIN_OBSERVED_MAX_BPM;
  const removed = [...maxima].filter(([, bpm]) => !isKept(bpm)).map(([date]) => date);
  const kept = [...maxima].filter((entry): entry is [LocalDate, number] => isKept(entry[1]));
  if (removed.length > 0) await tx.query(DELETE_OBSERVED_MAX, [user.userId, removed]);
  if (kept.length === 0) return;
  await tx.query(WRITE_OBSERVED_MAX, [user.userId, kept.map(([date]) => date), kept.map(([, bpm]) => bpm)]);
}

/** Erases the observed maxima of a user. */
export async function removeObservedMax(tx: Transaction, user: UserHandle): Promise<void> {
  await tx.query('delete from observed_max_heart_rates where user_id = $1', [user.userId]);
}
