// The main sleep of a date as the scores use it: all its parts together (gap G-91).

import type { ConsolidationRules } from '../consolidate/consolidation-rules.ts';
import { getMetricOrThrow, type MetricId } from '../metrics/index.ts';
import { type DaySleep, findMainSleep, type SleepTotals, totalSleep } from '../sleep/index.ts';
import type { Zone } from '../time/day.ts';
import { MINUTE_MS } from '../time/durations.ts';
import type { MainSleep } from './day-inputs.ts';

type IsEnabled = ConsolidationRules['isEnabled'];

/** The canonical sleeps of one date. Without the minutes of providers that are disabled for them: the daily values have those of others. */
export function describeMainSleep(sleeps: readonly DaySleep[], zone: Zone, isEnabled: IsEnabled): MainSleep | null {
  const main = findMainSleep(sleeps, zone);
  const last = main.at(-1);
  if (last === undefined) return null;
  const parts = main.map((sleep) => ({ sleep, totals: totalSleep(sleep.session) }));
  const sum = (field: keyof typeof METRICS) => sumMinutes(parts, field, isEnabled);
  return {
    asleep: sum('asleep'),
    inBed: sum('inBed'),
    awake: sum('awake'),
    deep: sum('deep'),
    rem: sum('rem'),
    wokeAt: last.session.end,
  };
}

const METRICS = {
  asleep: 'asleep',
  inBed: 'time_in_bed',
  awake: 'time_awake',
  deep: 'deep_sleep',
  rem: 'REM',
} as const;

type Part = { readonly sleep: DaySleep; readonly totals: SleepTotals };

function sumMinutes(parts: readonly Part[], field: keyof typeof METRICS, isEnabled: IsEnabled): number | null {
  const metric = getMetricOrThrow(METRICS[field] as string as MetricId);
  const known = parts.flatMap(({ sleep, totals: { [field]: minutes } }) =>
    minutes === null ? [] : [{ minutes, provider: (sleep.givers?.[field] ?? sleep).device.provider }],
  );
  if (known.length === 0 || !known.every(({ provider }) => isEnabled(metric, provider))) return null;
  return known.reduce((sum, { minutes }) => sum + minutes, 0);
}

/** Minutes of each sleep after the main one. A sleep without minutes asleep counts with its duration. */
export function listNaps(sleeps: readonly DaySleep[], zone: Zone): number[] {
  const wokeAt = findMainSleep(sleeps, zone).at(-1)?.session.end;
  if (wokeAt === undefined) return [];
  return sleeps
    .filter(({ session }) => session.start >= wokeAt)
    .map(({ session }) => totalSleep(session).asleep ?? (session.end - session.start) / MINUTE_MS);
}
