// Sleeps and workouts as they are stored: what a device reported, and whether it is shown.

import type { EpochMs, SleepSession, Workout } from '../../../domain/records/records.ts';
import type { DeviceNumber } from '../../../domain/tenancy.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import type { HeartHistogram } from '../../../domain/workouts/index.ts';
import type { PreparedSession } from './prepare-session.ts';

/** End not included. */
export type Interval = { readonly start: EpochMs; readonly end: EpochMs };

export type StoredSession<Kind> = {
  readonly id: string;
  readonly device: DeviceNumber;
  readonly session: Kind;
  /** The local day it counts toward. */
  readonly date: LocalDate;
  /** Null: it is shown. Its own id: neither shown nor a copy, as its provider is off or its device gone. */
  readonly duplicateOf: string | null;
  /** Always false for workouts. */
  readonly isMain: boolean;
};

export type StoredSleep = StoredSession<SleepSession>;

/** `session.heartRateSamples` is null: hand the histogram to the functions of domain/workouts instead. */
export type StoredWorkout = StoredSession<Workout> & { readonly histogram: HeartHistogram | null };

export type SessionBatch = {
  readonly sleep: readonly PreparedSession[];
  readonly workouts: readonly PreparedSession[];
  /** Keys. */
  readonly deletedSleep: readonly string[];
  readonly deletedWorkouts: readonly string[];
};

/** Where sessions lie that came, went or changed, as they were and as they are. */
export type TouchedSessions = { readonly sleep: Interval[]; readonly workouts: Interval[] };

export type StoredBatch = {
  readonly added: number;
  readonly replaced: number;
  readonly equal: number;
  readonly deleted: number;
  /** Replaced by one that counts toward another day. */
  readonly moved: number;
  /** Not stored: their UTC day has MAX_SESSIONS_OF_DAY of the user already. */
  readonly refusedSleep: number;
  readonly refusedWorkouts: number;
  readonly touchedSleep: Interval[];
  readonly touchedWorkouts: Interval[];
};
