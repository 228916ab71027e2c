// Stored sleeps and workouts: the record of a device, and whether it is canonical or a duplicate.

import type { EpochMs, SleepSession, Workout } from '../../../domain/records/records.ts';
import type { DeviceNumber } from '../../../domain/tenancy.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import type { Interval } from '../../../domain/time/intervals.ts';
import type { HeartHistogram } from '../../../domain/workouts/index.ts';
import type { PreparedSession } from './prepare-session.ts';

/** End not included. */
export type EpochInterval = Interval<EpochMs>;

type StoredSession<Kind> = {
  readonly id: string;
  readonly device: DeviceNumber;
  readonly session: Kind;
  /** The local day that the session counts toward. */
  readonly date: LocalDate;
  /** Null: canonical. Its own id: neither canonical nor a duplicate, because its provider is disabled or its device removed. */
  readonly duplicateOf: string | null;
  /** Always false for workouts. */
  readonly isMain: boolean;
};

export type StoredSleep = StoredSession<SleepSession>;

/** `session.heartRateSamples` is null: pass the histogram to the functions of domain/workouts instead. */
export type StoredWorkout = StoredSession<Workout> & { readonly histogram: HeartHistogram | null };

export type SessionBatch = {
  readonly sleep: readonly PreparedSession[];
  readonly workouts: readonly PreparedSession[];
  /** Keys. */
  readonly deletedSleep: readonly string[];
  readonly deletedWorkouts: readonly string[];
};

/** The intervals of added, removed and changed sessions, before and after the change. */
export type TouchedSessions = { readonly sleep: EpochInterval[]; readonly workouts: EpochInterval[] };

export type StoredBatch = {
  readonly added: number;
  readonly replaced: number;
  readonly equal: number;
  readonly deleted: number;
  /** Replaced sessions that now count toward another day. */
  readonly moved: number;
  /** Not stored, because their UTC day already has MAX_SESSIONS_OF_DAY. */
  readonly refusedSleep: number;
  readonly refusedWorkouts: number;
  /** Workouts stored without their route or laps, because the account does not keep them. */
  readonly droppedRoutes: number;
  readonly touchedSleep: EpochInterval[];
  readonly touchedWorkouts: EpochInterval[];
};
