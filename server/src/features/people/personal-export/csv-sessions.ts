// The canonical sleeps and workouts of a user as rows, with the values that the API returns.
import type { DateRange, LocalDate } from '../../../domain/time/calendar.ts';
import type { CsvCell } from '../../../platform/csv.ts';
import type { Database } from '../../../platform/db/database.ts';
import { type ExportedSleep, type ExportedWorkout, toSleepRecord, toWorkoutRecord } from '../../reads/exports/index.ts';
import { listSleeps } from '../../reads/sleep/index.ts';
import { listWorkouts } from '../../reads/workouts/index.ts';
import { listSessionDates } from '../../store/session-store/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { inPages } from './export-sessions.ts';

const SLEEP = [
  'in_bed_minutes',
  'asleep_minutes',
  'deep_minutes',
  'light_minutes',
  'rem_minutes',
  'awake_minutes',
  'heart_rate',
  'heart_rate_variability',
  'respiratory_rate',
  'blood_oxygen',
  'body_temperature',
  'skin_temperature',
  'wrist_temperature',
] as const satisfies readonly (keyof ExportedSleep)[];

const WORKOUT = [
  'sport_type',
  'name',
  'duration_minutes',
  'distance_km',
  'active_calories',
  'steps',
  'elevation_gain_m',
  'avg_heart_rate',
  'max_heart_rate',
] as const satisfies readonly (keyof ExportedWorkout)[];

const COMMON = ['date', 'start', 'end', 'utc_offset_minutes', 'provider'];
export const SLEEP_COLUMNS = [...COMMON, 'is_main', ...SLEEP];
export const WORKOUT_COLUMNS = [...COMMON, ...WORKOUT];

export async function* listSleepRows(db: Database, user: UserHandle): AsyncGenerator<CsvCell[][]> {
  for (const range of listRanges((await listSessionDates(db, user)).sleep)) {
    yield (await listSleeps(db, user, range)).map((sleep) => {
      const record = toSleepRecord(sleep);
      return [...presentCommon(record, sleep.session), record.is_main_sleep, ...SLEEP.map((name) => record[name])];
    });
  }
}

export async function* listWorkoutRows(db: Database, user: UserHandle): AsyncGenerator<CsvCell[][]> {
  for (const range of listRanges((await listSessionDates(db, user)).workouts)) {
    yield (await listWorkouts(db, user, range)).map((workout) => {
      const record = toWorkoutRecord(workout);
      return [...presentCommon(record, workout.session), ...WORKOUT.map((name) => record[name])];
    });
  }
}

/** From the first to the last day of each page; the days between them have no sessions. */
function* listRanges(dates: readonly LocalDate[]): Generator<DateRange> {
  for (const page of inPages(dates)) {
    const [from, to] = [page[0], page.at(-1)];
    if (from !== undefined && to !== undefined) yield { from, to };
  }
}

function presentCommon(
  { date, start, end, provider }: ExportedSleep | ExportedWorkout,
  { offsetMinutes }: { readonly offsetMinutes: number | null },
): CsvCell[] {
  return [date, start, end, offsetMinutes, provider];
}
