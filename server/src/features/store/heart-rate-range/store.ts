// All SQL of the highest heart rates of days.
import type { LocalDate } from '../../../domain/time/calendar.ts';
import { LEAST_PEAK_BPM } from '../../../domain/workouts/index.ts';
import { type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';

const READ_PEAKS = statement(
  'read_observed_max_heart_rates',
  'select date::text as date, bpm from observed_max_heart_rates where user_id = $1 and date between $2 and $3',
);
const WRITE_PEAKS = statement(
  'write_observed_max_heart_rates',
  `insert into observed_max_heart_rates (user_id, date, bpm) select $1, * from unnest($2::date[], $3::real[])
   on conflict (user_id, date) do update set bpm = excluded.bpm`,
);
const DELETE_PEAKS = statement(
  'delete_observed_max_heart_rates',
  'delete from observed_max_heart_rates where user_id = $1 and date = any($2::date[])',
);

export type HeartPeak = { readonly date: LocalDate; readonly bpm: number };

export function readPeaks(db: Queryable, user: UserHandle, from: LocalDate, to: LocalDate): Promise<HeartPeak[]> {
  return db.query<HeartPeak>(READ_PEAKS, [user.userId, from, to]);
}

/** Only those that can matter are kept. */
export async function savePeaks(
  tx: Transaction,
  user: UserHandle,
  peaks: ReadonlyMap<LocalDate, number | null>,
): Promise<void> {
  const isKept = (bpm: number | null): bpm is number => bpm !== null && bpm > LEAST_PEAK_BPM;
  const gone = [...peaks].filter(([, bpm]) => !isKept(bpm)).map(([date]) => date);
  const kept = [...peaks].filter((entry): entry is [LocalDate, number] => isKept(entry[1]));
  if (gone.length > 0) await tx.query(DELETE_PEAKS, [user.userId, gone]);
  if (kept.length === 0) return;
  await tx.query(WRITE_PEAKS, [user.userId, kept.map(([date]) => date), kept.map(([, bpm]) => bpm)]);
}

/** Erasure. */
export async function removePeaks(tx: Transaction, user: UserHandle): Promise<void> {
  await tx.query('delete from observed_max_heart_rates where user_id = $1', [user.userId]);
}
