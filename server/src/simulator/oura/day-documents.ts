// Other documents of a day: workouts, sessions, stress, and VO2 max from runs.

import { createDraw, momentAt, type SportName, vo2MaxOf } from '../../domain/sandbox/index.ts';
import { MINUTE_MS } from '../../domain/time/durations.ts';
import type { AccountDay, AccountView } from '../account-view.ts';
import { writeLocalTime } from '../write-time.ts';
import { documentId, type OuraDocument } from './document.ts';

const SESSION_MINUTES = 10;
const SESSION_SERIES_SECONDS = 5;

const ACTIVITIES: Readonly<Record<SportName, string>> = {
  running: 'running',
  cycling: 'cycling',
  strength_training: 'strength_training',
  pool_swimming: 'swimming',
  yoga: 'yoga',
  hiking: 'hiking',
};
const INTENSITIES: Readonly<Record<SportName, 'easy' | 'moderate' | 'hard'>> = {
  running: 'hard',
  cycling: 'moderate',
  strength_training: 'moderate',
  pool_swimming: 'moderate',
  yoga: 'easy',
  hiking: 'moderate',
};

export function listWorkouts(view: AccountView, day: AccountDay): OuraDocument[] {
  const { zone } = view.account;
  return day.workouts.map((workout) => ({
    id: documentId(view, 'workout', workout.key),
    day: day.date,
    activity: ACTIVITIES[workout.sportType as SportName],
    calories: workout.activeCalories,
    distance: workout.distanceKm === null ? null : Math.round(workout.distanceKm * 1_000),
    intensity: INTENSITIES[workout.sportType as SportName],
    label: null,
    source: 'confirmed',
    start_datetime: writeLocalTime(zone, workout.start),
    end_datetime: writeLocalTime(zone, workout.end),
  }));
}

/** A ten-minute meditation before the evening, on some days. */
export function listSessions(view: AccountView, day: AccountDay): OuraDocument[] {
  const { zone, seed } = view.account;
  const draw = createDraw(seed, 'session', day.date);
  const isHeld = draw.isLucky(0.35);
  const type = draw.pick(['meditation', 'breathing', 'rest'] as const);
  const start = momentAt(zone, day.date, Math.round(draw.between(18 * 60, 20 * 60)));
  const end = start + SESSION_MINUTES * MINUTE_MS;
  if (!isHeld || end > day.untilMs) return [];
  const count = (SESSION_MINUTES * 60) / SESSION_SERIES_SECONDS;
  const { restingBpm, hrvMs } = day.lived.condition;
  const series = (mean: number, spread: number) => ({
    interval: SESSION_SERIES_SECONDS,
    items: Array.from({ length: count }, (_, index) => (index % 7 === 3 ? null : Math.round(draw.near(mean, spread)))),
    timestamp: writeLocalTime(zone, start),
  });
  return [
    {
      id: documentId(view, 'session', day.date),
      day: day.date,
      type,
      start_datetime: writeLocalTime(zone, start),
      end_datetime: writeLocalTime(zone, end),
      heart_rate: series(restingBpm + 9, 1.5),
      heart_rate_variability: series(0.8 * hrvMs, 3),
      mood: type === 'rest' ? null : 'good',
      motion_count: null,
    },
  ];
}

/** Seconds; for today, so far. */
export function listStress(view: AccountView, day: AccountDay): OuraDocument[] {
  const { condition, episodes } = day.lived;
  const inEpisodes = episodes.reduce((sum, { start, end }) => sum + Math.max(0, Math.min(end, day.untilMs) - start), 0);
  const high = Math.round(inEpisodes / 1_000 / 900) * 900;
  const part = (day.untilMs - day.lived.fromMs) / (day.lived.toMs - day.lived.fromMs);
  if (part <= 0) return [];
  const calm = Math.round((part * Math.max(0, 7_200 - 1_800 * condition.tension)) / 900) * 900;
  return [
    {
      id: documentId(view, 'daily_stress', day.date),
      day: day.date,
      stress_high: high,
      recovery_high: calm,
      day_summary: !day.isOver ? null : high > calm ? 'stressful' : calm > 2 * high ? 'restored' : 'normal',
    },
  ];
}

/** After a run. */
export function listCapacity(view: AccountView, day: AccountDay): OuraDocument[] {
  const run = day.workouts.find(({ sportType }) => sportType === 'running');
  if (run === undefined) return [];
  const { person, zone } = view.account;
  const id = documentId(view, 'vo2_max', day.date);
  return [{ id, day: day.date, timestamp: writeLocalTime(zone, run.end), vo2_max: Math.round(vo2MaxOf(person)) }];
}
