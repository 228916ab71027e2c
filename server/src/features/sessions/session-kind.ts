// What sleeps and workouts differ in, as far as storing and choosing go.
import type { LocalDate } from '../../domain/calendar.ts';
import type { Zone } from '../../domain/day.ts';
import type { ChosenSession, SessionCandidate } from '../../domain/sessions.ts';
import { chooseSleeps, findSleepDetail, sleepDate } from '../../domain/sleep/index.ts';
import { chooseWorkouts, workoutDate } from '../../domain/workouts/index.ts';
import { unpackSleep } from './pack-session.ts';
import type { RecordRow, SessionTable } from './store.ts';
import type { Interval } from './stored-session.ts';

export type SessionKind = {
  readonly table: SessionTable;
  /** None lasts longer: what is stored was checked on its way in. */
  readonly maxMs: number;
  readonly hasMain: boolean;
  dateOf(session: Interval, zone: Zone): LocalDate;
  choose(
    candidates: readonly SessionCandidate<RecordRow>[],
    isProviderOn: (provider: string) => boolean,
  ): ChosenSession<RecordRow>[];
};

const DAY_MS = 86_400_000;

export const SLEEP: SessionKind = {
  table: 'sleep_sessions',
  maxMs: DAY_MS,
  hasMain: true,
  dateOf: sleepDate,
  choose(candidates, isProviderOn) {
    const details = new Map(
      candidates.map(({ session: row }) => [row, findSleepDetail(unpackSleep(row, row.record))] as const),
    );
    return chooseSleeps(candidates, isProviderOn, (row) => details.get(row) ?? 'times');
  },
};

export const WORKOUT: SessionKind = {
  table: 'workouts',
  maxMs: 7 * DAY_MS,
  hasMain: false,
  dateOf: workoutDate,
  choose: chooseWorkouts,
};
