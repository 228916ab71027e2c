// An interval of a simulated day by minutes, as a wearable reports them.

import { isDuring, type LivedDay, listWatchGaps } from '../domain/sandbox/index.ts';
import { MINUTE_MS } from '../domain/time/durations.ts';
import type { Interval } from '../domain/time/intervals.ts';
import type { AccountDay } from './account-view.ts';

export type LivedMinute = {
  readonly ms: number;
  readonly steps: number;
  readonly kcal: number;
  readonly met: number;
  readonly kind: MinuteKind;
};
export type MinuteKind = 'unworn' | 'in_bed' | 'sedentary' | 'light' | 'moderate' | 'vigorous';

const MET_IN_BED = 0.9;
const MET_AWAKE = 1.2;

/** [from, to); the device is not worn during `gaps`, but the minutes are included. */
export function listLivedMinutes(lived: LivedDay, gaps: readonly Interval[], from: number, to: number): LivedMinute[] {
  const minutes: LivedMinute[] = [];
  for (let ms = Math.max(from, lived.fromMs); ms < Math.min(to, lived.toMs); ms += MINUTE_MS) {
    const index = Math.round((ms - lived.fromMs) / MINUTE_MS);
    const [steps, kcal] = [lived.steps[index] ?? 0, lived.activeKcal[index] ?? 0];
    const isInBed = isDuring(lived.beds, ms);
    const met = Math.round(((isInBed ? MET_IN_BED : MET_AWAKE) + (kcal * 60) / lived.person.weightKg) * 10) / 10;
    minutes.push({ ms, steps, kcal, met, kind: isDuring(gaps, ms) ? 'unworn' : isInBed ? 'in_bed' : kindOf(met) });
  }
  return minutes;
}

/** Minutes of each kind that a watch has recorded so far. */
export function countMinutes({ lived, untilMs }: AccountDay): Record<MinuteKind, number> {
  const counts = { unworn: 0, in_bed: 0, sedentary: 0, light: 0, moderate: 0, vigorous: 0 };
  for (const { kind } of listLivedMinutes(lived, listWatchGaps(lived), lived.fromMs, untilMs)) counts[kind] += 1;
  return counts;
}

/** The WHO's intensity limits. */
function kindOf(met: number): MinuteKind {
  if (met < 1.5) return 'sedentary';
  if (met < 3) return 'light';
  return met < 6 ? 'moderate' : 'vigorous';
}
