// Estimated glucose values: every five minutes, around a usual level, higher after meals. Some nights have a low, which the sensor
// reports as 39 mg/dL.
import { createDraw } from '../../domain/sandbox/index.ts';
import { MINUTE_MS } from '../../domain/time/durations.ts';
import type { AccountDay, AccountView } from '../account-view.ts';
import { listMeals, riseAt } from './meals.ts';
import { type DexcomRecord, makeRecord } from './record.ts';

const EVERY_MS = 5 * MINUTE_MS;
const USUAL_MG_DL = 96;
const RANGE = { min: 40, max: 400 };
/** Of nights, and of readings in them. */
const LOW = { chance: 0.25, fromMinute: 180, readings: 4 };

/** [from, to), in order of time. */
export function listReadings(view: AccountView, from: number, to: number): DexcomRecord[] {
  const { zone } = view.account;
  return view
    .days(zone.dayAt(from).date, zone.dayAt(to).date)
    .flatMap((day) => listDay(view, day, from, Math.min(to, day.untilMs)));
}

function listDay(view: AccountView, day: AccountDay, from: number, to: number): DexcomRecord[] {
  const meals = listMeals(view, day);
  const draw = createDraw(view.account.seed, 'glucose', day.date);
  const lowFrom = draw.isLucky(LOW.chance) ? day.lived.fromMs + LOW.fromMinute * MINUTE_MS : Number.POSITIVE_INFINITY;
  const records: DexcomRecord[] = [];
  for (let ms = day.lived.fromMs; ms < day.lived.toMs; ms += EVERY_MS) {
    const rise = meals.reduce((sum, meal) => sum + riseAt(meal, ms), 0);
    const measured = Math.round(draw.near(USUAL_MG_DL + rise, 4));
    const isLow = ms >= lowFrom && ms < lowFrom + LOW.readings * EVERY_MS;
    if (ms >= from && ms < to) records.push(writeReading(view, day, ms, isLow ? RANGE.min - 1 : measured));
  }
  return records;
}

function writeReading(view: AccountView, { lived }: AccountDay, ms: number, value: number): DexcomRecord {
  return makeRecord(view, 'egv', ms, {
    transmitterTicks: Math.round((ms - lived.fromMs) / 1_000),
    value: Math.min(RANGE.max + 1, value),
    status: value < RANGE.min ? 'low' : value > RANGE.max ? 'high' : 'ok',
    trend: 'flat',
    trendRate: 0,
    unit: 'mg/dL',
    rateUnit: 'mg/dL/min',
  });
}
