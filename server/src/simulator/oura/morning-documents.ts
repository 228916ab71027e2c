// Documents from the night: readiness, sleep score, oxygen, vascular age. None without a night.
import { createDraw } from '../../domain/sandbox/index.ts';
import type { AccountDay, AccountView } from '../account-view.ts';
import { isNight } from '../record-edits.ts';
import { writeLocalTime } from '../write-time.ts';
import { averageScore, documentId, drawScores, type OuraDocument } from './document.ts';

const toHundredth = (value: number) => Math.round(value * 100) / 100;

export function readinessOf(view: AccountView, { date, lived }: AccountDay) {
  const contributors = drawScores(view, date, [
    'activity_balance',
    'body_temperature',
    'hrv_balance',
    'previous_day_activity',
    'previous_night',
    'recovery_index',
    'resting_heart_rate',
    'sleep_balance',
  ]);
  return {
    contributors,
    score: averageScore(contributors),
    temperature_deviation: toHundredth(lived.condition.temperatureDeviationC),
    temperature_trend_deviation: toHundredth(lived.condition.temperatureDeviationC / 3),
  };
}

export function listReadiness(view: AccountView, day: AccountDay): OuraDocument[] {
  return ofNight(view, day, 'daily_readiness', () => ({ ...readinessOf(view, day), timestamp: beginOf(view, day) }));
}

export function listSleepScores(view: AccountView, day: AccountDay): OuraDocument[] {
  return ofNight(view, day, 'daily_sleep', () => {
    const parts = ['deep_sleep', 'efficiency', 'latency', 'rem_sleep', 'restfulness', 'timing', 'total_sleep'];
    const contributors = drawScores(view, day.date, parts);
    return { contributors, score: averageScore(contributors), timestamp: beginOf(view, day) };
  });
}

export function listOxygen(view: AccountView, day: AccountDay): OuraDocument[] {
  const average = day.sleeps.find(isNight)?.bloodOxygen ?? null;
  return ofNight(view, day, 'daily_spo2', () => ({
    spo2_percentage: average === null ? null : { average },
    breathing_disturbance_index: Math.round(createDraw(view.account.seed, 'breaths', day.date).between(0, 9)),
  }));
}

/** Arteries stiffen with age. */
export function listCardiovascular(view: AccountView, day: AccountDay): OuraDocument[] {
  const { ageYears, seed } = view.account.person;
  const older = createDraw(seed, 'vessels').near(-1, 3);
  return ofNight(view, day, 'daily_cardiovascular_age', () => ({
    vascular_age: Math.max(18, Math.round(ageYears + older)),
    pulse_wave_velocity: Math.round((4.4 + 0.065 * (ageYears + older)) * 10) / 10,
  }));
}

function ofNight(
  view: AccountView,
  day: AccountDay,
  collection: string,
  write: () => Readonly<Record<string, unknown>>,
): OuraDocument[] {
  if (!day.sleeps.some(isNight)) return [];
  return [{ id: documentId(view, collection, day.date), day: day.date, ...write() }];
}

function beginOf({ account }: AccountView, { lived }: AccountDay): string {
  return writeLocalTime(account.zone, lived.fromMs);
}
