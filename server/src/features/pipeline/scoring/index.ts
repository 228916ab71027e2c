// Scoring: computes the scores of each day from canonical data. `reads/scores` serves them.
export { readAssembledDay, readMetricHistory } from './assemble-day.ts';
export { readDueScoring } from './backlog-store.ts';
export { readScoresOfUsers } from './directory-store.ts';
export { previewScores, type ScoreChange } from './preview-scores.ts';
export { queueEveryDay, queueScoring } from './queue-scoring.ts';
export { scoreQueuedDays } from './score-days.ts';
export { startScorer } from './start-scorer.ts';
export {
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
