// Intraday data, by the second at which each entry begins.

import { createDraw } from '../../domain/sandbox/index.ts';
import { HOUR_MS } from '../../domain/time/durations.ts';
import type { AccountView } from '../account-view.ts';
import { pointsBetween } from '../points-between.ts';
import { DEVICES, deviceIdOf } from './names.ts';
import { pickFields, toSeconds } from './rows.ts';

const USUAL = ['steps', 'elevation', 'calories', 'distance', 'stroke', 'pool_lap', 'duration'];
/** RMSSD as a fraction of SDNN. */
const RMSSD_OF_SDNN = 0.8;

type Entry = Record<string, number>;

/** [from, to) */
export function writeIntraday(view: AccountView, from: number, to: number, form: URLSearchParams) {
  const { seed } = view.account;
  const { model, modelid } = DEVICES.watch;
  const device = { ...deviceIdOf(seed, 'watch'), model, model_id: modelid };
  const written = [...collectEntries(view, from, to)]
    .map(([ms, entry]) => ({ ms, reported: pickFields(entry, form, USUAL) }))
    .filter(({ reported }) => Object.keys(reported).some((name) => name !== 'duration'))
    .map(({ ms, reported }) => [toSeconds(ms), { ...reported, ...device }]);
  // A day without data is an empty list.
  return written.length === 0 ? [] : Object.fromEntries(written);
}

function collectEntries(view: AccountView, from: number, to: number): Map<number, Entry> {
  const entries = new Map<number, Entry>();
  const points = (metric: string) => pointsBetween(view, metric, from, to);
  const put = (ms: number, reported: Entry) => entries.set(ms, { ...entries.get(ms), ...reported });
  const still = { steps: 0, distance: 0, elevation: 0, calories: 0 };
  const move = (startMs: number, endMs: number, reported: Entry) =>
    put(startMs, { ...still, duration: (endMs - startMs) / 1_000, ...entries.get(startMs), ...reported });
  for (const { startMs, endMs, value } of points('active_calories')) move(startMs, endMs, { calories: value });
  for (const { startMs, endMs, value } of points('steps')) move(startMs, endMs, { steps: value });
  for (const { startMs, endMs, value } of points('distance'))
    move(startMs, endMs, { distance: Math.round(value * 1_000) });
  climb(entries, points('floors_climbed'));
  for (const { startMs, value } of points('heart_rate')) put(startMs, { heart_rate: value });
  for (const { startMs, value } of points('blood_oxygen')) put(startMs, { spo2_auto: value });
  for (const { startMs, value } of points('heart_rate_variability'))
    put(startMs, { sdnn1: value, rmssd: Math.round(RMSSD_OF_SDNN * value), hrv_quality: 1 });
  for (const { startMs, value } of points('respiratory_rate')) put(startMs, { rr: Math.round(value) });
  for (const { startMs } of points('heart_rate').filter((point) => point.startMs % HOUR_MS === 0))
    put(startMs, { core_body_temperature: drawCoreTemperature(view, startMs) });
  return entries;
}

/** °C, once an hour while the watch is worn. */
function drawCoreTemperature({ account }: AccountView, ms: number): number {
  const celsius = createDraw(account.seed, 'core temperature', String(ms)).near(36.8, 0.15);
  return Math.round(celsius * 10) / 10;
}

/** Stairs are climbed within an interval of steps. */
function climb(entries: Map<number, Entry>, floors: readonly { startMs: number; value: number }[]): void {
  for (const { startMs, value } of floors)
    for (const [ms, entry] of entries)
      if (startMs >= ms && startMs < ms + (entry.duration ?? 0) * 1_000)
        entries.set(ms, { ...entry, elevation: (entry.elevation ?? 0) + value });
}
