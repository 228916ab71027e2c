import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ExplainedScore } from './queries.ts';
import { buildWaterfall, placeBands, placeBar } from './waterfall.ts';

function explained(type: string, neutral: number, points: Record<string, number>, value: number): ExplainedScore {
  const factors = Object.entries(points).map(([name, contribution]) => ({ name, contribution }));
  return { type, neutral, value, factors } as unknown as ExplainedScore;
}

/** A day of every score, in the order in which the algorithm lists its factors. */
const DAYS: readonly ExplainedScore[] = [
  explained('recovery_score', 50, { heart_rate_variability: -15, resting_heart_rate: -5, sleep: 3.7 }, 33.7),
  explained('sleep_score', 70, { duration: 12.4, efficiency: -3.1, deep_sleep: 0, regularity: -0.3 }, 79),
  explained('strain_score', 0, { high_intensity: 21.3, moderate_intensity: 14.9, daily_activity: 0.4 }, 36.6),
  explained('stress_score', 30, { waking_heart_rate: 18.2, waking_hrv: -7.7, sleep_debt: 0.1 }, 40.6),
  explained('nutrition_score', 60, { energy_balance: -20.5, protein: 9.9, sodium: -0.6 }, 48.8),
  explained('energy_reserve_score', 65, { recovery: -12, sleep: 8.1, strain: -30.3, time_awake: -10.8 }, 20),
];

describe('the waterfall', () => {
  for (const day of DAYS)
    it(`of the ${day.type.replaceAll('_', ' ')} has bars that add up to the score`, () => {
      const fall = buildWaterfall(day) ?? assert.fail('no score');
      const steps = fall.parts.flatMap((part) => part.steps);
      assert.equal(fall.addsUp, true);
      assert.equal(steps.length, day.factors.length);
      let at = fall.neutral;
      for (const { from, to, factor } of steps) {
        assert.equal(from, at);
        assert.equal(Math.round((to - from) * 10), Math.round(factor.contribution * 10));
        at = to;
      }
      assert.equal(at, day.value);
      assert.equal(fall.parts.at(-1)?.end, day.value);
      const widths = steps.map(({ from, to }) => Math.sign(to - from) * placeBar(fall, from, to).width);
      const sum = widths.reduce((total, width) => total + width, placeBar(fall, 0, fall.neutral).width);
      assert.ok(Math.abs(sum - placeBar(fall, 0, fall.value).width) < 1e-9);
    });

  it('begins each bar where the one before ended, and ends at the score', () => {
    const fall = buildWaterfall(explained('recovery_score', 50, { a: -15, b: -5, c: 3.7, d: -12.8 }, 20.9));
    assert.deepEqual(
      fall?.parts[0]?.steps.map(({ from, to }) => [from, to]),
      [
        [50, 35],
        [35, 30],
        [30, 33.7],
        [33.7, 20.9],
      ],
    );
    assert.deepEqual([fall?.addsUp, fall?.low, fall?.high], [true, 0, 100]);
  });

  it('says when the parts do not add up', () => {
    assert.equal(buildWaterfall(explained('sleep_score', 70, { a: 1 }, 72))?.addsUp, false);
  });

  it('sums tenths exactly', () => {
    const fall = buildWaterfall(explained('stress_score', 0, { a: 0.1, b: 0.2, c: 0.3, d: 0.1 }, 0.7));
    assert.deepEqual([fall?.addsUp, fall?.parts[0]?.end], [true, 0.7]);
  });

  it('widens the axis if the sum goes beyond 100 on its way', () => {
    const fall = buildWaterfall(explained('sleep_score', 70, { a: 45, b: -30 }, 85));
    assert.deepEqual([fall?.low, fall?.high], [0, 115]);
    assert.equal(placeBar({ low: 0, high: 115 }, 0, 115).width, 100);
  });

  it('divides the energy reserve into charge and drain', () => {
    const fall = buildWaterfall(explained('energy_reserve_score', 65, { sleep: 10, recovery: 5, strain: -20 }, 60));
    assert.deepEqual(
      fall?.parts.map(({ name, steps, end }) => [name, steps.length, end]),
      [
        ['charge', 2, 80],
        ['drain', 1, 60],
      ],
    );
  });

  it('has no steps without a score', () => {
    assert.equal(buildWaterfall({ ...explained('sleep_score', 70, {}, 70), value: null }), null);
  });

  it('places bands side by side', () => {
    const bands = [
      { from: 0, name: 'low' },
      { from: 34, name: 'high' },
    ];
    assert.deepEqual(placeBands({ low: 0, high: 100 }, bands), [
      { name: 'low', left: 0, width: 34 },
      { name: 'high', left: 34, width: 66 },
    ]);
  });
});
