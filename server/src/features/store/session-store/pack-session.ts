// Packs a session into the `record` column of its row and back: all fields without a column of their own, without nulls. Pure.
import {
  type EpochMs,
  SLEEP_STAGES,
  type SleepSession,
  type SleepStage,
  type StagePeriod,
  type Workout,
} from '../../../domain/records/records.ts';
import type { HeartHistogram } from '../../../domain/workouts/index.ts';

/** The fields that have columns of their own. */
export type SessionColumns = { readonly key: string; readonly start: EpochMs; readonly end: EpochMs };

export type PackedRecord = Readonly<Record<string, unknown>>;

const SLEEP_FIELDS = [
  'offsetMinutes',
  'asleepMinutes',
  'deepMinutes',
  'lightMinutes',
  'remMinutes',
  'awakeMinutes',
  'inBedMinutes',
  'heartRate',
  'heartRateVariability',
  'hrvKind',
  'respiratoryRate',
  'bloodOxygen',
  'bodyTemperature',
  'skinTemperature',
  'wristTemperature',
  'method',
] as const satisfies readonly Exclude<keyof SleepSession, keyof SessionColumns | 'stages'>[];

const WORKOUT_FIELDS = [
  'sportType',
  'name',
  'offsetMinutes',
  'durationMinutes',
  'distanceKm',
  'activeCalories',
  'steps',
  'elevationGainM',
  'avgMets',
  'weatherTemperatureC',
  'weatherHumidityPct',
  'swimmingStrokeCount',
  'swimmingLapLengthM',
  'avgHeartRate',
  'maxHeartRate',
  'sourceZones',
  'method',
] as const satisfies readonly Exclude<keyof Workout, keyof SessionColumns | 'heartRateSamples' | 'route' | 'laps'>[];

/** Of a record whose workout has a row in workout_routes. */
export const ROUTE_DIGEST = 'routeDigest';

/** Stage, milliseconds after the start of the sleep, and length in milliseconds. */
const NUMBERS_PER_STAGE = 3;
/** Beats per minute, and duration in milliseconds. */
const NUMBERS_PER_RATE = 2;

export function packSleep(sleep: SleepSession): PackedRecord {
  const stages = sleep.stages?.flatMap(({ stage, start, end }) => [
    SLEEP_STAGES.indexOf(stage),
    start - sleep.start,
    end - start,
  ]);
  return { ...pickKnown(sleep, SLEEP_FIELDS), ...(stages === undefined ? {} : { stages }) };
}

export function unpackSleep(frame: SessionColumns, record: PackedRecord): SleepSession {
  return {
    ...frameOf(frame),
    ...pickOrNull(record, SLEEP_FIELDS),
    stages: unpackStages(frame.start, (record.stages as number[] | undefined) ?? null),
  } as unknown as SleepSession;
}

/** `traceDigest` identifies a trace without decoding the stored one. */
export function packWorkout(
  workout: Workout,
  histogram: HeartHistogram | null,
  traceDigest: string | null,
): PackedRecord {
  return {
    ...pickKnown(workout, WORKOUT_FIELDS),
    ...(workout.recordedBy ? { recordedBy: workout.recordedBy } : {}),
    ...(histogram === null ? {} : { histogram: histogram.flat() }),
    ...(traceDigest === null ? {} : { traceDigest }),
  };
}

/** Into a record as JSON: it shows whether the workout has a route or laps, and whether those of another record differ. */
export function withRouteDigest(record: string, route: { readonly digest: string } | null): string {
  return route === null ? record : `${record.slice(0, -1)},"${ROUTE_DIGEST}":"${route.digest}"}`;
}

export function hasRoute(record: PackedRecord): boolean {
  return record[ROUTE_DIGEST] !== undefined;
}

export function unpackWorkout(
  frame: SessionColumns,
  record: PackedRecord,
): { session: Workout; histogram: HeartHistogram | null } {
  const session = {
    ...frameOf(frame),
    ...pickOrNull(record, WORKOUT_FIELDS),
    ...(record.recordedBy ? { recordedBy: record.recordedBy } : {}), // absent in rows of earlier versions
    heartRateSamples: null,
  };
  const flat = record.histogram as number[] | undefined;
  return {
    session: session as unknown as Workout,
    histogram: flat === undefined ? null : (inGroups(flat, NUMBERS_PER_RATE) as unknown as HeartHistogram),
  };
}

/** What consolidation reads of a workout. */
export function unpackTraits({ sportType, recordedBy }: PackedRecord): Pick<Workout, 'sportType' | 'recordedBy'> {
  return { sportType, recordedBy: recordedBy ?? null } as Pick<Workout, 'sportType' | 'recordedBy'>;
}

function unpackStages(startMs: EpochMs, flat: readonly number[] | null): StagePeriod[] | null {
  if (flat === null) return null;
  return inGroups(flat, NUMBERS_PER_STAGE).map(([stage = 0, afterMs = 0, lengthMs = 0]) => ({
    stage: SLEEP_STAGES[stage] as SleepStage,
    start: (startMs + afterMs) as EpochMs,
    end: (startMs + afterMs + lengthMs) as EpochMs,
  }));
}

function inGroups(flat: readonly number[], size: number): number[][] {
  return Array.from({ length: flat.length / size }, (_, index) => flat.slice(index * size, (index + 1) * size));
}

function frameOf({ key, start, end }: SessionColumns): SessionColumns {
  return { key, start, end };
}

function pickKnown<Source extends object>(source: Source, fields: readonly (keyof Source & string)[]): PackedRecord {
  return Object.fromEntries(fields.map((field) => [field, source[field]]).filter(([, value]) => value !== null));
}

function pickOrNull(record: PackedRecord, fields: readonly string[]): PackedRecord {
  return Object.fromEntries(fields.map((field) => [field, record[field] ?? null]));
}
