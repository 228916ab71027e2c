// Checks sleeps and workouts of a provider. An impossible number is dropped from its session; the session itself is dropped only
// if its id or times are invalid.

import type { Range } from '../../../../domain/metrics/index.ts';
import {
  EARLIEST_MS,
  findTextProblem,
  limitOfTotal,
  MAX_SLEEP_MS,
  MAX_STAGES,
  MAX_TEXT_LENGTH,
  MAX_WORKOUT_MS,
  MINUTES_TOLERANCE,
  ROUNDING_MS,
  SLEEP_LIMITS,
  WORKOUT_LIMITS,
} from '../../../../domain/metrics/record-limits.ts';
import {
  type HeartRateSample,
  type SleepSession,
  type SourceZones,
  type StagePeriod,
  type Workout,
  ZONE_COUNT,
} from '../../../../domain/records/records.ts';
import {
  countSleepMinutes,
  fillMinutes,
  findContradiction,
  type SleepMinutes,
} from '../../../../domain/sleep/index.ts';
import { MINUTE_MS } from '../../../../domain/time/durations.ts';
import { type Refusals, refuse } from './refusals.ts';

type Kind = 'sleep' | 'workout';
type Frame = Pick<SleepSession, 'key' | 'start' | 'end'>;

/** Of several with the same key the last wins. */
export function checkSleeps(sessions: readonly SleepSession[], latestMs: number, refusals: Refusals): SleepSession[] {
  const kept = new Map<string, SleepSession>();
  for (const session of sessions)
    if (isFrameGood('sleep', session, { latestMs, maxMs: MAX_SLEEP_MS }, refusals))
      kept.set(session.key, checkSleep(session, refusals));
  return [...kept.values()];
}

export function checkWorkouts(workouts: readonly Workout[], latestMs: number, refusals: Refusals): Workout[] {
  const kept = new Map<string, Workout>();
  for (const workout of workouts)
    if (isFrameGood('workout', workout, { latestMs, maxMs: MAX_WORKOUT_MS }, refusals))
      kept.set(workout.key, checkWorkout(workout, refusals));
  return [...kept.values()];
}

export function isKeyGood(key: string): boolean {
  return findTextProblem(key, MAX_TEXT_LENGTH) === null;
}

function isFrameGood(
  kind: Kind,
  { key, start, end }: Frame,
  { latestMs, maxMs }: { readonly latestMs: number; readonly maxMs: number },
  refusals: Refusals,
): boolean {
  const isTimely = start >= EARLIEST_MS && end > start && end <= latestMs;
  if (!isKeyGood(key)) refuse(refusals, kind, 'bad_key');
  else if (!isTimely) refuse(refusals, kind, 'time');
  else if (end - start > maxMs) refuse(refusals, kind, 'too_long');
  else return true;
  return false;
}

/** Missing minutes are computed from the stages. */
function checkSleep(session: SleepSession, refusals: Refusals): SleepSession {
  const within = holdWithin('sleep', refusals);
  const stages = checkStages(session, refusals);
  return {
    ...session,
    stages,
    ...checkMinutes({ ...session, stages }, refusals),
    heartRate: within(session.heartRate, SLEEP_LIMITS.heartRate),
    heartRateVariability: within(session.heartRateVariability, SLEEP_LIMITS[session.hrvKind]),
    respiratoryRate: within(session.respiratoryRate, SLEEP_LIMITS.respiratoryRate),
    bloodOxygen: within(session.bloodOxygen, SLEEP_LIMITS.bloodOxygen),
    bodyTemperature: within(session.bodyTemperature, SLEEP_LIMITS.bodyTemperature),
    skinTemperature: within(session.skinTemperature, SLEEP_LIMITS.skinTemperature),
    wristTemperature: within(session.wristTemperature, SLEEP_LIMITS.wristTemperature),
  };
}

/** If totals contradict each other, the wider one is dropped: the finer ones are what the device measured. */
function checkMinutes(session: SleepSession, refusals: Refusals): SleepMinutes {
  const within = holdWithin('sleep', refusals);
  const length = { min: 0, max: (session.end - session.start) / MINUTE_MS + MINUTES_TOLERANCE };
  let minutes: SleepMinutes = {
    asleepMinutes: within(session.asleepMinutes, length),
    deepMinutes: within(session.deepMinutes, length),
    lightMinutes: within(session.lightMinutes, length),
    remMinutes: within(session.remMinutes, length),
    awakeMinutes: within(session.awakeMinutes, length),
    inBedMinutes: within(session.inBedMinutes, { min: 0, max: MAX_SLEEP_MS / MINUTE_MS }),
  };
  const counted = countSleepMinutes(session);
  for (let found = findContradiction(minutes, counted); found !== null; found = findContradiction(minutes, counted)) {
    refuse(refusals, 'sleep', 'contradictory_totals');
    minutes = { ...minutes, [found === 'asleep_over_in_bed' ? 'inBedMinutes' : 'asleepMinutes']: null };
  }
  return fillMinutes(minutes, counted);
}

