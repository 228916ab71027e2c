// Night measurements other than sleep: variability, skin temperature, oxygen, breathing.

import type { SleepSession } from '../../domain/records/records.ts';
import { roundTo } from '../../domain/round-to.ts';
import { createDraw } from '../../domain/sandbox/index.ts';
import { MINUTE_MS } from '../../domain/time/durations.ts';
import type { AccountDay, AccountView } from '../account-view.ts';
import { isNight } from '../record-edits.ts';
import { byOffset, makeSummary, type Summary, type TimedValue, timesOf, versionOfDay } from './summary.ts';

const HRV_MS = 5 * MINUTE_MS;
const BREATHS_MS = 30 * MINUTE_MS;
const UNREADABLE = -1;

/** Whole nights only. */
export function listHrv(view: AccountView, day: AccountDay): Summary[] {
  return day.sleeps.filter(isNight).flatMap((night) => {
    const average = night.heartRateVariability;
    if (average === null) return [];
    const values = drawHrv(view, night, average);
    return makeSummary(view, 'hrv', night.start, () => ({
      calendarDate: day.date,
      ...timesOf(view, night.start, night.end),
      lastNightAvg: average,
      lastNight5MinHigh: Math.max(...values.map(({ value }) => value)),
      hrvValues: byOffset(night.start, values),
    }));
  });
}

function drawHrv({ account }: AccountView, { start, end }: SleepSession, average: number): TimedValue[] {
  const draw = createDraw(account.seed, 'hrv', start);
  const values: TimedValue[] = [];
  for (let ms = start + HRV_MS; ms <= end; ms += HRV_MS)
    values.push({ ms, value: Math.max(5, Math.round(draw.near(average, 0.14 * average))) });
  return values;
}

export function listSkinTemp(view: AccountView, day: AccountDay): Summary[] {
  return day.sleeps.filter(isNight).map((night) =>
    makeSummary(view, 'skin', night.start, () => ({
      calendarDate: day.date,
      ...timesOf(view, night.start, night.end),
      avgDeviationCelsius: roundTo(day.lived.condition.temperatureDeviationC, 2),
    })),
  );
}

export function listPulseOx(view: AccountView, day: AccountDay): Summary[] {
  const { fromMs } = day.lived;
  const points = day.series('blood_oxygen');
  const [last] = points.slice(-1);
  if (last === undefined) return [];
  return [
    makeSummary(view, 'pulseox', fromMs, () => ({
      calendarDate: day.date,
      ...timesOf(view, fromMs, last.startMs + MINUTE_MS),
      timeOffsetSpo2Values: byOffset(
        fromMs,
        points.map(({ startMs: ms, value }) => ({ ms, value })),
      ),
      onDemand: false,
    })),
  ];
}

/** All day; mostly unreadable during movement. */
export function listRespiration(view: AccountView, day: AccountDay): Summary[] {
  const { fromMs } = day.lived;
  const reported = new Map(day.series('respiratory_rate').map(({ startMs, value }) => [startMs, value]));
  const values: TimedValue[] = [];
  for (let ms = fromMs; ms < day.untilMs; ms += BREATHS_MS) values.push({ ms, value: reported.get(ms) ?? UNREADABLE });
  if (values.length === 0) return [];
  const write = () => ({
    ...timesOf(view, fromMs, day.untilMs),
    timeOffsetEpochToBreaths: byOffset(fromMs, values),
  });
  return [makeSummary(view, 'respiration', fromMs, write, versionOfDay(day))];
}
