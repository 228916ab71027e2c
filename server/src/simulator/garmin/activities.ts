// Activities as summaries: those that the watch recorded, and manual ones.

import type { HeartRateSample, Workout } from '../../domain/records/records.ts';
import { roundTo } from '../../domain/round-to.ts';
import { createDraw, momentAt } from '../../domain/sandbox/index.ts';
import { MINUTE_MS } from '../../domain/time/durations.ts';
import type { AccountDay, AccountView } from '../account-view.ts';
import { nameInteger } from '../names.ts';
import { activityTypeOf } from './activity-types.ts';
import { START } from './course.ts';
import { type Summary, sumOf, timesOf, userIdOf } from './summary.ts';
import { isInWheelchair } from './wheelchair.ts';

const BREATHING_AT = 21 * 60;
const BREATHING_MS = 15 * MINUTE_MS;
const ID_BITS = 34; // grows until the sync

export function listActivities(view: AccountView, day: AccountDay): Summary[] {
  return [...day.workouts.map((workout) => writeActivity(view, workout)), ...listTypedActivities(view, day)];
}

/** A quarter hour of breathing exercise, entered manually. */
export function listTypedActivities(view: AccountView, day: AccountDay): Summary[] {
  const start = momentAt(view.account.zone, day.date, BREATHING_AT);
  const end = start + BREATHING_MS;
  if (!createDraw(view.account.seed, 'breathing', day.date).isLucky(0.2) || end > day.untilMs) return [];
  return [
    identify(view, `breathing-${day.date}`, start, {
      activityName: 'Breathing',
      activityType: 'BREATHWORK',
      ...timesOf(view, start, end),
      activeKilocalories: 12,
      manual: true,
    }),
  ];
}

function writeActivity(view: AccountView, workout: Workout): Summary {
  return identify(view, workout.key, workout.start, { ...describeActivity(view, workout), manual: false });
}

function identify(view: AccountView, key: string, startMs: number, fields: Readonly<Record<string, unknown>>): Summary {
  const activityId = activityIdOf(view, key);
  const body = { userId: userIdOf(view), summaryId: String(activityId), activityId, ...fields };
  return { id: body.summaryId, startMs, version: null, write: () => body };
}

export function activityIdOf({ account }: AccountView, key: string): number {
  return Number(nameInteger(ID_BITS, 'garmin', account.seed, 'activity', key));
}

/** Fields that activity details share. */
export function describeActivity(view: AccountView, workout: Workout) {
  const activityType = activityTypeOf(view, workout);
  const times = timesOf(view, workout.start, workout.end);
  return {
    activityName: nameOf(activityType),
    activityType,
    ...times,
    durationInSeconds: Math.round((workout.durationMinutes ?? 0) * 60),
    deviceName: 'forerunner965',
    ...(workout.activeCalories !== null && { activeKilocalories: workout.activeCalories }),
    ...(workout.steps !== null && (isInWheelchair(view) ? { pushes: workout.steps } : { steps: workout.steps })),
    ...describeHeart(workout.heartRateSamples ?? []),
    ...describeWay(workout),
  };
}

function describeHeart(trace: readonly HeartRateSample[]) {
  if (trace.length === 0) return {};
  return {
    averageHeartRateInBeatsPerMinute: Math.round(sumOf(trace, ({ bpm }) => bpm) / trace.length),
    maxHeartRateInBeatsPerMinute: Math.max(...trace.map(({ bpm }) => bpm)),
  };
}

function describeWay({ distanceKm, durationMinutes, elevationGainM, sportType, steps }: Workout) {
  if (distanceKm === null || durationMinutes === null) return {};
  const speed = (distanceKm * 1_000) / (durationMinutes * 60);
  return {
    distanceInMeters: roundTo(distanceKm * 1_000, 2),
    averageSpeedInMetersPerSecond: roundTo(speed, 3),
    maxSpeedInMetersPerSecond: roundTo(speed * 1.3, 3),
    averagePaceInMinutesPerKilometer: roundTo(durationMinutes / distanceKm, 3),
    ...(sportType === 'running' && { averageRunCadenceInStepsPerMinute: roundTo((steps ?? 0) / durationMinutes, 1) }),
    ...(sportType === 'cycling' && { averageBikeCadenceInRoundsPerMinute: 84 }),
    ...(sportType === 'pool_swimming' && { averageSwimCadenceInStrokesPerMinute: 22 }),
    ...(sportType !== 'pool_swimming' && {
      startingLatitudeInDegree: START.latitude,
      startingLongitudeInDegree: START.longitude,
    }),
    ...(elevationGainM !== null && {
      totalElevationGainInMeters: elevationGainM,
      totalElevationLossInMeters: elevationGainM,
    }),
  };
}

function nameOf(activityType: string): string {
  const words = activityType.toLowerCase().split('_');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
}
