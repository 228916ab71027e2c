// An approximation of WHOOP's strain from 0 to 21. The first hard minutes count most.
import type { Person } from '../../domain/sandbox/index.ts';

const MAX_STRAIN = 21;
/** Fraction of the heart-rate reserve below which there is no strain. */
const EASY = 0.3;
const LOAD_OF_A_HARD_DAY = 90;

export function findStrain({ restingBpm, maxBpm }: Person, bpm: readonly number[], minutesEach: number): number {
  const load = bpm.reduce((sum, beats) => {
    const part = Math.min(1, (beats - restingBpm) / (maxBpm - restingBpm));
    return part < EASY ? sum : sum + minutesEach * part * 0.64 * Math.exp(1.92 * part); // Banister
  }, 0);
  return Math.round(MAX_STRAIN * (1 - Math.exp(-load / LOAD_OF_A_HARD_DAY)) * 10_000) / 10_000;
}
