// Simulates the heart rate minute by minute: asleep, awake, walking, during sport and after it.
import { HOUR_MS, MINUTE_MS } from '../time/durations.ts';
import type { Interval } from '../time/intervals.ts';
import type { Condition } from './condition.ts';
import { createDraw } from './draw.ts';
import type { Sleep } from './night.ts';
import type { Person } from './person.ts';
import type { LivedWorkout } from './workout.ts';

const LOWEST_BPM = 34;
const WARM_UP_SECONDS = 240;
const COOL_DOWN_MINUTES = 9;
const WALKING_BPM_PER_STEP = 0.36; // so that a brisk walk counts as effort even for a person with a low resting heart rate

type HeartOfDay = {
  readonly person: Person;
  readonly condition: Condition;
  readonly fromMs: number;
  readonly steps: Uint16Array;
  /** Local minutes at `fromMs`, for effects that follow the time of day. */
  readonly wallMinutesAtFrom: number;
  readonly sleeps: readonly { readonly sleep: Sleep; readonly condition: Condition }[];
  readonly workouts: readonly LivedWorkout[];
  /** Of stress. */
  readonly episodes: readonly Interval[];
};

/** Beats per minute, rounded to tenths, one value per minute. */
export function beatAllDay(day: HeartOfDay, name: string): Float64Array {
  const { condition, fromMs, steps, person } = day;
  const bpm = new Float64Array(steps.length);
  const { unit } = createDraw(person.seed, 'beats', name);
  let drift = 0;
  for (let minute = 0; minute < bpm.length; minute++) {
    drift = 0.93 * drift + 2.4 * (unit() - 0.5);
    const sun = Math.sin(((day.wallMinutesAtFrom + minute) / 1_440 - 0.38) * 2 * Math.PI);
    const walked = Math.min(120, steps[minute] ?? 0);
    const upright = condition.restingBpm + 16 + 3.2 * sun + 2.6 * condition.tension;
    bpm[minute] = upright + WALKING_BPM_PER_STEP * walked + 2 * drift + 3 * (unit() - 0.5);
  }
  for (const { start, end } of day.episodes) raise(bpm, fromMs, start, end, 8);
  for (const { sleep, condition: ofNight } of day.sleeps) layDown(bpm, fromMs, sleep, ofNight, unit);
  for (const workout of day.workouts) exert(bpm, fromMs, workout, day);
  for (let minute = 0; minute < bpm.length; minute++) {
    bpm[minute] = Math.round(Math.min(person.maxBpm, Math.max(LOWEST_BPM, bpm[minute] as number)) * 10) / 10;
  }
  return bpm;
}

/** Heart rate during a workout, at a number of seconds after its start. */
export function bpmAtWork(workout: LivedWorkout, person: Person, restingBpm: number, seconds: number): number {
  const reserve = person.maxBpm - restingBpm;
  const warm = 1 - Math.exp(-seconds / WARM_UP_SECONDS);
  const tired = 0.05 * (seconds / Math.max(1, (workout.end - workout.start) / 1_000));
  const wave = 0.035 * Math.sin(seconds / 97 + workout.phase) + 0.012 * Math.sin(seconds / 13);
  const part = 0.16 + (workout.effort - 0.16) * warm + tired + wave * warm;
  return Math.min(person.maxBpm - 2, restingBpm + reserve * part);
}

function layDown(bpm: Float64Array, fromMs: number, sleep: Sleep, condition: Condition, unit: () => number): void {
  for (const { stage, start, end } of sleep.stages) {
    const extra = stage === 'awake' ? 9 : stage === 'rem' ? 3 : stage === 'deep' ? -0.5 : 0.5;
    forMinutes(bpm, fromMs, start, end, (minute, atMs) => {
      const passed = (atMs - sleep.start) / (sleep.end - sleep.start);
      const settled =
        sleep.kind === 'nap' ? 6 : 6.5 * Math.max(0, 1 - passed / 0.6) + 4 * Math.max(0, (passed - 0.75) / 0.25);
      bpm[minute] = condition.restingBpm + 1.2 + settled + extra + 2.2 * (unit() - 0.5);
    });
  }
}

function exert(bpm: Float64Array, fromMs: number, workout: LivedWorkout, { person, condition }: HeartOfDay): void {
  const at = (atMs: number) => bpmAtWork(workout, person, condition.restingBpm, (atMs - workout.start) / 1_000);
  forMinutes(bpm, fromMs, workout.start, workout.end, (minute, atMs) => {
    bpm[minute] = at(atMs);
  });
  const last = at(workout.end);
  forMinutes(bpm, fromMs, workout.end, workout.end + HOUR_MS, (minute, atMs) => {
    const left = Math.exp(-(atMs - workout.end) / (COOL_DOWN_MINUTES * MINUTE_MS));
    const usual = bpm[minute] as number;
    bpm[minute] = usual + Math.max(0, last - usual) * left;
  });
}

function raise(bpm: Float64Array, fromMs: number, start: number, end: number, by: number): void {
  forMinutes(bpm, fromMs, start, end, (minute) => {
    bpm[minute] = (bpm[minute] as number) + by;
  });
}

/** Visits the minutes that begin in [start, end) and in the day. */
export function forMinutes(
  minutes: ArrayLike<number>,
  fromMs: number,
  start: number,
  end: number,
  visit: (minute: number, atMs: number) => void,
): void {
  const first = Math.max(0, Math.ceil((start - fromMs) / MINUTE_MS));
  const last = Math.min(minutes.length, Math.ceil((end - fromMs) / MINUTE_MS));
  for (let minute = first; minute < last; minute++) visit(minute, fromMs + minute * MINUTE_MS);
}
