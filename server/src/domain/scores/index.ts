// Six scores with explanations, as pure functions of one day's inputs.

export {
  type AssembledDay,
  assembleInputs,
  type CarriedScores,
  type ComputedStress,
  LOOK_BACK_DAYS,
  NOTHING,
  type PersonOnDay,
  type ScoredHistory,
} from './assemble-inputs.ts';
export type { Sex } from './by-sex.ts';
export { isCalibrating } from './calibration.ts';
export {
  type DayInputs,
  HRV_MEASURES,
  type HrvMeasure,
  joinInputs,
  type MainSleep,
  type NightHrv,
  nameHrvSeries,
  SCORED_METRICS,
  type ScoredMetric,
  type SleepInterval,
  type StillQuarter,
} from './day-inputs.ts';
export { type EnergyReserveInputs, scoreEnergyReserve } from './energy-reserve-score.ts';
export { ABSENCE_REASONS, type Absence, type AbsenceReason, findAbsence } from './find-absence.ts';
export { describeMainSleep, listNaps } from './main-sleep.ts';
export { type NutritionInputs, scoreNutrition } from './nutrition-score.ts';
export type { Measured } from './placed-input.ts';
export { averageSleepDebt, averageWeekHrv, type Nights, spreadOfMidSleep } from './recent-nights.ts';
export { type RecoveryInputs, scoreRecovery } from './recovery-score.ts';
export {
  ALGORITHM_VERSION,
  type Direction,
  type FactorReading,
  isOldEnough,
  type Lack,
  type MissingFactor,
  SCORE_TYPES,
  type ScoreExplanation,
  type ScoreFactor,
  type ScoreResult,
  type ScoreType,
  type Usual,
} from './score.ts';
export { type Band, SCORE_BANDS } from './score-bands.ts';
export { type DayScores, scoreDay } from './score-day.ts';
export type { ScoreInputs, Tracked } from './score-inputs.ts';
export { findSleepNeed, type SleepNeed } from './sleep-need.ts';
export { type SleepInputs, scoreSleep } from './sleep-score.ts';
export type { Body, LoadBasis, WorkoutEffort } from './strain-load.ts';
export { listDayLoads, type StrainInputs, scoreStrain, strainOfWorkout } from './strain-score.ts';
export { type StressInputs, scoreStress } from './stress-score.ts';
export {
  averageWindows,
  HIGH_STRESS_FROM,
  STILL_WINDOW,
  shareOfHighStress,
  stressOfWindow,
  type UsualWaking,
  type WakingMeans,
  type WakingWindow,
} from './stress-windows.ts';
export {
  type ByQuarter,
  describeHeart,
  type Interval,
  listStillQuarters,
  type QuarterSamples,
  type WakingDay,
} from './waking-day.ts';
export { effortOf } from './workout-effort.ts';
