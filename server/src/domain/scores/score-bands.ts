// Labels for ranges of a score. A band begins at `from` and ends where the next begins.
import type { ScoreType } from './score.ts';

export type ScoreBand = { readonly from: number; readonly name: string };

export const SCORE_BANDS: Readonly<Partial<Record<ScoreType, readonly ScoreBand[]>>> = {
  recovery_score: [
    { from: 0, name: 'low' },
    { from: 34, name: 'moderate' },
    { from: 67, name: 'high' },
  ],
  strain_score: [
    { from: 0, name: 'light' },
    { from: 43, name: 'moderate' },
    { from: 67, name: 'high' },
    { from: 86, name: 'all-out' },
  ],
  sleep_score: [
    { from: 0, name: 'poor' },
    { from: 55, name: 'fair' },
    { from: 70, name: 'good' },
    { from: 85, name: 'optimal' },
  ],
  stress_score: [
    { from: 0, name: 'rest' },
    { from: 26, name: 'low' },
    { from: 51, name: 'medium' },
    { from: 76, name: 'high' },
  ],
};
