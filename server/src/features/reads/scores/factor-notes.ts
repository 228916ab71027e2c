// The description and the unit of each factor's input. Pure.
import { CHARGE_RULE, DRAIN_RULES } from '../../../domain/scores/energy-reserve-score.ts';
import type { ScoreType } from '../../../domain/scores/index.ts';
import { NUTRITION_RULE } from '../../../domain/scores/nutrition-score.ts';
import { RECOVERY_RULE } from '../../../domain/scores/recovery-score.ts';
import { SLEEP_RULE } from '../../../domain/scores/sleep-score.ts';
import { DAILY_FROM, HIGH_FROM, MODERATE_FROM } from '../../../domain/scores/strain-load.ts';
import { STRESS_RULE } from '../../../domain/scores/stress-score.ts';

type FactorNote = {
  /** Describes the input of the curve. */
  readonly about: string;
  /** The unit of the input. Null: the input has no unit. */
  readonly unit: string | null;
};

export function findFactorNote(type: ScoreType, factor: string): FactorNote {
  return { about: ABOUT[type][factor]?.input ?? '', unit: UNITS[type][factor] ?? null };
}

type Described = Readonly<Record<string, { readonly input: string }>>;

const percent = (part: number) => `${Math.round(part * 100)} %`;

/** The texts of the rules, except those that refer to tables of the documentation. */
const ABOUT: Readonly<Record<ScoreType, Described>> = {
  recovery_score: RECOVERY_RULE.factors,
  strain_score: {
    high_intensity: { input: `workout load at or above ${percent(HIGH_FROM)} of the heart-rate reserve` },
    moderate_intensity: {
      input: `workout load from ${percent(MODERATE_FROM)} to ${percent(HIGH_FROM)} of the heart-rate reserve, and of workouts without heart rate`,
    },
    low_intensity: { input: `workout load below ${percent(MODERATE_FROM)} of the heart-rate reserve` },
    daily_activity: {
      input: `load outside workouts, at or above ${percent(DAILY_FROM)} of the heart-rate reserve, or from steps`,
    },
  },
  sleep_score: { ...SLEEP_RULE.factors, duration: { input: 'minutes asleep, naps included' } },
  stress_score: STRESS_RULE.factors,
  nutrition_score: {
    ...NUTRITION_RULE.factors,
    protein: { input: 'grams of protein per kg of body weight; without a weight, percent of energy' },
    macro_balance: { input: 'sum of percentage points of energy outside the recommended ranges' },
    hydration: { input: 'drinks as a fraction of the recommended amount' },
  },
  energy_reserve_score: { ...CHARGE_RULE.factors, ...DRAIN_RULES },
};

/** Load and ratios have no unit. */
const UNITS: Readonly<Record<ScoreType, Readonly<Record<string, string>>>> = {
  recovery_score: {
    heart_rate_variability: 'ms',
    hrv_trend: 'ms',
    resting_heart_rate: 'bpm',
    sleep: 'score',
    respiratory_rate: 'breaths/min',
    skin_temperature: '°C',
    previous_day_strain: 'score',
  },
  strain_score: {},
  sleep_score: {
    duration: 'min',
    efficiency: '%',
    continuity: 'min',
    deep_sleep: 'min',
    rem_sleep: 'min',
    regularity: 'min',
  },
  stress_score: {
    waking_heart_rate: 'bpm',
    waking_hrv: 'ms',
    high_stress_time: '%',
    night_hrv: 'ms',
    resting_heart_rate: 'bpm',
    respiratory_rate: 'breaths/min',
    sleep_debt: 'min',
  },
  nutrition_score: {
    protein: 'g',
    fiber: 'g',
    sugar: 'g',
    saturated_fat: 'g',
    sodium: 'mg',
    macro_balance: '%',
    hydration: 'mL',
  },
  energy_reserve_score: {
    sleep: 'score',
    recovery: 'score',
    carry_over: 'score',
    strain: 'score',
    stress: 'score',
    time_awake: 'h',
  },
};
