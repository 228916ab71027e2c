// What the ring and the glucose sensor report of a day. A type without values is missing.
import { createDraw } from '../../domain/sandbox/index.ts';
import { MINUTE_MS } from '../../domain/time/durations.ts';
import type { AccountDay, AccountView } from '../account-view.ts';
import { countMinutes } from '../lived-minutes.ts';
import { writeSleep } from './sleep.ts';

type Metric = { readonly type: string; readonly object: Readonly<Record<string, unknown>> };
type Reading = { readonly value: number; readonly timestamp: number };

const SENSOR_MS = 5 * MINUTE_MS;
const MEAN_GLUCOSE = 98; // mg/dL
const MEAN_SKIN = 33.8; // °C

export function listMetrics(view: AccountView, day: AccountDay, scopes: readonly string[]): Metric[] {
  return [
    ...(scopes.includes('ring_data') ? listRing(view, day) : []),
    ...(scopes.includes('cgm_data') ? listSensor(view, day) : []),
  ];
}

function listRing(view: AccountView, day: AccountDay): Metric[] {
  const start = { day_start_timestamp: toSeconds(day.lived.fromMs) };
  const series = (type: string, values: readonly Reading[], more: object = {}): Metric[] =>
    values.length === 0 ? [] : [{ type, object: { ...start, values, ...more } }];
  const single = (type: string, value: number): Metric => ({ type, object: { value, ...start } });
  const beats = readSeries(day, 'heart_rate');
  const draw = createDraw(view.account.seed, 'skin', day.date);
  const skin = beats.map(({ timestamp }) => ({ value: draw.near(MEAN_SKIN, 0.01), timestamp }));
  const resting = readSeries(day, 'resting_heart_rate');
  const { moderate, vigorous } = countMinutes(day);
  return [
    ...series('hr', beats, { title: 'Heart Rate', last_reading: beats.at(-1)?.value, unit: 'BPM' }),
    ...series('temp', skin, { title: 'Skin Temperature', unit: '°C' }),
    ...series('hrv', readSeries(day, 'heart_rate_variability_rmssd'), { title: 'HRV', subtitle: 'Average' }),
    ...series('night_rhr', resting, { title: 'Resting Heart Rate', avg: resting.at(-1)?.value }),
    { type: 'steps', object: { ...start, values: [], total: countSteps(day) } },
    ...day.sleeps.map((sleep): Metric => ({ type: 'Sleep', object: writeSleep(sleep) })),
    single('active_minutes', moderate + vigorous),
    single('recovery_index', 70),
    single('movement_index', 65),
  ];
}

function listSensor({ account }: AccountView, day: AccountDay): Metric[] {
  const draw = createDraw(account.seed, 'glucose', day.date);
  const values: Reading[] = [];
  for (let ms = day.lived.fromMs; ms < day.untilMs; ms += SENSOR_MS)
    values.push({ value: Math.round(draw.near(MEAN_GLUCOSE, 0.12)), timestamp: toSeconds(ms) });
  if (values.length === 0) return [];
  const object = { day_start_timestamp: toSeconds(day.lived.fromMs), title: 'Glucose', values };
  return [{ type: 'glucose', object }];
}

function readSeries(day: AccountDay, metric: string): Reading[] {
  return day.series(metric).map(({ startMs, value }) => ({ value, timestamp: toSeconds(startMs) }));
}

/** So far, by minute. */
function countSteps({ lived, untilMs }: AccountDay): number {
  const minutes = Math.floor((untilMs - lived.fromMs) / MINUTE_MS);
  return lived.steps.slice(0, Math.max(0, minutes)).reduce((sum, steps) => sum + steps, 0);
}

function toSeconds(ms: number): number {
  return Math.floor(ms / 1_000);
}
