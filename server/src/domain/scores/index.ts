// Six scores with explanations, as pure functions of one day's inputs.

export {
  assembleInputs,
  type CarriedScores,
  type ComputedStress,
  findLatestWeight,
  NOTHING,
  type PersonOnDay,
} from './assemble-inputs.ts';
export type { Sex } from './by-sex.ts';
export { CALIBRATION_DAYS, countCalibrationDays } from './calibration.ts';
export {
  type DayInputs,
  HRV_MEASURES,
  type HrvMeasure,
  isScoredAtOnce,
  joinInputs,
  type NightHrv,
  nameHrvSeries,
  parseHrvSeries,
  SCORED_METRICS,
  type ScoredMetric,
  type SleepInterval,
  type StillQuarter,
} from './day-inputs.ts';
export { type EnergyReserveInputs, scoreEnergyReserve } from './energy-reserve-score.ts';
export { ABSENCE_REASONS, type Absence, type AbsenceReason, findAbsence } from './find-absence.ts';
export { LOOK_BACK_DAYS, SCORE_LOOK_BACK_DAYS, WEIGHT_DAYS } from './look-back.ts';
export { describeMainSleep, listNaps } from './main-sleep.ts';
export { type NutritionInputs, scoreNutrition } from './nutrition-score.ts';
export { averageSleepDebt, spreadOfMidSleep } from './recent-nights.ts';
export { scoreRecovery } from './recovery-score.ts';
export {
  ALGORITHM_VERSION,
  DAY_SCORES,
  ENDED_DAYS_ONLY,
  EXPLANATION_DECIMALS,
  type FactorReading,
  isOldEnough,
  SCORE_TYPES,
  type ScoreExplanation,
  type ScoreFactor,
  type ScoreResult,
  type ScoreType,
  type Usual,
} from './score.ts';
export { SCORE_BANDS, type ScoreBand } from './score-bands.ts';
export { type DayScores, scoreDay } from './score-day.ts';
export type { ScoreInputs, Tracked } from './score-inputs.ts';
export { datesOfReaching, listReachedDays, reachesDay, SLEEP_REACH, WORKOUT_REACH } from './session-reach.ts';
export { findSleepNeed } from './sleep-need.ts';
export { scoreSleep } from './sleep-score.ts';
export { type Body, effortOf, type WorkoutEffort } from './strain-load.ts';
export { listDayLoads, scoreStrain, strainOfWorkout } from './strain-score.ts';
export { scoreStress } from './stress-score.ts';
export { STILL_WINDOW } from './stress-windows.ts';
export {
  type ByQuarter,
  describeHeart,
  listStillQuarters,
  type QuarterSamples,
  type WakingDay,
} from './waking-day.ts';
