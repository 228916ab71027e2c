// Measurements at home and manual entries.

import { momentAt } from '../../domain/sandbox/index.ts';
import { addDays } from '../../domain/time/calendar.ts';
import type { AccountDay, AccountView } from '../account-view.ts';
import { findTemperature, findWeighing, measureSometimes } from '../home-measurements.ts';
import type { DataPoint } from './data-point.ts';

export function listWeight(view: AccountView, day: AccountDay): DataPoint[] {
  const weighing = findWeighing(view, day);
  if (weighing === null) return [];
  return [atMoment(day, weighing.ms, { weightGrams: Math.round(weighing.weightKg * 1_000) })];
}

export function listBodyFat(view: AccountView, day: AccountDay): DataPoint[] {
  const weighing = findWeighing(view, day);
  return weighing === null ? [] : [atMoment(day, weighing.ms, { percentage: weighing.fatPercent })];
}

export function listTemperature(view: AccountView, day: AccountDay): DataPoint[] {
  const reading = findTemperature(view, day);
  if (reading === null) return [];
  return [atMoment(day, reading.ms, { temperatureCelsius: reading.bodyC, measurementLocation: 'EAR' })];
}

export function listGlucose(view: AccountView, day: AccountDay): DataPoint[] {
  const reading = measureSometimes(view, day, { name: 'glucose', chance: 0.3, hour: 9 }, (draw, ms) => {
    const fields = { bloodGlucoseMilligramsPerDeciliter: Math.round(draw.near(94, 6)), specimen: 'CAPILLARY_BLOOD' };
    return atMoment(day, ms, fields);
  });
  return reading === null ? [] : [reading];
}

/** An occasional twelve-minute run test. */
export function listFitnessTests(view: AccountView, day: AccountDay): DataPoint[] {
  const test = measureSometimes(view, day, { name: 'fitness test', chance: 0.15, hour: 17 }, (draw, ms) =>
    atMoment(day, ms, { vo2Max: Math.round(draw.near(44, 2) * 10) / 10, measurementMethod: 'COOPER_TEST' }),
  );
  return test === null ? [] : [test];
}

/** Entered once, when the account was created. */
export function listHeight({ account, firstDate }: AccountView, day: AccountDay): DataPoint[] {
  if (day.date !== addDays(firstDate, 1)) return [];
  const ms = momentAt(account.zone, day.date, 12 * 60);
  return [atMoment(day, ms, { heightMillimeters: String(account.person.heightCm * 10) })];
}

function atMoment({ date }: AccountDay, ms: number, fields: DataPoint['fields']): DataPoint {
  return { startMs: ms, endMs: ms, date, method: 'MANUAL', fields };
}
