// How close a logged day comes to reference intakes. 50: every limit just met.
import { type BySex, pickBySex, type Sex } from './by-sex.ts';
import type { Curve } from './curve.ts';
import { type PlacedInput, placeValue } from './placed-input.ts';
import type { Lack, ScoreResult } from './score.ts';
import { type BudgetRule, scoreBudget } from './signed-budget.ts';

export type NutritionInputs = {
  readonly sex: Sex | null;
  readonly weightKg: number | null;
  readonly energyGoalRatio: number | null;
  readonly eatenKcal: number | null;
  readonly spentKcal: number | null;
  readonly basalKcal: number | null;
  readonly proteinG: number | null;
  readonly carbohydratesG: number | null;
  readonly fatG: number | null;
  readonly saturatedFatG: number | null;
  readonly fiberG: number | null;
  readonly sugarG: number | null;
  readonly sodiumMg: number | null;
  readonly waterMl: number | null;
};

type NutritionFactor =
  | 'energy_balance'
  | 'protein'
  | 'fiber'
  | 'sugar'
  | 'saturated_fat'
  | 'sodium'
  | 'macro_balance'
  | 'hydration';

/** Used without a known weight: percent of energy. */
export const PROTEIN_SHARE_CURVE: Curve = [
  [5, -1],
  [10, 0],
  [20, 1],
];

export const NUTRITION_RULE: BudgetRule<NutritionFactor> = {
  type: 'nutrition_score',
  neutral: 50,
  needsOneOf: ['energy_balance', 'protein', 'fiber', 'sugar', 'saturated_fat', 'sodium', 'macro_balance', 'hydration'],
  factors: {
    energy_balance: {
      up: 15,
      down: 20,
      input: 'distance of the ratio of energy eaten to energy spent from the goal ratio (1 unless set)',
      curve: [
        [0.1, 1],
        [0.2, 0],
        [0.5, -1],
      ],
    },
    protein: {
      up: 20,
      down: 15,
      input: 'grams of protein per kg of body weight (without a weight, see below)',
      curve: [
        [0.4, -1],
        [0.8, 0],
        [1.2, 0.7],
        [1.6, 1],
      ],
    },
    fiber: {
      up: 15,
      down: 15,
      input: 'grams of fibre per 1,000 kcal',
      curve: [
        [4, -1],
        [9, 0],
        [14, 1],
      ],
    },
    sugar: {
      up: 10,
      down: 15,
      input: 'total sugar, percent of energy',
      curve: [
        [10, 1],
        [18, 0.3],
        [25, 0],
        [40, -1],
      ],
    },
    saturated_fat: {
      up: 10,
      down: 10,
      input: 'saturated fat, percent of energy',
      curve: [
        [8, 1],
        [12, 0],
        [16, -1],
      ],
    },
    sodium: {
      up: 10,
      down: 10,
      input: 'grams of sodium per 1,000 kcal',
      curve: [
        [1.1, 1],
        [1.55, 0],
        [2, -1],
      ],
    },
    macro_balance: {
      up: 10,
      down: 10,
      input: 'sum of percentage points of energy outside the ranges below',
      curve: [
        [0, 1],
        [10, 0],
        [30, -1],
      ],
    },
    hydration: {
      up: 10,
      down: 5,
      input: 'drinks as a fraction of the target below',
      curve: [
        [0.3, -1],
        [0.7, 0],
        [1, 1],
      ],
    },
  },
};

/** Percent of energy (acceptable macronutrient distribution ranges). */
export const MACRO_RANGES = {
  carbohydrates: { min: 45, max: 65 },
  fat: { min: 20, max: 35 },
  protein: { min: 10, max: 35 },
} as const;

/** EFSA's adequate intakes of water, 2.0 and 2.5 L, minus the fifth that comes from food. */
export const WATER_TARGETS_ML: BySex<number> = { female: 1_600, male: 2_000, middle: 1_800 };

const KCAL_PER_G = { carbohydrates: 4, protein: 4, fat: 9 } as const;

/** A smaller log does not cover a whole day: the first in kcal, the second as a fraction of the basal rate. */
export const MIN_EATEN_KCAL = 500;
export const MIN_PART_OF_BASAL = 0.5;

/** Null also for a log that cannot cover a whole day. */
export function scoreNutrition(inputs: NutritionInputs): ScoreResult | null {
  const { eatenKcal, basalKcal } = inputs;
  if (eatenKcal === null || eatenKcal < MIN_EATEN_KCAL) return null;
  if (basalKcal !== null && eatenKcal < MIN_PART_OF_BASAL * basalKcal) return null;
  const perThousandKcal = (amount: number | null) => scale(amount, 1_000 / eatenKcal);
  const shareOf = (grams: number | null, kcalPerG: number) => scale(grams, (100 * kcalPerG) / eatenKcal);
  return scoreBudget(NUTRITION_RULE, {
    energy_balance: placeValue(findImbalance(eatenKcal, inputs)),
    protein: placeProtein(inputs, shareOf(inputs.proteinG, KCAL_PER_G.protein)),
    fiber: placeValue(inputs.fiberG, perThousandKcal(inputs.fiberG)),
    sugar: placeValue(inputs.sugarG, shareOf(inputs.sugarG, KCAL_PER_G.carbohydrates)),
    saturated_fat: placeValue(inputs.saturatedFatG, shareOf(inputs.saturatedFatG, KCAL_PER_G.fat)),
    sodium: placeValue(inputs.sodiumMg, perThousandKcal(scale(inputs.sodiumMg, 1 / 1_000))),
    macro_balance: placeValue(findPointsOutside(inputs, shareOf)),
    hydration: placeValue(inputs.waterMl, scale(inputs.waterMl, 1 / pickBySex(WATER_TARGETS_ML, inputs.sex))),
  });
}

function findImbalance(eatenKcal: number, { spentKcal, energyGoalRatio }: NutritionInputs): number | null {
  return spentKcal === null || spentKcal <= 0 ? null : Math.abs(eatenKcal / spentKcal - (energyGoalRatio ?? 1));
}

function placeProtein({ proteinG, weightKg }: NutritionInputs, sharePct: number | null): PlacedInput | Lack {
  return weightKg !== null && weightKg > 0
    ? placeValue(proteinG, scale(proteinG, 1 / weightKg))
    : placeValue(proteinG, sharePct, PROTEIN_SHARE_CURVE);
}

function findPointsOutside(
  { carbohydratesG, fatG, proteinG }: NutritionInputs,
  shareOf: (grams: number | null, kcalPerG: number) => number | null,
): number | null {
  const carbohydrates = outside(shareOf(carbohydratesG, KCAL_PER_G.carbohydrates), MACRO_RANGES.carbohydrates);
  const fat = outside(shareOf(fatG, KCAL_PER_G.fat), MACRO_RANGES.fat);
  const protein = outside(shareOf(proteinG, KCAL_PER_G.protein), MACRO_RANGES.protein);
  return carbohydrates === null || fat === null || protein === null ? null : carbohydrates + fat + protein;
}

function outside(pct: number | null, { min, max }: { min: number; max: number }): number | null {
  return pct === null ? null : Math.max(0, min - pct, pct - max);
}

function scale(amount: number | null, by: number): number | null {
  return amount === null ? null : amount * by;
}
