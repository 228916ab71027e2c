// Derived metrics that need more than the values of one day: samples, the profile, or the days before. They are
// computed with the scores, which need the same inputs.

import { RESTING_HEART_RATE_RULE } from '../scores/baseline.ts';
import {
  averageSleepDebt,
  type DayInputs,
  findSleepNeed,
  isOldEnough,
  listDayLoads,
  type ScoreInputs,
  spreadOfMidSleep,
  type Tracked,
} from '../scores/index.ts';
import { DEBT_DAYS, MIDPOINT_DAYS, WEIGHT_DAYS } from '../scores/look-back.ts';
import { findSleepRegularity, REGULARITY_DAYS } from '../sleep/sleep-regularity.ts';
import { getMetricOrThrow, type MetricId } from './index.ts';

/** An input of a value, for explanations. Null: it is missing. */
type DerivedInput = {
  readonly name: string;
  readonly value: number | null;
  readonly unit: string;
  /** 0: the day itself. Null: from the profile. */
  readonly daysBefore: number | null;
};

type DerivedValue = { readonly value: number | null; readonly inputs: readonly DerivedInput[] };

export type MetricHistory = {
  readonly inputs: ScoreInputs;
  /** Ordered by days before, the day itself first. */
  readonly days: readonly (DayInputs | null)[];
  /** The latest height measured up to the end of the day, however long ago; otherwise the profile's. */
  readonly height: { readonly cm: number; readonly daysBefore: number | null } | null;
};

export type HistoryRule = {
  readonly formula: string;
  /** How many following days a change of one day can affect. `next_height`: all days up to the next measured height. */
  readonly reachDays: number | 'next_height';
  derive(history: MetricHistory): DerivedValue;
};

const RULES: Readonly<Record<string, HistoryRule>> = {
  training_load: {
    formula: 'sum of the training impulses (TRIMP) behind strain_score: workouts, and daily activity outside workouts',
    reachDays: Math.max(WEIGHT_DAYS, RESTING_HEART_RATE_RULE.windowDays),
    derive: ({ inputs }) => {
      const loads = isOldEnough(inputs.ageYears) ? listDayLoads(inputs) : null;
      return {
        value: loads?.reduce((sum, { load }) => sum + load, 0) ?? null,
        inputs: (loads ?? []).map(({ name, load }) => ofDay(name, load, 'AU')),
      };
    },
  },
  waking_heart_rate: {
    formula:
      'mean of the median heart rates of 15-minute windows awake, with under 100 steps, outside workouts and the 30 minutes after',
    reachDays: 0,
    derive: ({ inputs, days }) => ({ value: inputs.wakingHeartRate.value, inputs: [countWindows(days, () => true)] }),
  },
  waking_heart_rate_variability: {
    formula: 'exp(mean(ln RMSSD)) of the windows of waking_heart_rate',
    reachDays: 0,
    derive: ({ inputs, days }) => ({
      value: inputs.wakingHrv.value,
      inputs: [countWindows(days, ([, , rmssdMs]) => rmssdMs !== null)],
    }),
  },
  sleep_need: {
    formula:
      "the profile's sleep_need_minutes, else by age: 540 from 14 years, 480 from 18 (also without birth_date), 450 from 65",
    reachDays: 0,
    derive: ({ inputs }) => ({
      value: findNeed(inputs),
      inputs: [...describePerson(inputs), ofDay('asleep', inputs.asleep.value, 'min')],
    }),
  },
  sleep_debt: {
    formula: 'mean of max(0, sleep_need - asleep) over the known nights of the last 7 days, at least 3',
    reachDays: DEBT_DAYS,
    derive: ({ inputs }) => {
      const need = findNeed(inputs);
      return {
        value: need === null ? null : averageSleepDebt(listTracked(inputs.asleep), need),
        inputs: [ofDay('sleep_need', need, 'min'), ...describeTracked('asleep', inputs.asleep, DEBT_DAYS, 'min')],
      };
    },
  },
  sleep_midpoint_variability: {
    formula: 'circular standard deviation of sleep_midpoint over the known nights of the last 14 days, at least 5',
    reachDays: MIDPOINT_DAYS,
    derive: ({ inputs }) => ({
      value: spreadOfMidSleep(listTracked(inputs.midSleepMinutes)),
      inputs: describeTracked('sleep_midpoint', inputs.midSleepMinutes, MIDPOINT_DAYS, 'min_of_day'),
    }),
  },
  sleep_regularity_index: {
    formula:
      '200 * share of minutes in the same state, asleep or awake, as at the same time of the day before - 100, over the pairs of successive nights of the last 14 days, at least 6',
    reachDays: REGULARITY_DAYS,
    derive: ({ days }) => {
      const isKnown = (days[0]?.mainSleep ?? null) !== null;
      const found = isKnown ? findSleepRegularity(days.slice(0, REGULARITY_DAYS + 1).map(listKnownSleeps)) : null;
      return { value: found?.index ?? null, inputs: [ofDay('pairs_of_nights', found?.pairs ?? null, 'count')] };
    },
  },
  sleep_heart_rate_dip: {
    formula: '100 * (1 - sleep_heart_rate / waking_heart_rate)',
    reachDays: 0,
    derive: ({ inputs, days }) => {
      const sleeping = days[0]?.values.sleep_heart_rate ?? null;
      const waking = inputs.wakingHeartRate.value;
      return {
        value: sleeping === null || waking === null ? null : 100 * (1 - sleeping / waking),
        inputs: [ofDay('sleep_heart_rate', sleeping, 'bpm'), ofDay('waking_heart_rate', waking, 'bpm')],
      };
    },
  },
  body_mass_index: {
    formula:
      'weight / (height / 100)^2 if no device reports it; height: the latest measured one, else height_cm of the profile',
    reachDays: 'next_height',
    derive: ({ days, height }) => {
      const weight = days[0]?.values.weight ?? null;
      return {
        value: weight === null || height === null ? null : weight / (height.cm / 100) ** 2,
        inputs: [
          ofDay('weight', weight, 'kg'),
          {
            name: 'height',
            value: height?.cm ?? null,
            unit: 'cm',
            daysBefore: height === null ? 0 : height.daysBefore,
          },
        ],
      };
    },
  },
};

