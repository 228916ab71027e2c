// Drops impossible values in sleeps and workouts of a provider, and counts them. The rules are those of domain/records, which uploads use too:
// an impossible field is dropped from its session; the session itself only if its id or times are invalid.
import { findTextProblem, MAX_TEXT_LENGTH } from '../../../../domain/metrics/record-limits.ts';
import { findOutOfRange, type Limit } from '../../../../domain/records/check-numbers.ts';
import { isLapPossible, isPointPossible, tidyLaps, tidyRoute } from '../../../../domain/records/check-route.ts';
import { findStageProblem, limitsOfSleep, MAX_STAGES, orderStages } from '../../../../domain/records/check-sleep.ts';
import { findSessionLengthProblem, findTimeProblem } from '../../../../domain/records/check-times.ts';
import {
  areZonesPossible,
  findHeartRateProblem,
  limitsOfWorkout,
  MAX_HEART_RATES,
  orderHeartRates,
} from '../../../../domain/records/check-workout.ts';
import type {
  HeartRateSample,
  SleepSession,
  SourceZones,
  StagePeriod,
  Workout,
} from '../../../../domain/records/records.ts';
import {
  countSleepMinutes,
  fillMinutes,
  findContradiction,
  type SleepMinutes,
} from '../../../../domain/sleep/index.ts';
import { type Refusals, refuse } from './refusals.ts';

type Kind = 'sleep' | 'workout';
type Frame = Pick<SleepSession, 'key' | 'start' | 'end'>;

/** Of several with the same key the last wins. */
export function checkSleeps(sessions: readonly SleepSession[], latestMs: number, refusals: Refusals): SleepSession[] {
  const kept = new Map<string, SleepSession>();
  for (const session of sessions)
    if (isFrameGood('sleep', session, latestMs, refusals)) kept.set(session.key, checkSleep(session, refusals));
  return [...kept.values()];
}

export function checkWorkouts(workouts: readonly Workout[], latestMs: number, refusals: Refusals): Workout[] {
  const kept = new Map<string, Workout>();
  for (const workout of workouts)
    if (isFrameGood('workout', workout, latestMs, refusals)) kept.set(workout.key, checkWorkout(workout, refusals));
  return [...kept.values()];
}

export function isKeyGood(key: string): boolean {
  return findTextProblem(key, MAX_TEXT_LENGTH) === null;
}

function isFrameGood(kind: Kind, frame: Frame, latestMs: number, refusals: Refusals): boolean {
  const { key, start, end } = frame;
  const ofTimes = findTimeProblem(start, latestMs) ?? findTimeProblem(end, latestMs);
  const problem = ofTimes ?? findSessionLengthProblem(kind, frame);
  if (!isKeyGood(key)) refuse(refusals, kind, 'bad_key');
  else if (problem !== null) refuse(refusals, kind, problem === 'too_long' ? 'too_long' : 'time');
  else return true;
  return false;
}

/** Missing minutes are computed from the stages. */
function checkSleep(reported: SleepSession, refusals: Refusals): SleepSession {
  const session = dropNumbers('sleep', reported, limitsOfSleep(reported), refusals);
  const stages = checkStages(session, refusals);
  return { ...session, stages, ...checkMinutes({ ...session, stages }, refusals) };
}

function dropNumbers<Field extends string, Session extends Readonly<Record<Field, number | null>>>(
  kind: Kind,
  session: Session,
  limits: Readonly<Record<Field, Limit>>,
  refusals: Refusals,
): Session {
  const impossible = findOutOfRange(session, limits);
  if (impossible.length === 0) return session;
  refuse(refusals, kind, 'out_of_range', impossible.length);
  return { ...session, ...Object.fromEntries(impossible.map((field) => [field, null])) };
}

/** Of totals that contradict each other the wider one is dropped. */
function checkMinutes(session: SleepSession, refusals: Refusals): SleepMinutes {
  const { asleepMinutes, deepMinutes, lightMinutes, remMinutes, awakeMinutes, inBedMinutes } = session;
  let minutes: SleepMinutes = { asleepMinutes, deepMinutes, lightMinutes, remMinutes, awakeMinutes, inBedMinutes };
  const counted = countSleepMinutes(session);
  for (let found = findContradiction(minutes, counted); found !== null; found = findContradiction(minutes, counted)) {
    refuse(refusals, 'sleep', 'contradictory_totals');
    minutes = { ...minutes, [found]: null };
  }
  return fillMinutes(minutes, counted);
}

/** All or none: a hypnogram with a hole would be a different night. */
function checkStages(session: SleepSession, refusals: Refusals): readonly StagePeriod[] | null {
  const { stages } = session;
  if (stages === null || stages.length === 0) return null;
  const isPossible = stages.length <= MAX_STAGES && stages.every((stage) => findStageProblem(session, stage) === null);
  if (isPossible) return orderStages(stages);
  refuse(refusals, 'sleep', 'bad_stages');
  return null;
}

function checkWorkout(reported: Workout, refusals: Refusals): Workout {
  const workout = dropNumbers('workout', reported, limitsOfWorkout(reported), refusals);
  return {
    ...workout,
    name: checkName(workout, refusals),
    sourceZones: checkZones(workout, refusals),
    heartRateSamples: checkTrace(workout, refusals),
    ...checkRoute(workout, refusals),
  };
}

/** Impossible points and laps are dropped; the others stay. */
function checkRoute(workout: Workout, refusals: Refusals): Pick<Workout, 'route' | 'laps'> {
  const { route = null, laps = null } = workout;
  if (route === null && laps === null) return {};
  const wrong =
    (route?.filter((point) => !isPointPossible(workout, point)).length ?? 0) +
    (laps?.filter((lap) => !isLapPossible(workout, lap)).length ?? 0);
  if (wrong > 0) refuse(refusals, 'workout', 'out_of_range', wrong);
  return { route: route && tidyRoute(workout, route), laps: laps && tidyLaps(workout, laps) };
}

function checkName({ name }: Workout, refusals: Refusals): string | null {
  if (name === null || findTextProblem(name, MAX_TEXT_LENGTH) === null) return name;
  refuse(refusals, 'workout', 'bad_text');
  return null;
}

/** All five or none, because the time in zones is only meaningful as a whole. */
function checkZones(workout: Workout, refusals: Refusals): SourceZones | null {
  const { sourceZones } = workout;
  if (sourceZones === null || areZonesPossible(sourceZones, workout)) return sourceZones;
  refuse(refusals, 'workout', 'out_of_range');
  return null;
}

function checkTrace(workout: Workout, refusals: Refusals): readonly HeartRateSample[] | null {
  const { heartRateSamples } = workout;
  if (heartRateSamples === null) return null;
  if (heartRateSamples.length > MAX_HEART_RATES) {
    refuse(refusals, 'workout', 'too_dense');
    return null;
  }
  const good = heartRateSamples.filter((sample) => findHeartRateProblem(workout, sample) === null);
  if (good.length < heartRateSamples.length)
    refuse(refusals, 'workout', 'out_of_range', heartRateSamples.length - good.length);
  return good.length === 0 ? null : orderHeartRates(good);
}
