// The canonical sleeps and workouts of a user as rows, as the device that stands for them recorded them.
import type { SleepSession, Workout } from '../../../domain/records/records.ts';
import { formatInstant } from '../../../domain/time/calendar.ts';
import type { CsvCell } from '../../../platform/csv.ts';
import type { Database } from '../../../platform/db/database.ts';
import { listSourceLabels } from '../../store/devices/index.ts';
import {
  listSessionDates,
  readSleepsOfDates,
  readWorkoutsOfDates,
  type StoredSleep,
  type StoredWorkout,
} from '../../store/session-store/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { inPages } from './export-sessions.ts';

type Columns<Kind> = readonly (readonly [string, (session: Kind) => CsvCell])[];

const SLEEP: Columns<SleepSession> = [
  ['in_bed_minutes', ({ inBedMinutes }) => inBedMinutes],
  ['asleep_minutes', ({ asleepMinutes }) => asleepMinutes],
  ['deep_minutes', ({ deepMinutes }) => deepMinutes],
  ['light_minutes', ({ lightMinutes }) => lightMinutes],
  ['rem_minutes', ({ remMinutes }) => remMinutes],
  ['awake_minutes', ({ awakeMinutes }) => awakeMinutes],
  ['heart_rate', ({ heartRate }) => heartRate],
  ['heart_rate_variability', ({ heartRateVariability }) => heartRateVariability],
  ['respiratory_rate', ({ respiratoryRate }) => respiratoryRate],
  ['blood_oxygen', ({ bloodOxygen }) => bloodOxygen],
  ['body_temperature', ({ bodyTemperature }) => bodyTemperature],
  ['skin_temperature', ({ skinTemperature }) => skinTemperature],
  ['wrist_temperature', ({ wristTemperature }) => wristTemperature],
];

const WORKOUT: Columns<Workout> = [
  ['sport_type', ({ sportType }) => sportType],
  ['name', ({ name }) => name],
  ['duration_minutes', ({ durationMinutes }) => durationMinutes],
  ['distance_km', ({ distanceKm }) => distanceKm],
  ['active_calories', ({ activeCalories }) => activeCalories],
  ['steps', ({ steps }) => steps],
  ['elevation_gain_m', ({ elevationGainM }) => elevationGainM],
  ['avg_heart_rate', ({ avgHeartRate }) => avgHeartRate],
  ['max_heart_rate', ({ maxHeartRate }) => maxHeartRate],
];

const COMMON = ['date', 'start', 'end', 'utc_offset_minutes', 'provider'];
export const SLEEP_COLUMNS = [...COMMON, 'is_main', ...SLEEP.map(([name]) => name)];
export const WORKOUT_COLUMNS = [...COMMON, ...WORKOUT.map(([name]) => name)];

export async function* listSleepRows(db: Database, user: UserHandle): AsyncGenerator<CsvCell[][]> {
  const providerOf = await readProviders(db, user);
  for (const dates of inPages((await listSessionDates(db, user)).sleep)) {
    const sleeps = [...(await readSleepsOfDates(db, user, dates)).values()].flat();
    yield listCanonical(sleeps).map((sleep) => [
      ...presentCommon(sleep, providerOf),
      sleep.isMain,
      ...SLEEP.map(([, read]) => read(sleep.session)),
    ]);
  }
}

export async function* listWorkoutRows(db: Database, user: UserHandle): AsyncGenerator<CsvCell[][]> {
  const providerOf = await readProviders(db, user);
  for (const dates of inPages((await listSessionDates(db, user)).workouts)) {
    const workouts = [...(await readWorkoutsOfDates(db, user, dates)).values()].flat();
    yield listCanonical(workouts).map((workout) => [
      ...presentCommon(workout, providerOf),
      ...WORKOUT.map(([, read]) => read(workout.session)),
    ]);
  }
}

type Stored = StoredSleep | StoredWorkout;
type ProviderOf = (stored: Stored) => string | null;

function listCanonical<Kind extends Stored>(stored: readonly Kind[]): Kind[] {
  return stored
    .filter(({ duplicateOf }) => duplicateOf === null)
    .sort((one, other) => one.session.start - other.session.start);
}

function presentCommon(stored: Stored, providerOf: ProviderOf): CsvCell[] {
  const { start, end, offsetMinutes } = stored.session;
  return [stored.date, timeOf(start), timeOf(end), offsetMinutes, providerOf(stored)];
}

async function readProviders(db: Database, user: UserHandle): Promise<ProviderOf> {
  const labels = new Map((await listSourceLabels(db, user)).map(({ number, provider }) => [number, provider]));
  return ({ device }) => labels.get(device) ?? null;
}

function timeOf(epochMs: number): string {
  return formatInstant(new Date(epochMs));
}
