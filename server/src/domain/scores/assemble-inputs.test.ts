// How the days before a day affect its scores.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DeviceNumber } from '../tenancy.ts';
import { assembleInputs, NOTHING, type PersonOnDay } from './assemble-inputs.ts';
import { type DayInputs, nameHrvSeries } from './day-inputs.ts';
import { scoreDay } from './score-day.ts';

const PERSON: PersonOnDay = {
  ageYears: 30,
  sex: null,
  weightKg: null,
  sleepNeedMinutes: null,
  energyGoalRatio: null,
  heartRateRange: { restBpm: 60, maxBpm: 190 },
};
const RING = nameHrvSeries('sleep_rmssd', 1 as DeviceNumber);
const WATCH = nameHrvSeries('sleep_sdnn', 2 as DeviceNumber);

type Night = Partial<Record<string, number>>;

/** Latest first; the first night belongs to the day itself. Every day has a resting heart rate and sleep. */
function assemble(nights: readonly Night[]) {
  const days = nights.map(
    (night): DayInputs => ({
      ...NOTHING,
      values: { resting_heart_rate: 52, asleep: 450 },
      hrv: Object.entries(night).map(([series, ms = 0]) => ({ series, ms })),
    }),
  );
  return assembleInputs(PERSON, { inputs: (before) => days[before] ?? null, scores: () => null }).inputs;
}

const repeat = (count: number, night: Night): Night[] => Array.from({ length: count }, () => night);
const factorsOf = (nights: readonly Night[]) => scoreDay(assemble(nights)).recovery_score?.factors ?? [];
const namesOf = (nights: readonly Night[]) => factorsOf(nights).map(({ name }) => name);

describe('the HRV of a night without one', () => {
  it('uses the nights before: recovery keeps its trend, and reports that tonight is missing', () => {
    const nights = [{}, ...repeat(3, { [RING]: 40 }), ...repeat(20, { [RING]: 60 })];
    const recovery = scoreDay(assemble(nights)).recovery_score;
    assert.deepEqual(
      recovery?.factors.map(({ name }) => name),
      ['hrv_trend', 'resting_heart_rate', 'sleep'],
    );
    assert.ok((recovery?.factors[0]?.contribution ?? 0) < -1, 'three low nights lower it');
    const missing = recovery?.explanation.missing.find(({ name }) => name === 'heart_rate_variability');
    assert.deepEqual(missing, { name: 'heart_rate_variability', reason: 'no_value' });
    const [trend] = recovery?.explanation.readings ?? [];
    assert.equal(trend?.input.toFixed(3), Math.exp((3 * Math.log(40) + 3 * Math.log(60)) / 6).toFixed(3));
  });

  it('is ignored if fewer than three of the last seven nights, or of the nights before, are known', () => {
    const before = repeat(20, { [RING]: 60 });
    assert.ok(
      namesOf([{}, { [RING]: 60 }, {}, { [RING]: 60 }, {}, { [RING]: 60 }, {}, ...before]).includes('hrv_trend'),
    );
    assert.ok(!namesOf([{}, { [RING]: 60 }, {}, {}, { [RING]: 60 }, {}, {}, ...before]).includes('hrv_trend'));
    assert.ok(!namesOf([{}, ...repeat(4, { [RING]: 60 })]).includes('hrv_trend'), 'no baseline yet');
  });

  it('never mixes devices or kinds: uses the latest series with enough nights', () => {
    const mixed = repeat(20, { [RING]: 60, [WATCH]: 120 });
    assert.equal(assemble([{}, ...mixed]).nightHrv.before[0], 60);
    const charging = [{}, { [WATCH]: 120 }, ...repeat(20, { [RING]: 60 })];
    assert.deepEqual(assemble(charging).nightHrv.before.slice(0, 3), [null, 60, 60]);
    assert.equal(assemble(charging).nightHrv.value, null);
    const alternating = [{}, { [WATCH]: 120 }, { [RING]: 60 }, { [WATCH]: 120 }, { [RING]: 60 }];
    assert.deepEqual(assemble(alternating).nightHrv, { value: null, before: [] });
  });
});
