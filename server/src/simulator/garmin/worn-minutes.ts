// The minutes of a day with a heart rate, and the intensity of each.
import { MINUTE_MS } from '../../domain/time/durations.ts';
import type { AccountDay } from '../account-view.ts';

const MET_AT_REST = 1.2;

export type WornMinute = {
  readonly ms: number;
  readonly bpm: number;
  readonly kcal: number;
  readonly met: number;
};

export function listWornMinutes({ lived, series }: AccountDay): WornMinute[] {
  return series('heart_rate').map(({ startMs: ms, value: bpm }) => {
    const minute = Math.round((ms - lived.fromMs) / MINUTE_MS);
    const kcal = lived.activeKcal[minute] ?? 0;
    const met = MET_AT_REST + (kcal * 60) / lived.person.weightKg;
    return { ms, bpm, kcal, met };
  });
}

export const isModerate = ({ met }: WornMinute): boolean => met >= 3 && met < 6;
export const isVigorous = ({ met }: WornMinute): boolean => met >= 6;
