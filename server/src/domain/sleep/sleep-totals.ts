// Minutes of one sleep: as the device reported them, else from its stages (gap G-52). Null: not reported.

import type { SleepSession, SleepStage } from '../records/records.ts';
import { MINUTE_MS } from '../time/durations.ts';
import { flattenStages, isSleepStage, type StageInterval, sumStages } from './stage-minutes.ts';

export type SleepTotals = {
  readonly asleep: number | null;
  readonly light: number | null;
  readonly deep: number | null;
  readonly rem: number | null;
  readonly awake: number | null;
  readonly inBed: number | null;
  /** Deep plus REM; null unless both are known. */
  readonly restorative: number | null;
  readonly efficiencyPct: number | null;
  /** The next three come from stages only. */
  readonly latency: number | null;
  readonly wakeAfterOnset: number | null;
  readonly awakenings: number | null;
};

type Staged = Pick<SleepSession, 'start' | 'end' | 'stages'>;

export type SleepMinutes = Pick<
  SleepSession,
  'asleepMinutes' | 'deepMinutes' | 'lightMinutes' | 'remMinutes' | 'awakeMinutes' | 'inBedMinutes'
>;

/**
 * Minutes from the stages. Null: the stages do not report it; a device that knows only asleep and awake does not have 0
 * deep sleep.
 */
export function countSleepMinutes(session: Staged): SleepMinutes {
  return countIntervals(session, flattenStages(session.stages ?? [], session.start, session.end));
}

function countIntervals(session: Staged, intervals: readonly StageInterval[]): SleepMinutes {
  const staged = sumStages(intervals, session.stages ?? []);
  return {
    asleepMinutes: sumAsleep(staged),
    deepMinutes: staged.deep,
    lightMinutes: staged.light,
    remMinutes: staged.rem,
    awakeMinutes: staged.awake,
    inBedMinutes: findInBed(session, intervals),
  };
}

/**
 * Reported totals win; the rest comes from the stages. Time asleep counts as time in bed, however short the in-bed
 * stages are.
 */
export function fillMinutes(stated: SleepMinutes, counted: SleepMinutes): SleepMinutes {
  const asleepMinutes = stated.asleepMinutes ?? counted.asleepMinutes;
  const countedInBed = counted.inBedMinutes === null ? null : Math.max(counted.inBedMinutes, asleepMinutes ?? 0);
  return {
    asleepMinutes,
    deepMinutes: stated.deepMinutes ?? counted.deepMinutes,
    lightMinutes: stated.lightMinutes ?? counted.lightMinutes,
    remMinutes: stated.remMinutes ?? counted.remMinutes,
    awakeMinutes: stated.awakeMinutes ?? counted.awakeMinutes,
    inBedMinutes: stated.inBedMinutes ?? countedInBed,
  };
}

export function totalSleep(session: SleepSession): SleepTotals {
  const intervals = flattenStages(session.stages ?? [], session.start, session.end);
  const minutes = fillMinutes(session, countIntervals(session, intervals));
  const { lightMinutes: light, deepMinutes: deep, remMinutes: rem, inBedMinutes: inBed } = minutes;
  const asleep = minutes.asleepMinutes ?? sumStated(light, deep, rem);
  return {
    asleep,
    light,
    deep,
    rem,
    awake: minutes.awakeMinutes,
    inBed,
    restorative: addBoth(deep, rem),
    efficiencyPct: efficiency(asleep, inBed),
    ...reportsWaking(session.start, intervals),
  };
}

/** Null without time in bed. Reported minutes are rounded, so the ratio may slightly exceed 100. */
export function efficiency(asleep: number | null, inBed: number | null): number | null {
  return asleep === null || inBed === null || inBed <= 0 ? null : Math.min(100, (100 * asleep) / inBed);
}

export function addBoth(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}

function sumAsleep(staged: Record<SleepStage, number | null>): number | null {
  const parts = [staged.asleep, staged.light, staged.deep, staged.rem].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.reduce((sum, part) => sum + part, 0);
}

/**
 * Light sleep is most of a night: a sum without it is not the night's sleep, a sum without the others is (not all
 * devices report REM).
 */
function sumStated(light: number | null, deep: number | null, rem: number | null): number | null {
  return light === null ? null : light + (deep ?? 0) + (rem ?? 0);
}

/**
 * With sleep stages: all staged time, because time asleep is time in bed even without an in-bed stage. Otherwise end -
 * start if there are stages.
 */
function findInBed({ stages, start, end }: Staged, intervals: readonly StageInterval[]): number | null {
  if (stages === null || stages.length === 0) return null;
  const isStaged = stages.some(({ stage }) => stage === 'in_bed');
  if (!isStaged) return (end - start) / MINUTE_MS;
  return intervals.reduce((sum, interval) => sum + (interval.end - interval.start), 0) / MINUTE_MS;
}

/** A source whose session begins with sleep does not report the time before, so its latency is unknown, not 0. */
function reportsWaking(startMs: number, intervals: readonly StageInterval[]) {
  const first = intervals.findIndex(({ stage }) => isSleepStage(stage));
  const last = intervals.findLastIndex(({ stage }) => isSleepStage(stage));
  const onset = intervals[first];
  const reportsWaking = intervals.some(({ stage }) => stage === 'awake');
  const wakings = intervals.slice(first, last).filter(({ stage }) => stage === 'awake');
  const wakingMs = wakings.reduce((sum, { start, end }) => sum + (end - start), 0);
  return {
    latency: onset !== undefined && first > 0 ? (onset.start - startMs) / MINUTE_MS : null,
    wakeAfterOnset: onset !== undefined && reportsWaking ? wakingMs / MINUTE_MS : null,
    awakenings: onset !== undefined && reportsWaking ? wakings.length : null,
  };
}
