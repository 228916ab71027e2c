// Minutes that a device did not state, from its stages (gap G-52). Pure.
import type { SleepSession, SleepStage, StagePeriod } from './records.ts';

export type SleepMinutes = Pick<
  SleepSession,
  'asleepMinutes' | 'deepMinutes' | 'lightMinutes' | 'remMinutes' | 'awakeMinutes' | 'inBedMinutes'
>;

const MINUTE_MS = 60_000;

/** `stages` ascend by start. Null: the stages do not say either; a device that tells sleep from waking only has no deep sleep of 0. */
export function countSleepMinutes(
  session: Pick<SleepSession, 'start' | 'end'> & { readonly stages: readonly StagePeriod[] | null },
): SleepMinutes {
  const stages = session.stages ?? [];
  const has = (...kinds: SleepStage[]) => stages.some(({ stage }) => kinds.includes(stage));
  const sum = (...kinds: SleepStage[]) =>
    stages.reduce((ms, { stage, start, end }) => (kinds.includes(stage) ? ms + end - start : ms), 0) / MINUTE_MS;
  const isStaged = has('deep', 'light', 'rem');
  return {
    asleepMinutes: isStaged || has('asleep', 'awake') ? sum('asleep', 'deep', 'light', 'rem') : null,
    deepMinutes: isStaged ? sum('deep') : null,
    lightMinutes: isStaged ? sum('light') : null,
    remMinutes: isStaged ? sum('rem') : null,
    awakeMinutes: isStaged || has('awake') ? sum('awake') : null,
    inBedMinutes: countInBed(session, stages, has('in_bed')),
  };
}

/** Some send one period in bed around all stages, others only the parts without sleep: covered time is right for both. */
function countInBed(
  { start, end }: Pick<SleepSession, 'start' | 'end'>,
  stages: readonly StagePeriod[],
  hasInBed: boolean,
): number | null {
  if (stages.length === 0) return null;
  return (hasInBed ? coveredMs(stages) : end - start) / MINUTE_MS;
}

function coveredMs(stages: readonly StagePeriod[]): number {
  let covered = 0;
  let coveredTo = Number.NEGATIVE_INFINITY;
  for (const { start, end } of stages) {
    covered += Math.max(0, end - Math.max(start, coveredTo));
    coveredTo = Math.max(coveredTo, end);
  }
  return covered;
}
