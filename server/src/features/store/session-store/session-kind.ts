// The differences between sleeps and workouts in storage and consolidation.

import type { CanonicalSession, SessionCandidate } from '../../../domain/sessions/sessions.ts';
import {
  consolidateSleeps,
  dateNights,
  findSleepDetail,
  NIGHT_REACH_MS,
  nightOf,
  SAME_NIGHT_GAP_MS,
  sleepDate,
} from '../../../domain/sleep/index.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import type { Zone } from '../../../domain/time/day.ts';
import { DAY_MS } from '../../../domain/time/durations.ts';
import { consolidateWorkouts, traitsOfWorkout, workoutDate } from '../../../domain/workouts/index.ts';
import { unpackSleep, unpackTraits } from './pack-session.ts';
import type { RecordRow, SessionTable } from './store.ts';
import type { EpochInterval } from './stored-session.ts';

export type SessionKind = {
  readonly table: SessionTable;
  /** The maximum length, which validation enforces. */
  readonly maxMs: number;
  readonly hasMain: boolean;
  /** Sessions closer than this can be parts of one night and change each other's day. */
  readonly joinGapMs: number;
  /** How long before its day a session can begin or end. */
  readonly dayReachMs: number;
  /** The day of a single session, without regard to others. */
  dateOf(session: EpochInterval, zone: Zone): LocalDate;
  /** The day of each session, in groups, so that the caller can pause. `duplicateOf` returns the id of the canonical session. */
  dateAll(
    sessions: readonly RecordRow[],
    zone: Zone,
    duplicateOf: (row: RecordRow) => string | null,
  ): Iterable<ReadonlyMap<RecordRow, LocalDate>>;
  /** Sessions with the same night may count toward one day although they end on two days. Null: no night. */
  nightOf(session: EpochInterval, zone: Zone): LocalDate | null;
  consolidate(
    candidates: readonly SessionCandidate<RecordRow>[],
    isProviderOn: (provider: string) => boolean,
  ): CanonicalSession<RecordRow>[];
};

export const SLEEP: SessionKind = {
  table: 'sleep_sessions',
  maxMs: DAY_MS,
  hasMain: true,
  joinGapMs: SAME_NIGHT_GAP_MS,
  dayReachMs: NIGHT_REACH_MS,
  dateOf: sleepDate,
  dateAll: dateNights,
  nightOf,
  consolidate(candidates, isProviderOn) {
    const details = new Map(
      candidates.map(({ session: row }) => [row, findSleepDetail(unpackSleep(row, row.record))] as const),
    );
    return consolidateSleeps(candidates, isProviderOn, (row) => details.get(row) ?? 'times');
  },
};

export const WORKOUT: SessionKind = {
  table: 'workouts',
  maxMs: 7 * DAY_MS,
  hasMain: false,
  joinGapMs: 0,
  dayReachMs: 0,
  dateOf: workoutDate,
  dateAll: (workouts, zone) => [new Map(workouts.map((workout) => [workout, workoutDate(workout, zone)]))],
  nightOf: () => null,
  consolidate: (candidates) => consolidateWorkouts(candidates, ({ record }) => traitsOfWorkout(unpackTraits(record))),
};
