// 24/7 data: sleeps as totals, samples every ten minutes, and totals of days.

import type { SleepSession, SleepStage } from '../../domain/records/records.ts';
import { createDraw } from '../../domain/sandbox/index.ts';
import { DAY_MINUTES, MINUTE_MS } from '../../domain/time/durations.ts';
import type { Interval } from '../../domain/time/intervals.ts';
import type { AccountDay, AccountView, Point } from '../account-view.ts';
import { pointsBetween } from '../points-between.ts';
import { writeLocalTime } from '../write-time.ts';

const INTERVAL_MS = 10 * MINUTE_MS;
const JOULES_PER_KCAL = 4_184;

export type WrittenSample = {
  readonly startMs: number;
  readonly body: { readonly timestamp: string; readonly entryData: Readonly<Record<string, unknown>> };
};

/** Nights with their stages, and naps without. */
export function listSleeps(view: AccountView, day: AccountDay): WrittenSample[] {
  const nights = day.sleeps.map((sleep) => writeSleep(view, sleep, writeNight(view, sleep)));
  const naps = day.lived.sleeps
    .filter(({ kind, end }) => kind === 'nap' && end <= day.untilMs)
    .map((nap) => writeSleep(view, nap, { IsNap: true }));
  return [...nights, ...naps];
}

function writeSleep({ account }: AccountView, { start, end }: Interval, more: object): WrittenSample {
  const timestamp = writeLocalTime(account.zone, start);
  const entryData = {
    SleepId: Math.floor(start / 1_000),
    DateTime: timestamp,
    BedtimeStart: timestamp,
    BedtimeEnd: writeLocalTime(account.zone, end),
    Duration: (end - start) / 1_000,
    ...more,
  };
  return { startMs: start, body: { timestamp, entryData } };
}

function writeNight(view: AccountView, night: SleepSession) {
  const stages = night.stages ?? [];
  const seconds = (wanted: SleepStage) =>
    stages.reduce((sum, { stage, start, end }) => sum + (stage === wanted ? (end - start) / 1_000 : 0), 0);
  const bpm = pointsBetween(view, 'heart_rate', night.start, night.end).map(({ value }) => value);
  return {
    DeepSleepDuration: seconds('deep'),
    LightSleepDuration: seconds('light'),
    REMSleepDuration: seconds('rem'),
    WakeAfterSleepOnsetDuration: seconds('awake'),
    ...(night.heartRate !== null && { HRAvg: Math.round(night.heartRate) }),
    ...(bpm.length > 0 && { HRMin: Math.min(...bpm) }),
    ...(night.heartRateVariability !== null && { AvgHRV: Math.round(night.heartRateVariability) }),
    MaxSpo2: 0.98,
    SleepQualityScore: Math.round(createDraw(view.account.seed, 'opinion of a night', night.key).between(55, 96)),
    IsNap: false,
  };
}

export function listActivity({ account }: AccountView, day: AccountDay): WrittenSample[] {
  const [heart, steps, oxygen, variability] = ['heart_rate', 'steps', 'blood_oxygen', 'heart_rate_variability'].map(
    (metric) => day.series(metric),
  );
  const samples: WrittenSample[] = [];
  for (let ms = day.lived.fromMs; ms + INTERVAL_MS <= day.untilMs; ms += INTERVAL_MS) {
    const of = (points: readonly Point[] = []) =>
      points.filter(({ startMs }) => startMs >= ms && startMs < ms + INTERVAL_MS).map(({ value }) => value);
    const [beats, saturations, variabilities] = [of(heart), of(oxygen), of(variability)];
    if (beats.length === 0) continue; // not worn
    const entryData = {
      HR: Math.round(beats.reduce((sum, bpm) => sum + bpm, 0) / beats.length),
      HRExt: { Min: Math.min(...beats), Max: Math.max(...beats) },
      StepCount: of(steps).reduce((sum, count) => sum + count, 0),
      EnergyConsumption: (account.person.basalKcal / (DAY_MINUTES / 10)) * JOULES_PER_KCAL,
      ...(saturations[0] !== undefined && { SpO2: saturations[0] / 100 }),
      ...(variabilities[0] !== undefined && { HRV: Math.round(variabilities[0]) }),
    };
    samples.push({ startMs: ms, body: { timestamp: writeLocalTime(account.zone, ms), entryData } });
  }
  return samples;
}

export function writeTotals({ account }: AccountView, day: AccountDay) {
  const minutes = Math.max(0, Math.round((day.untilMs - day.lived.fromMs) / MINUTE_MS));
  const active = Array.from(day.lived.activeKcal.slice(0, minutes)).reduce((sum, kcal) => sum + kcal, 0);
  const kcal = active + (account.person.basalKcal * minutes) / DAY_MINUTES;
  return {
    time: writeLocalTime(account.zone, day.lived.fromMs),
    steps: day.series('steps').reduce((sum, { value }) => sum + value, 0),
    joules: Math.round(kcal * JOULES_PER_KCAL),
  };
}
