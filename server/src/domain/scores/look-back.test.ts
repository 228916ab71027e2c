// The days that are read, and the days that a change reaches, follow from the rules of the scores.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HISTORY_RULES } from '../metrics/history-metrics.ts';
import { getMetricOrThrow, METRICS, type MetricId } from '../metrics/index.ts';
import * as rules from './baseline.ts';
import { LONGEST_WINDOW_DAYS } from './baseline.ts';
import type { DayInputs, PersonOnDay, ScoreInputs } from './index.ts';
import { assembleInputs, isScoredAtOnce, LOOK_BACK_DAYS, NOTHING, SCORE_LOOK_BACK_DAYS, scoreDay } from './index.ts';

const ADULT: PersonOnDay = {
  ageYears: 40,
  sex: 'female',
  weightKg: null,
  sleepNeedMinutes: null,
  energyGoalRatio: null,
  heartRateRange: { restBpm: 55, maxBpm: 185 },
};

const DAY: DayInputs = {
  ...NOTHING,
  values: {
    asleep: 440,
    time_in_bed: 480,
    time_awake: 30,
    deep_sleep: 80,
    REM: 90,
    sleep_midpoint: 190,
    resting_heart_rate: 55,
    sleep_respiratory_rate: 14,
    sleep_skin_temperature: 34,
    weight: 70,
    steps: 8_000,
  },
  hrv: [{ series: 'sleep_rmssd/1', ms: 45 }],
};

describe('LOOK_BACK_DAYS', () => {
  it('is how far back inputs are read, and no score is read from further back than SCORE_LOOK_BACK_DAYS', () => {
    const asked = { inputs: 0, scores: 0 };
    assembleInputs(ADULT, {
      inputs(days) {
        asked.inputs = Math.max(asked.inputs, days);
        return DAY;
      },
      scores(days) {
        asked.scores = Math.max(asked.scores, days);
        return null;
      },
    });
    assert.deepEqual(asked, { inputs: LOOK_BACK_DAYS, scores: SCORE_LOOK_BACK_DAYS });
  });

  it('covers the window of every baseline', () => {
    const windows = Object.values(rules).flatMap((rule) =>
      typeof rule === 'object' && 'windowDays' in rule ? [rule.windowDays] : [],
    );
    assert.ok(windows.length >= 7);
    assert.equal(Math.max(...windows), LONGEST_WINDOW_DAYS);
    assert.ok(LONGEST_WINDOW_DAYS <= LOOK_BACK_DAYS);
  });

  it('covers the reach of every derived metric', () => {
    const reaches = [...HISTORY_RULES.values()]
      .map(({ reachDays }) => reachDays)
      .filter((days) => days !== 'next_height');
    assert.ok(reaches.length >= 5);
    assert.ok(Math.max(...reaches) <= LOOK_BACK_DAYS);
  });
});

describe('assembleInputs', () => {
  it('hands each baseline its whole window', () => {
    const { inputs } = assembleInputs(ADULT, { inputs: () => DAY, scores: () => ({ strain: 40, energyReserve: 60 }) });
    const lengths = (list: (one: ScoreInputs) => readonly (number | null)[]) => list(inputs).length;
    assert.equal(
      lengths(({ nightHrv }) => nightHrv.before),
      rules.NIGHT_HRV_RULE.windowDays,
    );
    assert.equal(
      lengths(({ restingHeartRate }) => restingHeartRate.before),
      rules.RESTING_HEART_RATE_RULE.windowDays,
    );
    assert.equal(
      lengths(({ respiratoryRate }) => respiratoryRate.before),
      rules.RESPIRATORY_RATE_RULE.windowDays,
    );
    assert.equal(
      lengths(({ nightTemperature }) => nightTemperature.before),
      rules.NIGHT_TEMPERATURE_RULE.windowDays,
    );
    assert.equal(
      lengths(({ strainBefore }) => strainBefore),
      rules.STRAIN_RULE.windowDays + 1,
    );
  });
});

describe('isScoredAtOnce', () => {
  const score = (values: DayInputs['values']) => {
    const { inputs } = assembleInputs(ADULT, {
      inputs: (days) => (days === 0 ? { ...DAY, values } : DAY),
      scores: () => null,
    });
    const { sleep_score: sleep, recovery_score: recovery } = scoreDay(inputs);
    return [sleep?.value, recovery?.value];
  };

  it('is true of every metric of the night that changes sleep or recovery', () => {
    const usual = score(DAY.values);
    const changing = Object.keys(DAY.values).filter((id) => {
      const changed = { ...DAY.values, [id]: (DAY.values[id as keyof typeof DAY.values] as number) * 1.5 };
      return String(score(changed)) !== String(usual);
    });
    assert.ok(changing.length >= 7, String(changing));
    for (const id of changing) assert.ok(isScoredAtOnce(id as MetricId), id);
  });

  it('is false of metrics that change throughout the day', () => {
    for (const { id } of METRICS.filter(({ category }) => category === 'activity' || category === 'nutrition'))
      assert.ok(!isScoredAtOnce(id), id);
    for (const id of ['heart_rate', 'respiratory_rate', 'heart_rate_variability'] as MetricId[]) {
      assert.ok(getMetricOrThrow(id));
      assert.ok(!isScoredAtOnce(id), id);
    }
  });
});
