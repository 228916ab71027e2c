// Weight, blood pressure, two-minute stress readings, and VO2 max from runs.

import { roundTo } from '../../domain/round-to.ts';
import { createDraw, momentAt, weighOn } from '../../domain/sandbox/index.ts';
import { MINUTE_MS } from '../../domain/time/durations.ts';
import type { AccountDay, AccountView } from '../account-view.ts';
import { byOffset, makeSummary, momentOf, type Summary, sumOf, type TimedValue, timesOf } from './summary.ts';

const WEIGHING_AT = 7 * 60 + 5;
const CUFF_AT = 20 * 60 + 40;
const SNAPSHOT_AT = 18 * 60 + 10;
const SNAPSHOT_MS = 2 * MINUTE_MS;
const SNAPSHOT_STEP_MS = 5_000;
/** VO2 max is slightly lower on a bike. */
const CYCLING_SHARE = 0.94;

export function listBodyComps(view: AccountView, day: AccountDay): Summary[] {
  const { person, zone, seed } = view.account;
  const kg = weighOn(day.lived);
  const at = momentAt(zone, day.date, WEIGHING_AT);
  if (kg === null || at >= day.untilMs) return [];
  const fat = createDraw(seed, 'fat').between(13, 22) + (person.sex === 'female' ? 8 : 0);
  const lean = kg * (1 - fat / 100);
  return [
    makeSummary(view, 'body', at, () => ({
      ...momentOf(view, at),
      weightInGrams: Math.round(kg * 1_000),
      muscleMassInGrams: Math.round(lean * 545),
      boneMassInGrams: Math.round(lean * 53),
      bodyWaterInPercent: roundTo((100 - fat) * 0.72, 1),
      bodyFatInPercent: roundTo(fat, 1),
      bodyMassIndex: roundTo(kg / (person.heightCm / 100) ** 2, 1),
    })),
  ];
}

/** Entered manually from time to time. */
export function listBloodPressures(view: AccountView, day: AccountDay): Summary[] {
  const draw = createDraw(view.account.seed, 'cuff', day.date);
  const at = momentAt(view.account.zone, day.date, CUFF_AT);
  if (!draw.isLucky(0.25) || at >= day.untilMs) return [];
  const tension = 3 * day.lived.condition.tension;
  const systolic = Math.round(draw.near(117 + tension, 4));
  const diastolic = Math.round(draw.near(75 + tension / 2, 3));
  return [
    makeSummary(view, 'pressure', at, () => ({
      ...momentOf(view, at),
      systolic,
      diastolic,
      pulse: Math.round(day.lived.condition.restingBpm + 12),
      sourceType: 'MANUAL',
    })),
  ];
}

export function listUserMetrics(view: AccountView, day: AccountDay): Summary[] {
  const [capacity] = day.series('vo2_max');
  if (capacity === undefined) return [];
  const isCyclist = Object.values(view.account.person.sports).includes('cycling');
  const younger = Math.round((capacity.value - 40) / 2);
  return [
    makeSummary(view, 'metrics', day.lived.fromMs, () => ({
      calendarDate: day.date,
      vo2Max: capacity.value,
      ...(isCyclist && { vo2MaxCycling: roundTo(capacity.value * CYCLING_SHARE, 1) }),
      fitnessAge: Math.max(18, view.account.person.ageYears - younger),
      enhanced: true,
    })),
  ];
}

export function listHealthSnapshots(view: AccountView, day: AccountDay): Summary[] {
  const draw = createDraw(view.account.seed, 'snapshot', day.date);
  const start = momentAt(view.account.zone, day.date, SNAPSHOT_AT);
  const end = start + SNAPSHOT_MS;
  if (!draw.isLucky(0.3) || end > day.untilMs) return [];
  const { restingBpm, breathsPerMinute, oxygenPct, hrvMs, tension } = day.lived.condition;
  const part = (summaryType: string, mean: number, spread: number) => {
    const values: TimedValue[] = [];
    for (let ms: number = start; ms < end; ms += SNAPSHOT_STEP_MS)
      values.push({ ms, value: Math.round(draw.near(mean, spread)) });
    const reported = values.map(({ value }) => value);
    return {
      summaryType,
      minValue: Math.min(...reported),
      maxValue: Math.max(...reported),
      avgValue: roundTo(sumOf(reported, (value) => value) / reported.length, 1),
      epochSummaries: byOffset(start, values),
    };
  };
  const average = (summaryType: string, value: number) => ({ summaryType, avgValue: Math.round(value) });
  const summaries = [
    part('heart_rate', restingBpm + 9, 1.5),
    part('respiration', breathsPerMinute, 0.6),
    part('stress', 25 + 5 * tension, 3),
    part('spo2', oxygenPct - 1, 0.4),
    average('rmssd_hrv', 0.7 * hrvMs),
    average('sdrr_hrv', 0.9 * hrvMs),
  ];
  // Unlike in all other summaries, the offset field has its words in another order.
  const { startTimeOffsetInSeconds: offsetStartTimeInSeconds, ...times } = timesOf(view, start, end);
  return [
    makeSummary(view, 'snapshot', start, () => ({
      calendarDate: day.date,
      ...times,
      offsetStartTimeInSeconds,
      summaries,
    })),
  ];
}
