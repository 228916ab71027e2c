// Nights and naps: durations in seconds, phases as digits, series every five minutes.

import type { SleepSession, SleepStage } from '../../domain/records/records.ts';
import { addDays } from '../../domain/time/calendar.ts';
import type { AccountDay, AccountView } from '../account-view.ts';
import { isNight } from '../record-edits.ts';
import { writeLocalTime } from '../write-time.ts';
import { documentId, type OuraDocument } from './document.ts';
import { readinessOf } from './morning-documents.ts';

const SERIES_SECONDS = 300;
const DIGITS: Readonly<Record<SleepStage, string>> = {
  deep: '1',
  light: '2',
  rem: '3',
  awake: '4',
  asleep: '2',
  in_bed: '4',
};

export function listSleeps(view: AccountView, day: AccountDay): OuraDocument[] {
  return day.sleeps.map((sleep, period) => writeSleep(view, day, sleep, period));
}

function writeSleep(view: AccountView, day: AccountDay, sleep: SleepSession, period: number): OuraDocument {
  const { zone } = view.account;
  const inStage = (stage: SleepStage) => sumSeconds(sleep, stage);
  const inBed = (sleep.end - sleep.start) / 1_000;
  const asleep = inBed - inStage('awake');
  const beats = series(view, day, sleep, 'heart_rate');
  const known = beats.items.filter((bpm) => bpm !== null);
  const first = sleep.stages?.[0];
  return {
    id: documentId(view, 'sleep', sleep.key),
    day: day.date,
    type: isNight(sleep) ? 'long_sleep' : 'late_nap',
    period,
    bedtime_start: writeLocalTime(zone, sleep.start),
    bedtime_end: writeLocalTime(zone, sleep.end),
    time_in_bed: inBed,
    total_sleep_duration: asleep,
    deep_sleep_duration: inStage('deep'),
    light_sleep_duration: inStage('light'),
    rem_sleep_duration: inStage('rem'),
    awake_time: inStage('awake'),
    latency: first?.stage === 'awake' ? (first.end - first.start) / 1_000 : 0,
    efficiency: Math.round((100 * asleep) / inBed),
    average_heart_rate: sleep.heartRate,
    lowest_heart_rate: known.length === 0 ? null : Math.min(...known),
    average_hrv: sleep.heartRateVariability,
    average_breath: sleep.respiratoryRate,
    heart_rate: beats,
    hrv: series(view, day, sleep, 'heart_rate_variability_rmssd'),
    sleep_phase_5_min: phases(sleep, SERIES_SECONDS),
    sleep_phase_30_sec: phases(sleep, 30),
    movement_30_sec: phases(sleep, 30).replaceAll(/[123]/g, '1').replaceAll('4', '2'),
    restless_periods: (sleep.stages ?? []).filter(({ stage }) => stage === 'awake').length * 20,
    readiness: isNight(sleep) ? readinessOf(view, day) : null,
    readiness_score_delta: null,
    sleep_score_delta: null,
    low_battery_alert: false,
    sleep_algorithm_version: 'v2',
  };
}

function sumSeconds({ stages }: SleepSession, wanted: SleepStage): number {
  return (stages ?? []).reduce((sum, { stage, start, end }) => sum + (stage === wanted ? (end - start) / 1_000 : 0), 0);
}

function phases({ start, end, stages }: SleepSession, seconds: number): string {
  let digits = '';
  for (let ms: number = start; ms < end; ms += seconds * 1_000) {
    const at = stages?.find((stage) => ms >= stage.start && ms < stage.end);
    digits += at === undefined ? '4' : DIGITS[at.stage];
  }
  return digits;
}

/** The ring measures on the same five-minute grid that its nights begin on; missed values are null. */
function series(view: AccountView, day: AccountDay, { start, end }: SleepSession, metric: string) {
  const days = [view.day(addDays(day.date, -1)), day];
  const points = new Map(
    days.flatMap((one) => one?.series(metric) ?? []).map(({ startMs, value }) => [startMs, value]),
  );
  const items: (number | null)[] = [];
  for (let ms: number = start; ms < end; ms += SERIES_SECONDS * 1_000) items.push(points.get(ms) ?? null);
  return { interval: SERIES_SECONDS, items, timestamp: writeLocalTime(view.account.zone, start) };
}
