// The canonical sleeps and workouts of a user.

import { totalSleep } from '../../../domain/sleep/index.ts';
import { formatInstant } from '../../../domain/time/calendar.ts';
import { averageHeartRate, maxHeartRate, workoutMinutes, workoutName } from '../../../domain/workouts/index.ts';
import { getSportOrOther } from '../../../domain/workouts/sports.ts';
import { createMeasure, type DateRange, presentSourceForm1 } from '../shared/index.ts';
import { type FilledSleep, listSleeps, presentStages } from '../sleep/index.ts';
import { type ListedWorkout, listWorkouts, presentZones } from '../workouts/index.ts';
import type { ExportSource } from './export-source.ts';
import type { ExportedSleep, ExportedWorkout, Traced } from './records.ts';
import { splitRange } from './split-range.ts';

/** Few enough to hold their sessions in memory, and enough to need few queries. */
const DAYS_PER_PAGE = 92;

export async function* readSleepRecords(
  { db, user }: ExportSource,
  range: DateRange,
): AsyncGenerator<Traced<ExportedSleep>[]> {
  for (const part of splitRange(range, DAYS_PER_PAGE))
    yield (await listSleeps(db, user, part)).map((sleep) => ({
      record: toSleepRecord(sleep),
      providers: [sleep.source, ...sleep.otherSources.values()].map(({ provider }) => provider),
    }));
}

export async function* readWorkoutRecords(
  { db, user }: ExportSource,
  range: DateRange,
): AsyncGenerator<Traced<ExportedWorkout>[]> {
  for (const part of splitRange(range, DAYS_PER_PAGE))
    yield (await listWorkouts(db, user, part)).map((workout) => ({
      record: toWorkoutRecord(workout),
      providers: [workout.source.provider],
    }));
}

const minutes = createMeasure('asleep');
const percent = createMeasure('sleep_efficiency');
const bpm = createMeasure('heart_rate');
const variability = createMeasure('sleep_heart_rate_variability');
const breaths = createMeasure('sleep_respiratory_rate');
const oxygen = createMeasure('sleep_blood_oxygen');
const temperature = createMeasure('sleep_body_temperature');
const kilometers = createMeasure('distance');
const calories = createMeasure('workout_calories');
const meters = createMeasure('elevation_gain');
const steps = createMeasure('steps');

export function toSleepRecord({ id, date, isMain, session, source }: FilledSleep): ExportedSleep {
  const totals = totalSleep(session);
  return {
    id,
    date,
    start: timeOf(session.start),
    end: timeOf(session.end),
    is_main_sleep: isMain,
    ...presentSourceForm1(source),
    asleep_minutes: minutes(totals.asleep),
    deep_minutes: minutes(totals.deep),
    light_minutes: minutes(totals.light),
    rem_minutes: minutes(totals.rem),
    awake_minutes: minutes(totals.awake),
    in_bed_minutes: minutes(totals.inBed),
    latency_minutes: minutes(totals.latency),
    wake_after_onset_minutes: minutes(totals.wakeAfterOnset),
    awakenings: totals.awakenings,
    efficiency_pct: percent(totals.efficiencyPct),
    heart_rate: bpm(session.heartRate),
    heart_rate_variability: variability(session.heartRateVariability),
    hrv_kind: session.heartRateVariability === null ? null : session.hrvKind,
    respiratory_rate: breaths(session.respiratoryRate),
    blood_oxygen: oxygen(session.bloodOxygen),
    body_temperature: temperature(session.bodyTemperature),
    skin_temperature: temperature(session.skinTemperature),
    wrist_temperature: temperature(session.wristTemperature),
    stages: presentStages(session, timeOf),
  };
}

export function toWorkoutRecord({
  id,
  date,
  session,
  source,
  histogram,
  zones,
  strain,
}: ListedWorkout): ExportedWorkout {
  return {
    id,
    date,
    start: timeOf(session.start),
    end: timeOf(session.end),
    sport_type: getSportOrOther(session.sportType).type,
    name: workoutName(session),
    ...presentSourceForm1(source),
    duration_minutes: minutes(workoutMinutes(session)),
    distance_km: kilometers(session.distanceKm),
    active_calories: calories(session.activeCalories),
    steps: steps(session.steps),
    elevation_gain_m: meters(session.elevationGainM),
    avg_heart_rate: bpm(averageHeartRate(session, histogram)),
    max_heart_rate: bpm(maxHeartRate(session, histogram)),
    strain,
    heart_rate_zone_minutes: presentZones(zones),
  };
}

function timeOf(epochMs: number): string {
  return formatInstant(new Date(epochMs));
}
