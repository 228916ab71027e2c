// What sleeps and workouts differ in, as far as storing and choosing go.
import type { LocalDate } from '../../domain/calendar.ts';
import type { Zone } from '../../domain/day.ts';
import type { ChosenSession, Session, SessionCandidate } from '../../domain/sessions.ts';
import { chooseSleeps, sleepDate } from '../../domain/sleep/index.ts';
import { chooseWorkouts, workoutDate } from '../../domain/workouts/index.ts';
import type { SessionTable } from './store.ts';
import type { Interval } from './stored-session.ts';

export type SessionKind = {
  readonly table: SessionTable;
  /** None lasts longer: what is stored was checked on its way in. */
  readonly maxMs: number;
  readonly hasMain: boolean;
  dateOf(session: Interval, zone: Zone): LocalDate;
  choose<Kind extends Session>(
    candidates: readonly SessionCandidate<Kind>[],
    isProviderOn: (provider: string) => boolean,
  ): ChosenSession<Kind>[];
};

const DAY_MS = 86_400_000;

export const SLEEP: SessionKind = {
  table: 'sleep_sessions',
  maxMs: DAY_MS,
  hasMain: true,
  dateOf: sleepDate,
  choose: chooseSleeps,
};

export const WORKOUT: SessionKind = {
  table: 'workouts',
  maxMs: 7 * DAY_MS,
  hasMain: false,
  dateOf: workoutDate,
  choose: chooseWorkouts,
};
