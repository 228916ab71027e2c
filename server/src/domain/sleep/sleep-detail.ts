// How detailed a record of a night is. It decides which of several records of one sleep is canonical.
import type { SleepSession, SleepStage } from '../records/records.ts';
import type { SessionDetail } from '../records/session.ts';

type SleepFacts = Pick<
  SleepSession,
  'stages' | 'asleepMinutes' | 'deepMinutes' | 'lightMinutes' | 'remMinutes' | 'awakeMinutes' | 'inBedMinutes'
>;

/** A record with 0 minutes of sleep describes no sleep, whatever else it contains. */
export function findSleepDetail(sleep: SleepFacts): SessionDetail {
  const has = (...kinds: SleepStage[]) =>
    sleep.stages?.some(({ stage, start, end }) => kinds.includes(stage) && end > start) ?? false;
  const isStaged = isSome(sleep.deepMinutes) || isSome(sleep.lightMinutes) || isSome(sleep.remMinutes);
  if (isStaged || has('deep', 'light', 'rem')) {
    const knows = (stage: SleepStage, stated: number | null) => stated !== null || has(stage);
    const knowsAll =
      knows('deep', sleep.deepMinutes) && knows('light', sleep.lightMinutes) && knows('rem', sleep.remMinutes);
    return knowsAll ? 'all_stages' : 'some_stages';
  }
  if (isSome(sleep.asleepMinutes) || has('asleep')) return 'asleep';
  return isSome(sleep.inBedMinutes) || isSome(sleep.awakeMinutes) || has('in_bed', 'awake') ? 'in_bed' : 'times';
}

function isSome(minutes: number | null): boolean {
  return minutes !== null && minutes > 0;
}
