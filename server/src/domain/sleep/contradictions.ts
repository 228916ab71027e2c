// Totals of one sleep that cannot all be true. It is unknown which of them is wrong, so none is corrected.
import { MINUTES_TOLERANCE } from '../metrics/record-limits.ts';
import type { SleepMinutes } from './sleep-totals.ts';

/** The wider total of the two: its parts are what the device measured. */
export type ContradictedTotal = 'asleepMinutes' | 'inBedMinutes';

/**
 * Finds a total that is less than its parts. `stated` are the totals of the source, `counted` those of its stages. Time
 * awake is not compared with the time in bed, because some sources count the time out of bed as awake.
 */
export function findContradiction(stated: SleepMinutes, counted: SleepMinutes): ContradictedTotal | null {
  const parts = [stated.lightMinutes, stated.deepMinutes, stated.remMinutes].filter((part) => part !== null);
  const staged = parts.reduce((sum, part) => sum + part, 0);
  const asleep = Math.max(stated.asleepMinutes ?? counted.asleepMinutes ?? 0, staged);
  if (stated.asleepMinutes !== null && isOver(staged, stated.asleepMinutes, parts.length)) return 'asleepMinutes';
  if (stated.inBedMinutes !== null && isOver(asleep, stated.inBedMinutes, Math.max(1, parts.length)))
    return 'inBedMinutes';
  return null;
}

/** For totals of a day. */
export function isAsleepOverInBed(asleepMinutes: number, inBedMinutes: number): boolean {
  return isOver(asleepMinutes, inBedMinutes, 1);
}

/** Each of the summands was rounded. */
function isOver(longer: number, shorter: number, summands: number): boolean {
  return longer > shorter + summands * MINUTES_TOLERANCE;
}
