// Meals and drinks of a simulated user on a day, about as much energy as the day needs.
import type { LocalDate } from '../time/calendar.ts';
import { createDraw, type Draw } from './draw.ts';
import type { Person } from './person.ts';

export const NUTRIENTS = [
  'dietary_energy',
  'protein',
  'carbohydrates',
  'fat',
  'saturated_fat',
  'fiber',
  'sugar',
  'sodium',
] as const;
export type Nutrient = (typeof NUTRIENTS)[number];

/** At a local minute of the day; kcal, grams, and milligrams of sodium. */
type Meal = { readonly at: number; readonly nutrients: Readonly<Record<Nutrient, number>> };
type Drink = { readonly at: number; readonly millilitres: number };
export type Food = { readonly meals: readonly Meal[]; readonly drinks: readonly Drink[] };

/** Time of each meal, and its share of the day's energy. */
const MEALS = [
  { at: 7 * 60 + 40, part: 0.24 },
  { at: 12 * 60 + 50, part: 0.32 },
  { at: 16 * 60 + 10, part: 0.1 },
  { at: 19 * 60 + 45, part: 0.34 },
] as const;
const DRINKS = [7 * 60 + 30, 10 * 60, 12 * 60 + 45, 15 * 60 + 20, 18 * 60 + 40, 20 * 60 + 30] as const;
const KCAL_PER_GRAM = { protein: 4, carbohydrates: 4, fat: 9 } as const;

export function planFood(person: Person, date: LocalDate, spentKcal: number, illness: number): Food {
  const draw = createDraw(person.seed, 'food', date);
  const quality = Math.min(1, Math.max(0, draw.near(person.diet, 0.14)));
  const eatenKcal = spentKcal * draw.near(1.02, 0.09) * (1 - 0.3 * illness);
  const thirst = draw.near(1, 0.12) * (1 + 0.2 * illness);
  return {
    meals: MEALS.map(({ at, part }) => ({
      at: Math.round(draw.near(at, 14)),
      nutrients: drawMeal(draw, eatenKcal * draw.near(part, 0.02), quality),
    })),
    drinks: DRINKS.map((at) => ({
      at: Math.round(draw.near(at, 10)),
      millilitres: Math.max(100, Math.round(((250 + 90 * quality) * thirst * draw.near(1, 0.15)) / 10) * 10),
    })),
  };
}

/** The sum of the whole day, in tenths. */
export function sumNutrient({ meals }: Food, name: Nutrient): number {
  return toTenth(meals.reduce((sum, { nutrients }) => sum + nutrients[name], 0));
}

function drawMeal(draw: Draw, kcal: number, quality: number): Record<Nutrient, number> {
  const proteinPart = draw.near(0.14 + 0.05 * quality, 0.015);
  const fatPart = draw.near(0.39 - 0.08 * quality, 0.02);
  const grams = (part: number, kind: keyof typeof KCAL_PER_GRAM) => (kcal * part) / KCAL_PER_GRAM[kind];
  const fat = grams(fatPart, 'fat');
  return {
    dietary_energy: Math.round(kcal),
    protein: toTenth(grams(proteinPart, 'protein')),
    carbohydrates: toTenth(grams(1 - proteinPart - fatPart, 'carbohydrates')),
    fat: toTenth(fat),
    saturated_fat: toTenth(fat * draw.near(0.42 - 0.14 * quality, 0.03)),
    fiber: toTenth((kcal / 1_000) * draw.near(7 + 8 * quality, 1)),
    sugar: toTenth((kcal * draw.near(0.24 - 0.1 * quality, 0.02)) / KCAL_PER_GRAM.carbohydrates),
    sodium: Math.round((kcal / 1_000) * draw.near(1_950 - 650 * quality, 120)),
  };
}

function toTenth(value: number): number {
  return Math.round(value * 10) / 10;
}
