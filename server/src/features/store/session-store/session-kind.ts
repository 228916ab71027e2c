// What sleeps and workouts differ in, as far as storing and choosing go.

import type { CanonicalSession, SessionCandidate } from '../../../domain/sessions/sessions.ts';
import {
  consolidateSleeps,
  dateSleeps,
  findSleepDetail,
  NIGHT_REACH_MS,
  nightOf,
  SAME_NIGHT_GAP_MS,
  sleepDate,
} from '../../../domain/sleep/index.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import type { Zone } from '../../../domain/time/day.ts';
import { consolidateWorkouts, workoutDate } from '../../../domain/workouts/index.ts';
import { unpackSleep } from './pack-session.ts';
import type { RecordRow, SessionTable } from './store.ts';
import type { Interval } from './stored-session.ts';

export type SessionKind = {
  readonly table: SessionTable;
  /** None lasts longer: what is stored was checked on its way in. */
  readonly maxMs: number;
  readonly hasMain: boolean;
  /** Sessions less apart than this may be one, and change each other's day. */
  readonly joinGapMs: number;
  /** So much before the day that it counts toward a session can begin, or end. */
  readonly dayReachMs: number;
  /** The day of a session by itself. */
  dateOf(session: Interval, zone: Zone): LocalDate;
  /** The day of each session. `copyOf`: the id of the session that it is a copy of. */
  dateAll(
    sessions: readonly RecordRow[],
    zone: Zone,
    duplicateOf: (row: RecordRow) => string | null,
  ): ReadonlyMap<RecordRow, LocalDate>;
  /** What sessions have in common that may count toward one day though they end on two; null: nothing. */
  nightOf(session: Interval, zone: Zone): LocalDate | null;
  consolidate(
    candidates: readonly SessionCandidate<RecordRow>[],
    isProviderOn: (provider: string) => boolean,
  ): CanonicalSession<RecordRow>[];
};

const DAY_MS = 86_400_000;

export const SLEEP: SessionKind = {
  table: 'sleep_sessions',
  maxMs: DAY_MS,
  hasMain: true,
  joinGapMs: SAME_NIGHT_GAP_MS,
  dayReachMs: NIGHT_REACH_MS,
  dateOf: sleepDate,
  dateAll: dateSleeps,
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
  dateAll: (workouts, zone) => new Map(workouts.map((workout) => [workout, workoutDate(workout, zone)])),
  nightOf: () => null,
  consolidate: consolidateWorkouts,
};
