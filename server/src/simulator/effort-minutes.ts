// The intensity of a day's minutes, as a watch records it.

import { isDuring, listWatchGaps } from '../domain/sandbox/index.ts';
import { MINUTE_MS } from '../domain/time/durations.ts';
import type { AccountDay } from './account-view.ts';

const MET_AWAKE = 1.2;

type Effort = 'still' | 'light' | 'moderate' | 'vigorous';

/** Minutes out of bed, so far. */
export function countEffort({ lived, untilMs }: AccountDay): Record<Effort, number> {
  const gaps = listWatchGaps(lived);
  const minutes = { still: 0, light: 0, moderate: 0, vigorous: 0 };
  for (let index = 0; index < lived.activeKcal.length; index++) {
    const ms = lived.fromMs + index * MINUTE_MS;
    if (ms >= untilMs) break;
    if (isDuring(gaps, ms) || isDuring(lived.beds, ms)) continue;
    minutes[effortOf(MET_AWAKE + ((lived.activeKcal[index] ?? 0) * 60) / lived.person.weightKg)] += 1;
  }
  return minutes;
}

function effortOf(met: number): Effort {
  if (met < 1.5) return 'still';
  if (met < 3) return 'light';
  return met < 6 ? 'moderate' : 'vigorous';
}