/** All or none: a hypnogram with a hole would be a different night. Overlapping stages are resolved where minutes are counted. */
function checkStages({ stages, start, end }: SleepSession, refusals: Refusals): readonly StagePeriod[] | null {
  if (stages === null || stages.length === 0) return null;
  const isPlaced = (period: StagePeriod) =>
    period.start >= start - ROUNDING_MS && period.end <= end + ROUNDING_MS && period.end > period.start;
  if (stages.length > MAX_STAGES || !stages.every(isPlaced)) {
    refuse(refusals, 'sleep', 'bad_stages');
    return null;
  }
  return stages.toSorted((one, other) => one.start - other.start || one.end - other.end);
}

function checkWorkout(workout: Workout, refusals: Refusals): Workout {
  const within = holdWithin('workout', refusals);
  const lengthMs = workout.end - workout.start;
  const { name } = workout;
  return {
    ...workout,
    name: name === null || findTextProblem(name, MAX_TEXT_LENGTH) !== null ? null : name,
    durationMinutes: within(workout.durationMinutes, { min: 0, max: lengthMs / MINUTE_MS + MINUTES_TOLERANCE }),
    distanceKm: within(workout.distanceKm, limitOfTotal('distanceKm', lengthMs)),
    activeCalories: within(workout.activeCalories, limitOfTotal('activeCalories', lengthMs)),
    steps: within(workout.steps, limitOfTotal('steps', lengthMs)),
    elevationGainM: within(workout.elevationGainM, limitOfTotal('elevationGainM', lengthMs)),
    avgMets: within(workout.avgMets, WORKOUT_LIMITS.mets),
    weatherTemperatureC: within(workout.weatherTemperatureC, WORKOUT_LIMITS.weatherC),
    weatherHumidityPct: within(workout.weatherHumidityPct, WORKOUT_LIMITS.percent),
    swimmingStrokeCount: within(workout.swimmingStrokeCount, limitOfTotal('swimmingStrokeCount', lengthMs)),
    swimmingLapLengthM: within(workout.swimmingLapLengthM, WORKOUT_LIMITS.lapM),
    avgHeartRate: within(workout.avgHeartRate, WORKOUT_LIMITS.heartRate),
    maxHeartRate: within(workout.maxHeartRate, WORKOUT_LIMITS.heartRate),
    sourceZones: checkZones(workout, refusals),
    heartRateSamples: checkTrace(workout, refusals),
  };
}

/** All five or none, because the time in zones is only meaningful as a whole. */
function checkZones({ sourceZones, start, end }: Workout, refusals: Refusals): SourceZones | null {
  if (sourceZones === null) return null;
  const { minutes } = sourceZones;
  const total = minutes.reduce((sum, one) => sum + one, 0);
  const isPossible = minutes.every((one) => one >= 0) && total <= (end - start) / MINUTE_MS + MINUTES_TOLERANCE;
  if (isPossible && minutes.length === ZONE_COUNT) return sourceZones;
  refuse(refusals, 'workout', 'out_of_range');
  return null;
}

/** Sorted, one per moment: the last one reported wins. */
function checkTrace({ heartRateSamples, start, end }: Workout, refusals: Refusals): HeartRateSample[] | null {
  if (heartRateSamples === null) return null;
  const { min, max } = WORKOUT_LIMITS.heartRate;
  const good = heartRateSamples.filter(
    ({ time, bpm }) => time >= start - ROUNDING_MS && time <= end + ROUNDING_MS && bpm >= min && bpm <= max,
  );
  if (good.length < heartRateSamples.length)
    refuse(refusals, 'workout', 'out_of_range', heartRateSamples.length - good.length);
  const sorted = good.toSorted((one, other) => one.time - other.time);
  const kept = sorted.filter(({ time }, index) => sorted[index + 1]?.time !== time);
  return kept.length === 0 ? null : kept;
}

function holdWithin(kind: Kind, refusals: Refusals): (value: number | null, range: Range) => number | null {
  return (value, { min, max }) => {
    if (value === null || (value >= min && value <= max)) return value;
    refuse(refusals, kind, 'out_of_range');
    return null;
  };
}
