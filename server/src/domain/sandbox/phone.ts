// The phone's records of a day: steps while it was carried, logged food and drinks, and an occasional weight.

import type { MetricId } from '../metrics/index.ts';
import { MINUTE_MS } from '../time/durations.ts';
import { createDraw } from './draw.ts';
import { NUTRIENTS, type Nutrient, sumNutrient } from './food.ts';
import type { LivedDay } from './lived-day.ts';
import { weekdayOf } from './outings.ts';
import type { DeviceRecordCollector } from './record-collector.ts';
import { seeWorkoutsWithPhone } from './seen-workout.ts';
import { QUARTER_MS } from './still-quarters.ts';
import { momentAt } from './wall-time.ts';
import { strideKm } from './watch.ts';

const UNITS: Readonly<Record<Nutrient, string>> = {
  dietary_energy: 'kcal',
  protein: 'g',
  carbohydrates: 'g',
  fat: 'g',
  saturated_fat: 'g',
  fiber: 'g',
  sugar: 'g',
  sodium: 'mg',
};
const WEIGHING_DAYS = [1, 4];
const WEIGHING_AT = 7 * 60 + 5;

export function recordPhone(collector: DeviceRecordCollector, day: LivedDay): void {
  recordSteps(collector, day);
  recordFood(collector, day);
  const kg = weighOn(day);
  if (kg !== null) logAt(collector, day, WEIGHING_AT, 'weight', kg, 'kg');
  for (const workout of seeWorkoutsWithPhone(day)) collector.addWorkout(workout);
}

/** Null if the user did not use the scale that day. */
export function weighOn({ person, date }: LivedDay): number | null {
  if (!WEIGHING_DAYS.includes(weekdayOf(date))) return null;
  return Math.round(createDraw(person.seed, 'weight', date).near(person.weightKg, 0.35) * 100) / 100;
}

/** Steps within a quarter hour are one record, as long as they lasted. */
function recordSteps(collector: DeviceRecordCollector, day: LivedDay): void {
  const stepped = collector.series('steps', 'count');
  const distance = collector.series('distance', 'km');
  const floors = collector.series('floors_climbed', 'count');
  const stride = strideKm(day.person);
  for (let first = 0; first < day.phoneSteps.length; first += QUARTER_MS / MINUTE_MS) {
    const part = day.phoneSteps.subarray(first, first + QUARTER_MS / MINUTE_MS);
    const begin = part.findIndex((count) => count > 0);
    if (begin < 0) continue;
    const last = part.findLastIndex((count) => count > 0);
    const start = day.fromMs + (first + begin) * MINUTE_MS;
    const end = day.fromMs + (first + last + 1) * MINUTE_MS;
    const steps = part.reduce((sum, count) => sum + count, 0);
    stepped(start, end, steps, day.offsetAt(start));
    distance(start, end, Math.round(steps * stride * 970) / 1_000, day.offsetAt(start));
  }
  for (const climb of day.climbs)
    if (climb.isPhoneCarried) floors(climb.at, climb.at + MINUTE_MS, climb.floors, day.offsetAt(climb.at));
}

/** Energy and drinks as logged; for other nutrients the diary reports the daily sum. */
function recordFood(collector: DeviceRecordCollector, day: LivedDay): void {
  for (const { at, nutrients } of day.food.meals)
    logAt(collector, day, at, 'dietary_energy', nutrients.dietary_energy, UNITS.dietary_energy);
  for (const { at, millilitres } of day.food.drinks) logAt(collector, day, at, 'water', millilitres, 'mL');
  for (const name of NUTRIENTS) {
    if (name === 'dietary_energy') continue;
    const metric = name as string as MetricId;
    const value = sumNutrient(day.food, name);
    collector.addDaily({ date: day.date, metric, value, unit: UNITS[name], method: 'manual' });
  }
}

function logAt(
  collector: DeviceRecordCollector,
  day: LivedDay,
  wallMinutes: number,
  metric: string,
  value: number,
  unit: string,
): void {
  const start = momentAt(day.zone, day.date, wallMinutes);
  if (start < day.fromMs || start >= day.toMs) return;
  collector.series(metric, unit, 'manual')(start, start, value, day.offsetAt(start));
}
