// Minutes of each stage of one sleep. Stages may overlap or repeat (HealthKit's in-bed and asleep samples do by
// design); no moment counts twice: it belongs to the first stage of STAGE_PRECEDENCE that covers it.

import { SLEEP_STAGES, type SleepStage, type StagePeriod } from '../records/records.ts';
import { MINUTE_MS } from '../time/durations.ts';

export type StageInterval = { readonly stage: SleepStage; readonly start: number; readonly end: number };

/**
 * An awakening within sleep was measured, so it comes first. Of the sleep stages the rarer one is more specific;
 * "asleep" and "in bed" are the least specific.
 */
export const STAGE_PRECEDENCE: readonly SleepStage[] = ['awake', 'deep', 'rem', 'light', 'asleep', 'in_bed'];

/**
 * The night without overlaps, by time, clipped to [startMs, endMs); adjacent intervals of the same stage are joined.
 */
export function flattenStages(stages: readonly StagePeriod[], startMs: number, endMs: number): StageInterval[] {
  const clipped = clipStages(stages, startMs, endMs);
  return isFlat(clipped) ? joinStages(clipped) : layStages(clipped);
}

function clipStages(stages: readonly StagePeriod[], startMs: number, endMs: number): StageInterval[] {
  return stages
    .map(({ stage, start, end }) => ({ stage, start: Math.max(start, startMs), end: Math.min(end, endMs) }))
    .filter(({ start, end }) => end > start);
}

/** Nearly all devices report a night without overlaps. */
function isFlat(stages: readonly StageInterval[]): boolean {
  return stages.every(({ start }, index) => index === 0 || start >= (stages[index - 1] as StageInterval).end);
}

function joinStages(stages: readonly StageInterval[]): StageInterval[] {
  const intervals: StageInterval[] = [];
  for (const interval of stages) append(intervals, interval);
  return intervals;
}

function layStages(stages: readonly StageInterval[]): StageInterval[] {
  const borders = stages
    .flatMap(({ stage, start, end }) => [
      { stage, at: start, opens: 1 },
      { stage, at: end, opens: -1 },
    ])
    .sort((a, b) => a.at - b.at);
  const open = Object.fromEntries(SLEEP_STAGES.map((stage) => [stage, 0])) as Record<SleepStage, number>;
  const intervals: StageInterval[] = [];
  borders.forEach(({ stage, at, opens }, index) => {
    open[stage] += opens;
    const end = borders[index + 1]?.at ?? at;
    const winner = STAGE_PRECEDENCE.find((candidate) => open[candidate] > 0);
    if (winner !== undefined && end > at) append(intervals, { stage: winner, start: at, end });
  });
  return intervals;
}

/** Null for a stage that was not reported (specification, sleep session); 0 for one that others cover. */
export function sumStages(
  intervals: readonly StageInterval[],
  reported: readonly StagePeriod[],
): Record<SleepStage, number | null> {
  const minutes = Object.fromEntries(SLEEP_STAGES.map((stage) => [stage, null])) as Record<SleepStage, number | null>;
  for (const { stage } of reported) minutes[stage] = 0;
  for (const { stage, start, end } of intervals) minutes[stage] = (minutes[stage] ?? 0) + (end - start) / MINUTE_MS;
  return minutes;
}

export function isSleepStage(stage: SleepStage): boolean {
  return stage !== 'awake' && stage !== 'in_bed';
}

function append(intervals: StageInterval[], interval: StageInterval): void {
  const before = intervals.at(-1);
  if (before?.stage === interval.stage && before.end === interval.start)
    intervals[intervals.length - 1] = { ...before, end: interval.end };
  else intervals.push(interval);
}
