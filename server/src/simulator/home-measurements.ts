// Measurements at home: scale, blood pressure cuff, thermometer.

import { createDraw, type Draw, momentAt, weighOn } from '../domain/sandbox/index.ts';
import { MINUTE_MS } from '../domain/time/durations.ts';
import type { AccountDay, AccountView } from './account-view.ts';

const SCALE_AFTER_WAKING_MS = 12 * MINUTE_MS;

export type Weighing = {
  readonly ms: number;
  readonly weightKg: number;
  readonly fatPercent: number;
  readonly pulseBpm: number;
};
type CuffReading = {
  readonly ms: number;
  readonly systolic: number;
  readonly diastolic: number;
  readonly pulseBpm: number;
};
type TemperatureReading = { readonly ms: number; readonly bodyC: number; readonly skinC: number };

/** Null: not on that day, or not yet. */
export function findWeighing({ account }: AccountView, { lived, date, untilMs }: AccountDay): Weighing | null {
  const weightKg = weighOn(lived);
  const woke = lived.sleeps.find(({ kind }) => kind === 'night')?.end;
  if (weightKg === null || woke === undefined || woke + SCALE_AFTER_WAKING_MS >= untilMs) return null;
  const { sex, ageYears, heightCm } = account.person;
  // Deurenberg, from the body mass index
  const usual = (1.2 * weightKg) / (heightCm / 100) ** 2 + 0.23 * ageYears - (sex === 'male' ? 16.2 : 5.4);
  return {
    ms: woke + SCALE_AFTER_WAKING_MS,
    weightKg,
    fatPercent: toTenth(createDraw(account.seed, 'fat', date).near(usual, 0.4)),
    pulseBpm: Math.round(lived.condition.restingBpm + 9),
  };
}

/** On some evenings. */
export function findCuffReading(view: AccountView, day: AccountDay): CuffReading | null {
  return measureSometimes(view, day, { name: 'cuff', chance: 0.4, hour: 20 }, (draw, ms) => {
    const { tension, restingBpm } = day.lived.condition;
    return {
      ms,
      systolic: Math.round(draw.near(108 + 0.35 * view.account.person.ageYears + 2 * tension, 5)),
      diastolic: Math.round(draw.near(70 + 0.2 * view.account.person.ageYears + tension, 4)),
      pulseBpm: Math.round(restingBpm + draw.near(11, 3)),
    };
  });
}

export function findTemperature(view: AccountView, day: AccountDay): TemperatureReading | null {
  return measureSometimes(view, day, { name: 'thermometer', chance: 0.3, hour: 18 }, (draw, ms) => {
    const bodyC = toTenth(draw.near(36.7 + day.lived.condition.temperatureDeviationC, 0.15));
    return { ms, bodyC, skinC: toTenth(bodyC - draw.between(2.4, 3.2)) };
  });
}

export function measureSometimes<Reading>(
  { account }: AccountView,
  { date, untilMs }: AccountDay,
  { name, chance, hour }: { readonly name: string; readonly chance: number; readonly hour: number },
  read: (draw: Draw, ms: number) => Reading,
): Reading | null {
  const draw = createDraw(account.seed, name, date);
  const isTaken = draw.isLucky(chance);
  const ms = momentAt(account.zone, date, hour * 60 + Math.round(draw.between(0, 90)));
  return isTaken && ms < untilMs ? read(draw, ms) : null;
}

function toTenth(value: number): number {
  return Math.round(value * 10) / 10;
}
