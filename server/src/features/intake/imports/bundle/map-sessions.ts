// Maps the sleeps and workouts of a bundle. Pure. Returns a text that says why a record is impossible.
import { findTextProblem } from '../../../../domain/metrics/record-limits.ts';
import { findOutOfRange, type Limit } from '../../../../domain/records/check-numbers.ts';
import { findStageProblem, limitsOfSleep, orderStages } from '../../../../domain/records/check-sleep.ts';
import { findSessionLengthProblem, findTimeProblem } from '../../../../domain/records/check-times.ts';
import {
  areZonesPossible,
  findHeartRateProblem,
  limitsOfWorkout,
  orderHeartRates,
} from '../../../../domain/records/check-workout.ts';
import type { EpochMs, SleepSession, Workout } from '../../../../domain/records/records.ts';
import type { LineOf } from './line-schemas.ts';
import { mapLaps, mapRecordedBy, mapRoute } from './map-workout-parts.ts';

type SleepLine = LineOf<'sleep'>;
type WorkoutLine = LineOf<'workout'>;

export function mapSleep(line: SleepLine, latestMs: number): SleepSession | string {
  const frame = mapFrame('sleep', line, latestMs);
  if (typeof frame === 'string') return frame;
  const session: SleepSession = {
    ...frame,
    asleepMinutes: line.asleep_minutes ?? null,
    deepMinutes: line.deep_minutes ?? null,
    lightMinutes: line.light_minutes ?? null,
    remMinutes: line.rem_minutes ?? null,
    awakeMinutes: line.awake_minutes ?? null,
    inBedMinutes: line.in_bed_minutes ?? null,
    heartRate: line.heart_rate ?? null,
    heartRateVariability: line.heart_rate_variability ?? null,
    hrvKind: line.hrv_kind,
    respiratoryRate: line.respiratory_rate ?? null,
    bloodOxygen: line.blood_oxygen ?? null,
    bodyTemperature: line.body_temperature ?? null,
    skinTemperature: line.skin_temperature ?? null,
    wristTemperature: line.wrist_temperature ?? null,
    stages: mapStages(line),
  };
  const faulty = (session.stages ?? []).findIndex((stage) => findStageProblem(session, stage) !== null);
  if (faulty !== -1) return `stages[${faulty}] must end after its start and be within the sleep`;
  return describeOutOfRange(session, limitsOfSleep(session)) ?? session;
}

function mapStages({ stages }: SleepLine): SleepSession['stages'] {
  if (stages === undefined || stages === null) return null;
  return orderStages(stages.map(([stage, start, end]) => ({ stage, start: start as EpochMs, end: end as EpochMs })));
}

export function mapWorkout(line: WorkoutLine, latestMs: number): Workout | string {
  const frame = mapFrame('workout', line, latestMs);
  if (typeof frame === 'string') return frame;
  const { source_zones: zones, heart_rate_samples: rates } = line;
  const parts = { route: mapRoute(line), laps: mapLaps(line), recordedBy: mapRecordedBy(line) };
  for (const part of Object.values(parts)) if (typeof part === 'string') return part;
  const workout: Workout = {
    ...frame,
    ...(parts as Pick<Workout, keyof typeof parts>),
    sportType: line.sport_type,
    name: line.name ?? null,
    durationMinutes: line.duration_minutes ?? null,
    distanceKm: line.distance_km ?? null,
    activeCalories: line.active_calories ?? null,
    steps: line.steps ?? null,
    elevationGainM: line.elevation_gain_m ?? null,
    avgMets: line.avg_mets ?? null,
    weatherTemperatureC: line.weather_temperature_c ?? null,
    weatherHumidityPct: line.weather_humidity_pct ?? null,
    swimmingStrokeCount: line.swimming_stroke_count ?? null,
    swimmingLapLengthM: line.swimming_lap_length_m ?? null,
    avgHeartRate: line.avg_heart_rate ?? null,
    maxHeartRate: line.max_heart_rate ?? null,
    sourceZones: zones ? { minutes: zones.minutes, isApproximate: zones.is_approximate } : null,
    heartRateSamples: rates ? orderHeartRates(rates.map(([time, bpm]) => ({ time: time as EpochMs, bpm }))) : null,
  };
  if (workout.sourceZones !== null && !areZonesPossible(workout.sourceZones, workout))
    return 'source_zones has impossible minutes';
  const faulty = (workout.heartRateSamples ?? []).findIndex((rate) => findHeartRateProblem(workout, rate) !== null);
  if (faulty !== -1) return `heart_rate_samples[${faulty}] must be a possible heart rate within the workout`;
  return describeOutOfRange(workout, limitsOfWorkout(workout)) ?? workout;
}

const MAX_KEY_LENGTH = 1_000;

function mapFrame(kind: 'sleep' | 'workout', line: SleepLine | WorkoutLine, latestMs: number) {
  const { key, utc_offset_minutes: offsetMinutes, recording_method: method } = line;
  const [start, end] = [line.start as EpochMs, line.end as EpochMs];
  const problem = findTextProblem(key, MAX_KEY_LENGTH);
  if (problem !== null) return `key ${problem}`;
  for (const field of ['start', 'end'] as const)
    if (findTimeProblem(line[field], latestMs) !== null) return `${field} is not a possible time`;
  const length = findSessionLengthProblem(kind, { start, end });
  if (length !== null) return length === 'too_long' ? `the ${kind} is too long` : 'end must be after start';
  return { key, start, end, offsetMinutes, method };
}

function describeOutOfRange<Session>(session: Session, limits: Readonly<Record<string, Limit>>): string | null {
  const [field] = findOutOfRange(session as Readonly<Record<string, number | null>>, limits);
  if (field === undefined) return null;
  const { min, max, unit } = limits[field] as Limit;
  return `${field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)} must be between ${min} and ${max} ${unit}`;
}