export const HISTORY_RULES: ReadonlyMap<MetricId, HistoryRule> = new Map(
  Object.entries(RULES).map(([id, rule]) => [id as MetricId, rule]),
);

/** Null if the result is physically impossible, because one of its inputs must be wrong. */
export function deriveFromHistory(id: MetricId, history: MetricHistory): DerivedValue | null {
  const derived = HISTORY_RULES.get(id)?.derive(history) ?? null;
  if (derived === null || derived.value === null) return derived;
  const { min, max } = getMetricOrThrow(id).limits;
  return derived.value >= min && derived.value <= max ? derived : { ...derived, value: null };
}

/**
 * Only for days with a night, because without one there is nothing to compare. Under 14 years, only if the profile sets
 * it.
 */
function findNeed({ ageYears, sleepNeedMinutes, asleep }: ScoreInputs): number | null {
  if (asleep.value === null || (sleepNeedMinutes === null && !isOldEnough(ageYears))) return null;
  return findSleepNeed(ageYears, sleepNeedMinutes).targetMinutes;
}

function describePerson({ ageYears, sleepNeedMinutes }: ScoreInputs): DerivedInput[] {
  const ofProfile = (name: string, value: number | null, unit: string) => ({ name, value, unit, daysBefore: null });
  return sleepNeedMinutes === null
    ? [ofProfile('age', ageYears, 'years')]
    : [ofProfile('sleep_need_minutes', sleepNeedMinutes, 'min')];
}

/** The sleeps of a date with a known night. */
function listKnownSleeps(day: DayInputs | null) {
  return day === null || day.mainSleep === null || day.sleepIntervals === undefined ? null : day.sleepIntervals;
}

type Windows = DayInputs['still'];

function countWindows(days: MetricHistory['days'], isCounted: (window: Windows[number]) => boolean): DerivedInput {
  return ofDay('still_windows', (days[0]?.still ?? []).filter(isCounted).length, 'count');
}

function listTracked({ value, before }: Tracked): (number | null)[] {
  return [value, ...before];
}

/** The day itself, and the known days before it. */
function describeTracked(name: string, tracked: Tracked, days: number, unit: string): DerivedInput[] {
  return listTracked(tracked)
    .slice(0, days + 1)
    .map((value, daysBefore) => ({ name, value, unit, daysBefore }))
    .filter(({ value, daysBefore }) => daysBefore === 0 || value !== null);
}

function ofDay(name: string, value: number | null, unit: string): DerivedInput {
  return { name, value, unit, daysBefore: 0 };
}
