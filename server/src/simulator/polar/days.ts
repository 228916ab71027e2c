// Daily activity from midnight to midnight, and heart rate every five minutes. Today's grows.

import { isDuring, listWatchGaps } from '../../domain/sandbox/index.ts';
import { DAY_MINUTES, MINUTE_MS, SECOND_MS } from '../../domain/time/durations.ts';
import type { AccountDay, AccountView } from '../account-view.ts';
import { type LivedMinute, listLivedMinutes, type MinuteKind } from '../lived-minutes.ts';
import type { ProviderContext } from '../provider-context.ts';
import { userUrlOf } from './registration.ts';
import { writeDuration, writeWall } from './write-polar-time.ts';

/** Optional parts of the response. */
export type ActivityParts = { readonly steps: boolean; readonly zones: boolean; readonly stamps: boolean };

const HEART_MINUTES = 5;
const ZONES: Readonly<Record<MinuteKind, string>> = {
  unworn: 'NON_WEAR',
  in_bed: 'SLEEP',
  sedentary: 'SEDENTARY',
  light: 'LIGHT',
  moderate: 'MODERATE',
  vigorous: 'VIGOROUS',
};

/** Null: the watch has not synced it yet. */
export function writeActivity(view: AccountView, day: AccountDay, parts: ActivityParts) {
  const { zone, person } = view.account;
  const { lived, untilMs } = day;
  const minutes = listLivedMinutes(lived, listWatchGaps(lived), lived.fromMs, untilMs);
  if (minutes.length === 0) return null;
  const worn = minutes.filter(({ kind }) => kind !== 'unworn');
  const steps = worn.reduce((sum, minute) => sum + minute.steps, 0);
  const active = Math.round(worn.reduce((sum, minute) => sum + minute.kcal, 0));
  const lasting = (...kinds: readonly MinuteKind[]) =>
    writeDuration(minutes.filter(({ kind }) => kinds.includes(kind)).length * MINUTE_MS);
  return {
    start_time: writeWall(zone, lived.fromMs),
    end_time: writeWall(zone, untilMs - SECOND_MS),
    active_duration: lasting('light', 'moderate', 'vigorous'),
    inactive_duration: lasting('sedentary'),
    daily_activity: Math.round((1_000 * steps) / person.stepsGoal) / 10,
    calories: active + Math.round((person.basalKcal * minutes.length) / DAY_MINUTES),
    active_calories: active,
    steps,
    inactivity_alert_count: 1,
    distance_from_steps: Math.round(steps * 0.415 * person.heightCm) / 100, // m
    ...(Object.values(parts).includes(true) && { samples: writeSamples(view, day, worn, minutes, parts) }),
  };
}

function writeSamples(
  { account }: AccountView,
  { date }: AccountDay,
  worn: readonly LivedMinute[],
  minutes: readonly LivedMinute[],
  { steps, zones, stamps }: ActivityParts,
) {
  const at = (ms: number) => writeWall(account.zone, ms).slice(0, 16);
  const walked = worn.filter((minute) => minute.steps > 0);
  const changes = minutes.filter(({ kind }, index) => kind !== minutes[index - 1]?.kind);
  return {
    date,
    ...(steps && {
      steps: {
        interval_ms: MINUTE_MS,
        total_steps: walked.reduce((sum, minute) => sum + minute.steps, 0),
        samples: walked.map((minute) => ({ steps: minute.steps, timestamp: at(minute.ms) })),
      },
    }),
    ...(zones && {
      activity_zones: { samples: changes.map(({ kind, ms }) => ({ zone: ZONES[kind], timestamp: at(ms) })) },
    }),
    ...(stamps && { inactivity_stamps: [] }),
  };
}

/** Without training, which has its own samples. Null: nothing was measured. */
export function writeHeartRate(view: AccountView, day: AccountDay, context: ProviderContext) {
  const { zone } = view.account;
  const samples = day
    .series('heart_rate')
    .filter(({ startMs }) => (startMs / MINUTE_MS) % HEART_MINUTES === 0 && !isDuring(day.lived.workouts, startMs))
    .map(({ startMs, value }) => ({ heart_rate: value, sample_time: writeWall(zone, startMs).slice(11) }));
  if (samples.length === 0) return null;
  return { polar_user: userUrlOf(view, context), date: day.date, heart_rate_samples: samples };
}
