// How hard a stretch of time was, from 0 to 21: WHOOP's opinion, and near it in kind. The first hard minutes count most.
import type { Person } from '../../domain/sandbox/index.ts';

const MAX_STRAIN = 21;
/** Part of the heart's reserve below which nothing is strained. */
const EASY = 0.3;
const LOAD_OF_A_HARD_DAY = 90;

export function findStrain({ restingBpm, maxBpm }: Person, bpm: readonly number[], minutesEach: number): number {
  const load = bpm.reduce((sum, beats) => {
    const part = Math.min(1, (beats - restingBpm) / (maxBpm - restingBpm));
    return part < EASY ? sum : sum + minutesEach * part * 0.64 * Math.exp(1.92 * part); // Banister
  }, 0);
  return Math.round(MAX_STRAIN * (1 - Math.exp(-load / LOAD_OF_A_HARD_DAY)) * 10_000) / 10_000;
}
