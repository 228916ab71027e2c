// What a person with a sensor eats: three meals a day, which raise glucose and are entered in the app.
import { createDraw, momentAt } from '../../domain/sandbox/index.ts';
import { MINUTE_MS } from '../../domain/time/durations.ts';
import type { AccountDay, AccountView } from '../account-view.ts';

type Meal = { readonly ms: number; readonly carbsGrams: number };

const MEAL_MINUTES = [7 * 60 + 30, 12 * 60 + 45, 19 * 60];
const PEAK_AFTER_MS = 45 * MINUTE_MS;
const PEAK_WIDTH_MS = 40 * MINUTE_MS;
const MG_DL_PER_GRAM = 1.4;

export function listMeals({ account }: AccountView, { date }: AccountDay): Meal[] {
  const draw = createDraw(account.seed, 'meals', date);
  return MEAL_MINUTES.map((minute) => ({
    ms: momentAt(account.zone, date, minute + Math.round(draw.between(-20, 40))),
    carbsGrams: Math.round(draw.between(25, 80)),
  }));
}

/** How much a meal raises glucose at a time, in mg/dL. */
export function riseAt({ ms, carbsGrams }: Meal, at: number): number {
  const distance = (at - ms - PEAK_AFTER_MS) / PEAK_WIDTH_MS;
  return carbsGrams * MG_DL_PER_GRAM * Math.exp(-0.5 * distance ** 2);
}
