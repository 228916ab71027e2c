// A sleep as a device recorded it: different times, different stages, with the resolution of the device.

import type { EpochMs, SleepSession, StagePeriod } from '../records/records.ts';
import { MINUTE_MS } from '../time/durations.ts';
import { createDraw } from './draw.ts';
import type { LivedDay } from './lived-day.ts';
import type { Sleep } from './night.ts';
import { nameRecord } from './record-names.ts';
import { diesAt, isRingOnAtNight, watchNightOf } from './wear.ts';

type Eye = {
  readonly name: string;
  readonly gridMinutes: number;
  /** How much earlier or later stages begin. */
  readonly spreadMinutes: number;
  /** Fraction of deep sleep that is classified as light. */
  readonly missesDeep: number;
};

const RING: Eye = { name: 'ring', gridMinutes: 5, spreadMinutes: 1.5, missesDeep: 0.05 };
const WATCH: Eye = { name: 'watch', gridMinutes: 1, spreadMinutes: 4, missesDeep: 0.22 };

const NOTHING_MORE = {
  asleepMinutes: null,
  deepMinutes: null,
  lightMinutes: null,
  remMinutes: null,
  awakeMinutes: null,
  inBedMinutes: null,
  bodyTemperature: null,
  skinTemperature: null,
  wristTemperature: null,
  method: 'automatic',
} as const;

/** Nights and naps, because rings detect both. */
export function seeSleepsWithRing(day: LivedDay): SleepSession[] {
  if (day.story.isRingOff) return [];
  const { condition } = day;
  return day.sleeps
    .filter(({ kind }) => kind === 'nap' || isRingOnAtNight(day.person, day.date, day.story))
    .map((sleep) => ({
      ...see(day, sleep, RING, sleep.end),
      heartRate: toTenth(condition.restingBpm + (sleep.kind === 'nap' ? 7.6 : 3.4)),
      heartRateVariability: sleep.kind === 'nap' ? null : ringHrv(day),
      hrvKind: 'rmssd' as const,
      respiratoryRate: sleep.kind === 'nap' ? null : toTenth(condition.breathsPerMinute),
      bloodOxygen: sleep.kind === 'nap' ? null : toTenth(condition.oxygenPct),
      ...(sleep.kind === 'night' && { skinTemperature: toTenth(34.6 + condition.temperatureDeviationC) }),
    }));
}

/** Nights only, as long as the battery lasts. */
export function seeSleepsWithWatch(day: LivedDay): SleepSession[] {
  const night = watchNightOf(day.person, day.date, day.story);
  if (day.story.isWatchOff || night === 'charging') return [];
  const { condition } = day;
  const draw = createDraw(day.person.seed, 'watch vitals', day.date);
  return day.sleeps
    .filter(({ kind }) => kind === 'night')
    .map((sleep) => ({
      ...see(day, sleep, WATCH, night === 'died' ? diesAt(sleep) : sleep.end),
      heartRate: toTenth(condition.restingBpm + 4.1),
      heartRateVariability: night === 'died' ? null : watchHrv(day),
      hrvKind: 'rmssd' as const,
      respiratoryRate: toTenth(draw.near(condition.breathsPerMinute + 0.3, 0.2)),
      bloodOxygen: toTenth(Math.min(100, draw.near(condition.oxygenPct - 0.9, 0.4))),
    }));
}

export function ringHrv({ condition }: LivedDay): number {
  return Math.round(condition.hrvMs);
}

/** Watches read lower and less precisely. */
export function watchHrv({ person, date, condition }: LivedDay): number {
  return Math.round(createDraw(person.seed, 'watch hrv', date).near(0.92, 0.03) * condition.hrvMs);
}

function see(day: LivedDay, sleep: Sleep, eye: Eye, endMs: number) {
  const draw = createDraw(day.person.seed, eye.name, sleep.kind, day.date);
  const snap = (ms: number) => Math.round(ms / (eye.gridMinutes * MINUTE_MS)) * eye.gridMinutes * MINUTE_MS;
  const borders = sleep.stages.map(({ start }) => start + draw.near(0, eye.spreadMinutes) * MINUTE_MS);
  const start = snap(borders[0] ?? sleep.start);
  const end = snap(Math.min(endMs, sleep.end + draw.near(0, eye.spreadMinutes) * MINUTE_MS));
  const stages: StagePeriod[] = [];
  let from = start;
  sleep.stages.forEach(({ stage }, index) => {
    const to = Math.min(end, index === sleep.stages.length - 1 ? end : snap(borders[index + 1] ?? end));
    if (to <= from) return;
    const seenUntil = stage === 'deep' ? snap(to - (to - from) * eye.missesDeep) : to;
    append(stages, stage, from, seenUntil);
    append(stages, 'light', seenUntil, to);
    from = to;
  });
  return {
    ...NOTHING_MORE,
    key: nameRecord(sleep.kind, day),
    start: start as EpochMs,
    end: end as EpochMs,
    offsetMinutes: day.offsetAt(end),
    stages,
  };
}

function append(stages: StagePeriod[], stage: StagePeriod['stage'], start: number, end: number): void {
  if (end <= start) return;
  const before = stages.at(-1);
  if (before?.stage === stage) stages[stages.length - 1] = { ...before, end: end as EpochMs };
  else stages.push({ stage, start: start as EpochMs, end: end as EpochMs });
}

function toTenth(value: number): number {
  return Math.round(value * 10) / 10;
}
