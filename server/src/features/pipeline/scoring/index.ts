// Scoring: from canonical data to the scores of each day. `features/scores` shows them.
export { readAssembledDay, readMetricHistory } from './assemble-day.ts';
export { markEveryDay, markForScoring } from './mark-for-scoring.ts';
export { ENDED_DAYS_ONLY, scoreMarkedDays } from './score-days.ts';
export { listReachedDays } from './session-reach.ts';
export { startScorer } from './start-scorer.ts';
export {
  type KeptDay,
  type KeptScore,
  type NewestScore,
  readComputedStress,
  readNewestScores,
  readScoredDays,
  readScoreValues,
  removeScoring,
  type ScoreValues,
  saveHiddenInputs,
} from './store.ts';
