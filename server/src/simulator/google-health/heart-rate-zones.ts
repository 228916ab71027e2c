// The heart-rate zones of an account. Exercises and whole days use the same limits.
import type { Person } from '../../domain/sandbox/index.ts';

export type GoogleZone = 'light' | 'moderate' | 'vigorous' | 'peak';

/** The lower limit of each zone as a fraction of the heart-rate reserve, the highest first. */
const ZONES: readonly (readonly [zone: GoogleZone, from: number])[] = [
  ['peak', 0.85],
  ['vigorous', 0.6],
  ['moderate', 0.4],
];

export function googleZoneOf(bpm: number, { restingBpm, maxBpm }: Person): GoogleZone {
  const share = (bpm - restingBpm) / (maxBpm - restingBpm);
  return ZONES.find(([, from]) => share >= from)?.[0] ?? 'light';
}
