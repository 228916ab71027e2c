// Food and drinks, entered manually.

import { createDraw, momentAt } from '../../domain/sandbox/index.ts';
import { MINUTE_MS } from '../../domain/time/durations.ts';
import type { AccountDay, AccountView } from '../account-view.ts';
import type { DataPoint } from './data-point.ts';

const MEALS = [
  ['BREAKFAST', 7, 420],
  ['LUNCH', 12, 680],
  ['DINNER', 19, 790],
] as const;
const MEAL_MS = 20 * MINUTE_MS;
const DRINK_HOURS = [8, 11, 14, 17, 20];
const DRINK_ML = 330;

/** Grams per 1,000 kcal. */
const NUTRIENTS: Readonly<Record<string, number>> = {
  PROTEIN: 42,
  SUGAR: 38,
  DIETARY_FIBER: 13,
  SATURATED_FAT: 11,
  MONOUNSATURATED_FAT: 14,
  POLYUNSATURATED_FAT: 8,
  TRANS_FAT: 0.4,
  CHOLESTEROL: 0.13,
  SODIUM: 1.4,
  POTASSIUM: 1.5,
  CALCIUM: 0.45,
  IRON: 0.006,
  MAGNESIUM: 0.16,
  PHOSPHORUS: 0.6,
  ZINC: 0.005,
  VITAMIN_A: 0.0004,
  VITAMIN_B6: 0.0009,
  VITAMIN_B12: 0.000_002,
  VITAMIN_C: 0.045,
  VITAMIN_D: 0.000_003,
  VITAMIN_E: 0.005,
  FOLATE: 0.000_15,
  CAFFEINE: 0.08,
};

export function listMeals({ account }: AccountView, { date, untilMs }: AccountDay): DataPoint[] {
  const draw = createDraw(account.seed, 'meals', date);
  return MEALS.map(([mealType, hour, usualKcal]): DataPoint => {
    const startMs = momentAt(account.zone, date, hour * 60 + Math.round(draw.between(0, 60)));
    const kcal = Math.round(draw.near(usualKcal, usualKcal / 10));
    const fields = { foodDisplayName: mealType.toLowerCase(), mealType, ...writeContents(kcal) };
    return { startMs, endMs: startMs + MEAL_MS, date, key: `meal-${date}-${mealType}`, method: 'MANUAL', fields };
  }).filter(({ endMs }) => endMs < untilMs);
}

function writeContents(kcal: number) {
  const grams = (in1000: number) => Number(((in1000 * kcal) / 1_000).toPrecision(3));
  return {
    energy: { kcal },
    totalCarbohydrate: { grams: grams(120) },
    totalFat: { grams: grams(36) },
    nutrients: Object.entries(NUTRIENTS).map(([nutrient, in1000]) => ({
      nutrient,
      quantity: { grams: grams(in1000) },
    })),
  };
}

export function listDrinks({ account }: AccountView, { date, untilMs }: AccountDay): DataPoint[] {
  return DRINK_HOURS.map((hour): DataPoint => {
    const ms = momentAt(account.zone, date, hour * 60);
    const fields = { amountConsumed: { milliliters: DRINK_ML, userProvidedUnit: 'MILLILITER' } };
    return { startMs: ms, endMs: ms, date, key: `drink-${date}-${hour}`, method: 'MANUAL', fields };
  }).filter(({ endMs }) => endMs < untilMs);
}

/** Days without a meal are omitted. */
export function rollUpMeals(day: AccountDay, view: AccountView): Readonly<Record<string, unknown>> | null {
  const kcalSum = listMeals(view, day).reduce((sum, { fields }) => sum + readKcal(fields), 0);
  if (kcalSum === 0) return null;
  const { totalCarbohydrate, totalFat, nutrients } = writeContents(kcalSum);
  return {
    energy: { kcalSum },
    totalCarbohydrate: { gramsSum: totalCarbohydrate.grams },
    totalFat: { gramsSum: totalFat.grams },
    nutrients: nutrients.map(({ nutrient, quantity }) => ({ nutrient, quantity: { gramsSum: quantity.grams } })),
  };
}

function readKcal(fields: DataPoint['fields']): number {
  return (fields.energy as { kcal: number }).kcal;
}

export function rollUpDrinks(day: AccountDay, view: AccountView): Readonly<Record<string, unknown>> | null {
  const count = listDrinks(view, day).length;
  return count === 0 ? null : { amountConsumed: { millilitersSum: count * DRINK_ML } };
}
