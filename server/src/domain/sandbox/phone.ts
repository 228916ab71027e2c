// What the phone tells of a day: the steps it was there for, food and drinks as they were logged, the scale now and then.
import { createDraw } from './draw.ts';
import { NUTRIENTS, type Nutrient } from './food.ts';
import type { LivedDay } from './lived-day.ts';
import { weekdayOf } from './outings.ts';
import { QUARTER_MS } from './quiet-quarters.ts';
import type { RecordBook } from './record-book.ts';
import { seeWorkoutsWithPhone } from './seen-workout.ts';
import { MINUTE_MS, momentAt } from './wall-time.ts';

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

export function recordPhone(book: RecordBook, day: LivedDay): void {
  recordSteps(book, day);
  recordFood(book, day);
  const kg = weighOn(day);
  if (kg !== null) logAt(book, day, WEIGHING_AT, 'weight', kg, 'kg');
  for (const workout of seeWorkoutsWithPhone(day)) book.addWorkout(workout);
}

/** Null: not on the scale that day. */
export function weighOn({ person, date }: LivedDay): number | null {
  if (!WEIGHING_DAYS.includes(weekdayOf(date))) return null;
  return Math.round(createDraw(person.seed, 'weight', date).near(person.weightKg, 0.35) * 100) / 100;
}

/** A stretch of steps within a quarter hour is one record, as long as it lasted. */
function recordSteps(book: RecordBook, day: LivedDay): void {
  const stride = (0.415 * day.person.heightCm) / 100_000;
  for (let first = 0; first < day.phoneSteps.length; first += QUARTER_MS / MINUTE_MS) {
    const part = day.phoneSteps.subarray(first, first + QUARTER_MS / MINUTE_MS);
    const begin = part.findIndex((count) => count > 0);
    if (begin < 0) continue;
    const last = part.findLastIndex((count) => count > 0);
    const start = day.fromMs + (first + begin) * MINUTE_MS;
    const end = day.fromMs + (first + last + 1) * MINUTE_MS;
    const steps = part.reduce((sum, count) => sum + count, 0);
    const offsetMinutes = day.offsetAt(start);
    book.add('steps', { start, end, value: steps, unit: 'count', offsetMinutes });
    book.add('distance', { start, end, value: Math.round(steps * stride * 970) / 1_000, unit: 'km', offsetMinutes });
  }
  for (const { at, floors, isPhoneCarried } of day.climbs) {
    if (!isPhoneCarried) continue;
    const offsetMinutes = day.offsetAt(at);
    book.add('floors_climbed', { start: at, end: at + MINUTE_MS, value: floors, unit: 'count', offsetMinutes });
  }
}

function recordFood(book: RecordBook, day: LivedDay): void {
  for (const { at, nutrients } of day.food.meals)
    for (const name of NUTRIENTS) logAt(book, day, at, name, nutrients[name], UNITS[name]);
  for (const { at, millilitres } of day.food.drinks) logAt(book, day, at, 'water', millilitres, 'mL');
}

function logAt(
  book: RecordBook,
  day: LivedDay,
  wallMinutes: number,
  metric: string,
  value: number,
  unit: string,
): void {
  const start = momentAt(day.zone, day.date, wallMinutes);
  if (start < day.fromMs || start >= day.toMs) return;
  const offsetMinutes = day.offsetAt(start);
  book.add(metric, { start, value, unit, offsetMinutes, method: 'manual' });
}
