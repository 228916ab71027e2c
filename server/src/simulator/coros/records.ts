// Workouts and days as COROS writes them. Ids have 63 bits, zones are in quarter hours, energy is in calories.

import type { Workout } from '../../domain/records/records.ts';
import type { SportName } from '../../domain/sandbox/index.ts';
import { MINUTE_MS } from '../../domain/time/durations.ts';
import type { AccountDay, AccountView } from '../account-view.ts';
import { exactNumber } from '../exact-number.ts';
import { nameInteger } from '../names.ts';
import { isNight } from '../record-edits.ts';
import { offsetMinutesAt, writeWallTime } from '../write-time.ts';

const MODES: Readonly<Record<SportName, readonly [mode: number, subMode: number]>> = {
  running: [8, 1],
  cycling: [9, 1],
  strength_training: [23, 1],
  pool_swimming: [10, 2],
  yoga: [42, 1],
  hiking: [16, 1],
};

export function labelIdOf({ account }: AccountView, { key }: Workout): bigint {
  return nameInteger(63, 'coros', account.seed, 'workout', key);
}

export function listSports(view: AccountView, { workouts }: AccountDay) {
  return workouts.map((workout) => writeSport(view, workout));
}

export function writeSport(view: AccountView, workout: Workout) {
  const [mode, subMode] = MODES[workout.sportType as SportName];
  const quarters = workout.offsetMinutes / 15;
  return {
    labelId: exactNumber(labelIdOf(view, workout)),
    mode,
    subMode,
    deviceName: 'COROS PACE 3',
    distance: (workout.distanceKm ?? 0) * 1_000,
    duration: (workout.end - workout.start) / 1_000,
    calorie: Math.round((workout.activeCalories ?? 0) * 1_000),
    step: workout.steps ?? 0,
    startTime: workout.start / 1_000,
    startTimezone: quarters,
    endTime: workout.end / 1_000,
    endTimezone: quarters,
  };
}

export function writeDay({ account }: AccountView, day: AccountDay) {
  const night = day.sleeps.find(isNight);
  const local = (ms: number) => writeWallTime(ms, offsetMinutesAt(account.zone, ms)).slice(0, 19).replace('T', ' ');
  const quarters = (ms: number) => offsetMinutesAt(account.zone, ms) / 15;
  return {
    happenDay: day.date.replaceAll('-', ''),
    step: day.series('steps').reduce((sum, { value }) => sum + value, 0),
    calorie: Math.round(burnedKcal(day) * 1_000),
    rhr: Math.round(day.lived.condition.restingBpm),
    ...(night !== undefined && {
      sleepAvgHr: Math.round(night.heartRate ?? 0),
      ppgHrv: Math.round(night.heartRateVariability ?? 0),
      sleepStartTime: local(night.start),
      sleepEndTime: local(night.end),
      startTimezone: quarters(night.start),
      endTimezone: quarters(night.end),
    }),
  };
}

/** So far, beyond rest. */
function burnedKcal({ lived, untilMs }: AccountDay): number {
  const minutes = Math.max(0, Math.round((untilMs - lived.fromMs) / MINUTE_MS));
  return lived.activeKcal.slice(0, minutes).reduce((sum, kcal) => sum + kcal, 0);
}
