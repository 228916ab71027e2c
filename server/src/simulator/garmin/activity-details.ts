// Activities with the watch's measurements every ten seconds.

import type { HeartRateSample, Workout } from '../../domain/records/records.ts';
import { roundTo } from '../../domain/round-to.ts';
import type { AccountDay, AccountView } from '../account-view.ts';
import { activityIdOf, describeActivity } from './activities.ts';
import { placeAfter } from './course.ts';
import { type Summary, toSeconds, userIdOf } from './summary.ts';

const LAP_METRES = 1_000;
const AIR_CELSIUS = 11;

export function listActivityDetails(view: AccountView, day: AccountDay): Summary[] {
  return day.workouts.map((workout) => {
    const activityId = activityIdOf(view, workout.key);
    const summaryId = `${activityId}-detail`;
    const summary = describeActivity(view, workout);
    return {
      id: summaryId,
      startMs: workout.start,
      version: JSON.stringify(summary),
      write: () => ({
        userId: userIdOf(view),
        summaryId,
        activityId,
        summary,
        samples: (workout.heartRateSamples ?? []).map((beat) => writeSample(view, workout, beat)),
        laps: listLaps(workout),
      }),
    };
  });
}

function writeSample(view: AccountView, workout: Workout, { time, bpm }: HeartRateSample) {
  const passed = toSeconds(time) - toSeconds(workout.start);
  return {
    startTimeInSeconds: toSeconds(time),
    heartRate: bpm,
    timerDurationInSeconds: passed,
    clockDurationInSeconds: passed,
    movingDurationInSeconds: passed,
    ...describeWay(workout, passed),
    ...describeEffort(view, workout, passed),
  };
}

function describeWay({ distanceKm, durationMinutes, sportType }: Workout, passed: number) {
  if (distanceKm === null || durationMinutes === null) return {};
  const speed = (distanceKm * 1_000) / (durationMinutes * 60);
  const metres = roundTo(speed * passed, 2);
  const moved = { speedMetersPerSecond: roundTo(speed * waver(passed), 3), totalDistanceInMeters: metres };
  if (sportType === 'pool_swimming') return moved;
  const { latitude, longitude, elevationMetres } = placeAfter(metres);
  return {
    ...moved,
    latitudeInDegree: roundTo(latitude, 6),
    longitudeInDegree: roundTo(longitude, 6),
    elevationInMeters: roundTo(elevationMetres, 1),
    airTemperatureCelcius: AIR_CELSIUS,
  };
}

function describeEffort({ account }: AccountView, { sportType, steps, durationMinutes }: Workout, passed: number) {
  const watts = (perKg: number) => Math.round(perKg * account.person.weightKg * waver(passed));
  const pace = steps === null ? {} : { stepsPerMinute: roundTo(steps / (durationMinutes ?? 1), 1) };
  if (sportType === 'running') return { ...pace, powerInWatts: watts(3.4) };
  if (sportType === 'cycling') return { powerInWatts: watts(2.3), bikeCadenceInRPM: Math.round(84 * waver(passed)) };
  return pace;
}

/** Varies the pace. */
function waver(passed: number): number {
  return 1 + 0.06 * Math.sin(passed / 41);
}

function listLaps({ start, distanceKm, durationMinutes }: Workout) {
  const metres = (distanceKm ?? 0) * 1_000;
  const secondsALap = metres === 0 ? 0 : ((durationMinutes ?? 0) * 60 * LAP_METRES) / metres;
  const laps = Math.max(1, Math.ceil(metres / LAP_METRES));
  return Array.from({ length: laps }, (_, lap) => {
    return { startTimeInSeconds: toSeconds(start) + Math.round(lap * secondsALap) };
  });
}
