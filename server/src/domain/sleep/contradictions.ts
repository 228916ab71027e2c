// Totals of one sleep that cannot all be true. It is unknown which of them is wrong, so none is corrected.
import { MINUTES_TOLERANCE } from '../metrics/record-limits.ts';
import type { SleepMinutes } from './sleep-totals.ts';

export type SleepContradiction = 'asleep_over_in_bed' | 'stages_over_asleep';

/**
 * `stated` are the totals of the source, `counted` those of its stages. Time awake is not compared with the time in
 * bed, because some sources count the time out of bed as awake.
 */
export function findContradiction(stated: SleepMinutes, counted: SleepMinutes): SleepContradiction | null {
  const parts = [stated.lightMinutes, stated.deepMinutes, stated.remMinutes].filter((part) => part !== null);
  const staged = parts.reduce((sum, part) => sum + part, 0);
  const asleep = Math.max(stated.asleepMinutes ?? counted.asleepMinutes ?? 0, staged);
  const isOver = (longer: number, shorter: number | null, summands: number) =>
    shorter !== null && longer > shorter + summands * MINUTES_TOLERANCE;
  if (isOver(staged, stated.asleepMinutes, parts.length)) return 'stages_over_asleep';
  return isOver(asleep, stated.inBedMinutes, Math.max(1, parts.length)) ? 'asleep_over_in_bed' : null;
}
