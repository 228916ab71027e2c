// All inputs of one day's six scores. Canonical values only, so the scores change when a canonical value does. Names in
// backquotes are metrics of the catalog; of several, the first that the day has.
import type { HrvKind } from '../records/records.ts';
import type { HeartHistogram } from '../workouts/heart-histogram.ts';
import type { HeartRateRange } from '../workouts/heart-rate-range.ts';
import type { Sex } from './by-sex.ts';
import type { WorkoutEffort } from './strain-load.ts';

/**
 * The day's value and those of the days before, latest first: `before[0]` is the day before. Null: no value that day.
 */
export type Tracked = {
  readonly value: number | null;
  /** Of the same series as the value. */
  readonly before: readonly (number | null)[];
  /** For heart rate variability. */
  readonly hrvKind?: HrvKind;
};

export type ScoreInputs = {
  /** Whole years on the day: `ageYearsOn` of the profile's birth_date. */
  readonly ageYears: number | null;
  /** From the profile. */
  readonly sex: Sex | null;
  /** `weight`, the latest of the last 90 days; otherwise the profile's weight_kg. */
  readonly weightKg: number | null;
  /** The profile's sleep_need_minutes. */
  readonly sleepNeedMinutes: number | null;
  /** The profile's energy_goal_ratio. */
  readonly energyGoalRatio: number | null;
  /** `findHeartRateRange` on the day. */
  readonly heartRateRange: HeartRateRange;

  /** Minutes asleep of all sessions of the date, naps included; otherwise `asleep`. Needs six days before. */
  readonly asleep: Tracked;
  /** Minutes asleep of the main sleep; otherwise `asleep`. */
  readonly mainAsleepMinutes: number | null;
  /** Of the main sleep; otherwise `time_in_bed`. */
  readonly inBedMinutes: number | null;
  /** Of the main sleep; otherwise `time_awake`. */
  readonly awakeMinutes: number | null;
  /** Of the main sleep; otherwise `deep_sleep`. */
  readonly deepMinutes: number | null;
  /** Of the main sleep; otherwise `REM`. */
  readonly remMinutes: number | null;
  /**
   * Middle of the main sleep, minutes after local midnight of the date (may be negative). Needs thirteen days before.
   */
  readonly midSleepMinutes: Tracked;

  /**
   * ms: `sleep_heart_rate_variability`, `heart_rate_variability_rmssd`, `heart_rate_variability` (SDNN). Before: only
   * of the night's device and kind, because others cannot be compared; for a night without a value, of the latest
   * device and kind with three of the last seven nights. 60 days, as for all fields below unless they say otherwise.
   */
  readonly nightHrv: Tracked;
  /** bpm: `resting_heart_rate`, `sleep_heart_rate_min`. */
  readonly restingHeartRate: Tracked;
  /** Breaths per minute: `sleep_respiratory_rate`, `respiratory_rate`. */
  readonly respiratoryRate: Tracked;
  /** °C: `sleep_temperature_deviation`. */
  readonly temperatureDeviationC: number | null;
  /** °C, used without a deviation: `sleep_skin_temperature`, `sleep_wrist_temperature`, `sleep_body_temperature`. */
  readonly nightTemperature: Tracked;

  /** Canonical workouts only, so that none counts twice. */
  readonly workouts: readonly WorkoutEffort[];
  /** `heart_rate` samples outside workouts and sleep; null if they do not cover the day. */
  readonly dailyHeartRate: HeartHistogram | null;
  /** `steps` minus those of workouts. Used only without `dailyHeartRate`. */
  readonly otherSteps: number | null;
  /** `strain_score` of the days before, latest first. */
  readonly strainBefore: readonly (number | null)[];

  /** bpm: `averageWindows` of the day's still windows. 28 days. */
  readonly wakingHeartRate: Tracked;
  /** ms, RMSSD: `averageWindows` of the same windows. 28 days. */
  readonly wakingHrv: Tracked;
  /**
   * `shareOfHighStress` of the day's `stress_score` samples: a device's if there are any, else those of still windows.
   */
  readonly highStressPct: number | null;

  /** kcal: `dietary_energy`. */
  readonly eatenKcal: number | null;
  /** kcal: `total_calories`. */
  readonly spentKcal: number | null;
  /** kcal per day: `basal_metabolic_rate`. */
  readonly basalKcal: number | null;
  /** g: `protein`, `carbohydrates`, `fat`, `saturated_fat`, `fiber`, `sugar`. */
  readonly proteinG: number | null;
  readonly carbohydratesG: number | null;
  readonly fatG: number | null;
  readonly saturatedFatG: number | null;
  readonly fiberG: number | null;
  readonly sugarG: number | null;
  /** mg: `sodium`. */
  readonly sodiumMg: number | null;
  /** mL: `water`. */
  readonly waterMl: number | null;

  /** `energy_reserve_score`, the last of the day before. */
  readonly yesterdayReserve: number | null;
  /** From the end of the main sleep to now, or to the end of the day once it has passed. */
  readonly hoursAwake: number | null;
  /** `nap_duration`, of naps after the main sleep. */
  readonly napHours: number | null;
};
