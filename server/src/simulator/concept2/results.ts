// Results as the Logbook writes them: tenths of a second, and the local time at the end of the workout.
import type { Workout } from '../../domain/records/records.ts';
import type { SportName } from '../../domain/sandbox/index.ts';
import type { LocalDate } from '../../domain/time/calendar.ts';
import type { AccountDay, AccountView } from '../account-view.ts';
import { nameInteger } from '../names.ts';
import { writeWallTime } from '../write-time.ts';

export type Result = {
  readonly id: number;
  readonly date: LocalDate;
  readonly workout: Workout;
  /** When it was uploaded. */
  readonly updatedMs: number;
  readonly body: Readonly<Record<string, unknown>>;
};

const MACHINES: Readonly<Record<SportName, string>> = {
  running: 'rower',
  cycling: 'bike',
  strength_training: 'multierg',
  pool_swimming: 'paddle',
  yoga: 'slides',
  hiking: 'skierg',
};
const TENTHS_MS = 100;
/** Of most sports in the sandbox there is no distance. */
const METERS_PER_SECOND = 3;

export function userIdOf({ account }: AccountView): number {
  return Number(nameInteger(31, 'concept2', account.seed, 'user'));
}

function machineOf({ sportType }: Workout): string {
  return MACHINES[sportType as SportName];
}

export function listResults(view: AccountView, day: AccountDay): Result[] {
  return day.workouts.map((workout) => {
    const id = Number(nameInteger(40, 'concept2', view.account.seed, 'result', workout.key));
    const { end, offsetMinutes } = workout;
    return {
      id,
      date: writeTime(end, offsetMinutes).slice(0, 10) as LocalDate,
      workout,
      updatedMs: end,
      body: writeResult(view, id, workout),
    };
  });
}

function readWorkTenths({ start, end }: Workout): number {
  return Math.round((end - start) / TENTHS_MS);
}

function writeResult(view: AccountView, id: number, workout: Workout) {
  const { end, offsetMinutes, distanceKm, activeCalories } = workout;
  const time = readWorkTenths(workout);
  const distance = Math.round(distanceKm === null ? (time / 10) * METERS_PER_SECOND : distanceKm * 1_000);
  const bpm = (workout.heartRateSamples ?? []).map((sample) => sample.bpm);
  const heartRate = {
    min: Math.min(...bpm),
    average: Math.round(bpm.reduce((sum, beats) => sum + beats, 0) / Math.max(1, bpm.length)),
    max: Math.max(...bpm),
    ending: bpm.at(-1) ?? 0,
    recovery: 0,
  };
  return {
    id,
    user_id: userIdOf(view),
    date: writeTime(end, offsetMinutes),
    timezone: view.account.zone.name,
    date_utc: writeTime(end, 0),
    distance,
    type: machineOf(workout),
    time,
    workout_type: 'JustRow',
    source: 'ErgData iOS',
    weight_class: 'H',
    verified: false,
    ranked: false,
    comments: null,
    privacy: 'partners',
    stroke_data: bpm.length > 0,
    calories_total: activeCalories,
    ...(bpm.length > 0 && { heart_rate: heartRate }),
    workout: { splits: [{ time, distance, calories_total: activeCalories }] },
    real_time: null,
  };
}

/** `2026-03-02 06:52:30` */
function writeTime(ms: number, offsetMinutes: number): string {
  return writeWallTime(ms, offsetMinutes).slice(0, 19).replace('T', ' ');
}

/** Per minute, and the pace in tenths of a second per 500 m (bike: 1,000 m). */
const ROWING = { spm: 24, p: 1_220 };
const CYCLING = { spm: 82, p: 1_150 };

/** In tenths of a second and decimetres since the start. */
export function listStrokes(workout: Workout) {
  const isBike = machineOf(workout) === 'bike';
  const { spm, p } = isBike ? CYCLING : ROWING;
  const tenthsPerDecimeter = p / (isBike ? 10_000 : 5_000);
  return (workout.heartRateSamples ?? []).map(({ time, bpm }) => {
    const t = Math.round((time - workout.start) / 100);
    return { t, d: Math.round(t / tenthsPerDecimeter), p, spm, hr: bpm };
  });
}
