// Measurements during a night, by Withings' field names.

import type { SleepSession } from '../../domain/records/records.ts';
import { createDraw } from '../../domain/sandbox/index.ts';
import { MINUTE_MS } from '../../domain/time/durations.ts';
import type { AccountView } from '../account-view.ts';
import { pointsBetween } from '../points-between.ts';

const READING_MS = 5 * MINUTE_MS;
const SDNN_PER_RMSSD = 1.25;
const CHANCE_OF_SNORING = 0.06;

export type NightReading = { readonly ms: number; readonly value: number };
type Name = 'hr' | 'rr' | 'rmssd' | 'sdnn_1' | 'snoring' | 'mvt_score';

export function listNightReadings(view: AccountView, sleep: SleepSession): Record<Name, NightReading[]> {
  const measured = (metric: string): NightReading[] =>
    pointsBetween(view, metric, sleep.start, sleep.end).map(({ startMs, value }) => ({ ms: startMs, value }));
  const rmssd = drawReadings(view, sleep, 'rmssd', (draw) =>
    Math.round((sleep.heartRateVariability ?? 0) * Math.exp(draw.near(0, 0.15))),
  );
  return {
    hr: measured('heart_rate'),
    rr: measured('respiratory_rate').map(({ ms, value }) => ({ ms, value: Math.round(value) })),
    rmssd: sleep.heartRateVariability === null ? [] : rmssd,
    sdnn_1:
      sleep.heartRateVariability === null
        ? []
        : rmssd.map(({ ms, value }) => ({ ms, value: Math.round(SDNN_PER_RMSSD * value) })),
    snoring: drawReadings(view, sleep, 'snoring', (draw) =>
      draw.isLucky(CHANCE_OF_SNORING) ? Math.round(draw.between(20, 280)) : 0,
    ),
    mvt_score: drawReadings(view, sleep, 'movement', (draw) => Math.round(draw.between(0, 40))),
  };
}

function drawReadings(
  { account }: AccountView,
  { key, start, end }: SleepSession,
  name: string,
  read: (draw: ReturnType<typeof createDraw>) => number,
): NightReading[] {
  const draw = createDraw(account.seed, name, key);
  const readings: NightReading[] = [];
  for (let ms: number = start; ms < end; ms += READING_MS) readings.push({ ms, value: read(draw) });
  return readings;
}
