// Prepares a sleep or workout for storage without the database: packing a long trace takes time and can run in a worker thread. Pure.
import type { SleepSession, Workout } from '../../../domain/records/records.ts';
import { buildHeartHistogram } from '../../../domain/workouts/index.ts';
import { type PackedRoute, packRoute } from './pack-route.ts';
import { packSleep, packWorkout, type SessionColumns } from './pack-session.ts';
import { encodeTrace } from './pack-trace.ts';

export type PreparedSession = {
  readonly frame: SessionColumns;
  /** JSON. */
  readonly record: string;
  /** Not compressed, because only new traces are written. */
  readonly trace: Uint8Array | null;
  /** Stored only if the account keeps routes. */
  readonly route: PackedRoute | null;
};

export function prepareSleep(sleep: SleepSession): PreparedSession {
  return { frame: frameOf(sleep), record: JSON.stringify(packSleep(sleep)), trace: null, route: null };
}

export function prepareWorkout(workout: Workout): PreparedSession {
  const trace = encodeTrace(workout);
  const record = packWorkout(workout, buildHeartHistogram(workout), trace?.digest ?? null);
  return {
    frame: frameOf(workout),
    record: JSON.stringify(record),
    trace: trace?.bytes ?? null,
    route: packRoute(workout),
  };
}

function frameOf({ key, start, end }: SessionColumns): SessionColumns {
  return { key, start, end };
}
