// Scoring: computes the scores of each day from canonical data. `reads/scores` serves them.
export { readAssembledDay, readMetricHistory } from './assemble-day.ts';
export { readScoresOfUsers } from './directory-store.ts';
export { packScoresJob } from './jobs.ts';
export { previewScores, type ScoreChange } from './preview-scores.ts';
export { queueEveryDay, queueScoring } from './queue-scoring.ts';
export { scoreQueuedDays } from './score-days.ts';
export {
  type KeptDay,
  type KeptScore,
  listScoredDates,
  type NewestScore,
  readComputedStress,
  readNewestScores,
  readScoredDays,
  readScoreValues,
  type ScoreValues,
} from './score-store.ts';
export { startScorer } from './start-scorer.ts';
export { listHiddenInputs, readDueScoring, removeScoring, saveHiddenInputs } from './store.ts';
