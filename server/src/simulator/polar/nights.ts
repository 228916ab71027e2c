// A night and its recharge, identified by the date on which the night ended. There are no naps.

import type { SleepSession, SleepStage } from '../../domain/records/records.ts';
import { createDraw } from '../../domain/sandbox/index.ts';
import { addDays } from '../../domain/time/calendar.ts';
import { MINUTE_MS } from '../../domain/time/durations.ts';
import type { AccountDay, AccountView, Point } from '../account-view.ts';
import type { ProviderContext } from '../provider-context.ts';
import { isNight } from '../record-edits.ts';
import { userUrlOf } from './registration.ts';
import { DEVICE_ID } from './watch-model.ts';
import { writeClock, writeWithOffset } from './write-polar-time.ts';

const SERIES_MS = 5 * MINUTE_MS;
/** Recovery is measured for four hours, starting half an hour after falling asleep. */
const RECHARGE_AFTER_MS = 30 * MINUTE_MS;
const RECHARGE_MS = 240 * MINUTE_MS;
const LONG_WAKING_MS = 90_000;
const STAGE_CODES: Readonly<Record<SleepStage, number>> = { awake: 0, rem: 1, light: 3, deep: 4, asleep: 5, in_bed: 0 };

export function findNight({ sleeps }: AccountDay): SleepSession | null {
  return sleeps.find(isNight) ?? null;
}

export function writeNight(view: AccountView, day: AccountDay, context: ProviderContext) {
  const night = findNight(day);
  if (night === null) return null;
  const { zone, seed } = view.account;
  const stages = night.stages ?? [];
  const seconds = (wanted: SleepStage, isCounted: (ms: number) => boolean = () => true) =>
    stages.reduce((sum, { stage, start, end }) => {
      return stage === wanted && isCounted(end - start) ? sum + (end - start) / 1_000 : sum;
    }, 0);
  const draw = createDraw(seed, 'sleep opinions', day.date);
  const score = () => Math.round(draw.between(55, 98));
  return {
    polar_user: userUrlOf(view, context),
    date: day.date,
    sleep_start_time: writeWithOffset(zone, night.start),
    sleep_end_time: writeWithOffset(zone, night.end),
    device_id: DEVICE_ID,
    continuity: Math.round(draw.between(15, 45)) / 10,
    continuity_class: 3,
    light_sleep: seconds('light'),
    deep_sleep: seconds('deep'),
    rem_sleep: seconds('rem'),
    unrecognized_sleep_stage: seconds('asleep'),
    sleep_score: score(),
    total_interruption_duration: seconds('awake'),
    sleep_charge: 3,
    sleep_goal: 28_800,
    sleep_rating: 3,
    short_interruption_duration: seconds('awake', (ms) => ms < LONG_WAKING_MS),
    long_interruption_duration: seconds('awake', (ms) => ms >= LONG_WAKING_MS),
    sleep_cycles: stages.filter(({ stage }) => stage === 'rem').length,
    group_duration_score: score(),
    group_solidity_score: score(),
    group_regeneration_score: score(),
    hypnogram: Object.fromEntries(stages.map(({ stage, start }) => [writeClock(zone, start), STAGE_CODES[stage]])),
    heart_rate_samples: Object.fromEntries(
      readHeart(view, day, night.start, night.end).map(({ startMs, value }) => [writeClock(zone, startMs), value]),
    ),
  };
}

/** Also null after a night in which the battery died. */
export function writeRecharge(view: AccountView, day: AccountDay, context: ProviderContext) {
  const night = findNight(day);
  if (night === null || night.heartRateVariability === null) return null;
  const { heartRateVariability: hrv, respiratoryRate } = night;
  const from = night.start + RECHARGE_AFTER_MS;
  const bpm = readHeart(view, day, from, from + RECHARGE_MS).map(({ value }) => value);
  const average = Math.round(bpm.reduce((sum, value) => sum + value, 0) / Math.max(1, bpm.length));
  const draw = createDraw(view.account.seed, 'recharge', day.date);
  const series = (mean: number, spread: number, decimals: number) => {
    const samples: Record<string, number> = {};
    for (let ms = from; ms < from + RECHARGE_MS; ms += SERIES_MS)
      samples[writeClock(view.account.zone, ms)] = Number(draw.near(mean, spread).toFixed(decimals));
    return samples;
  };
  return {
    polar_user: userUrlOf(view, context),
    date: day.date,
    heart_rate_avg: average,
    beat_to_beat_avg: Math.round(MINUTE_MS / average),
    heart_rate_variability_avg: hrv,
    breathing_rate_avg: respiratoryRate,
    nightly_recharge_status: Math.round(draw.between(1, 6)),
    ans_charge: Math.round(draw.near(0, 4) * 10) / 10,
    ans_charge_status: 3,
    hrv_samples: series(hrv, 4, 0),
    breathing_samples: series(respiratoryRate ?? view.account.person.breathsPerMinute, 0.4, 1),
  };
}

/** Every five minutes; the night begins on the day before. */
function readHeart(view: AccountView, day: AccountDay, from: number, to: number): Point[] {
  const days = [view.day(addDays(day.date, -1)), day];
  return days
    .flatMap((one) => one?.series('heart_rate') ?? [])
    .filter(({ startMs }) => startMs % SERIES_MS === 0 && startMs >= from && startMs < to);
}
