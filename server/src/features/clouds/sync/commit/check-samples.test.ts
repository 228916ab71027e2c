// Which samples and daily values of a provider are stored.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sampleAt } from '../../../../../test/support/generate-samples.ts';
import type { MetricId } from '../../../../domain/metrics/index.ts';
import { columnsOfSamples } from '../../../../domain/packed/sample-blocks/index.ts';
import type { DailyValue } from '../../../../domain/records/records.ts';
import type { LocalDate } from '../../../../domain/time/calendar.ts';
import { checkDaily, checkSamples } from './check-samples.ts';
import type { Refusals } from './refusals.ts';

const NOW = Date.parse('2026-03-03T00:00:00Z');

it('keeps samples of stress, and rejects those of other scores and all daily values of scores', () => {
  const columns = columnsOfSamples([sampleAt(NOW, { value: 40, unit: 'score' })]);
  const refusals: Refusals = new Map();
  const check = (metric: string) => checkSamples(metric as MetricId, [columns], NOW, refusals)?.starts.length ?? 0;
  assert.deepEqual([check('stress_score'), check('recovery_score')], [1, 0]);
  const daily = { date: '2026-03-02' as LocalDate, value: 40, unit: 'score', method: 'automatic' } as const;
  assert.deepEqual(checkDaily([{ ...daily, metric: 'stress_score' as MetricId }], NOW, refusals), []);
  assert.deepEqual([...refusals.keys()].sort(), ['recovery_score computed_metric', 'stress_score computed_metric']);
});

it('keeps the total energy that a provider reports and rejects other computed metrics', () => {
  const dailyValue = (metric: string): DailyValue => ({
    date: '2026-03-02' as LocalDate,
    metric: metric as MetricId,
    value: 1_500,
    unit: 'kcal',
    method: 'automatic',
  });
  const refusals: Refusals = new Map();
  const kept = checkDaily(['total_calories', 'energy_balance'].map(dailyValue), NOW, refusals);
  assert.deepEqual(
    kept.map(({ metric, value }) => [metric, value]),
    [['total_calories', 1_500]],
  );
  assert.equal(refusals.size, 1);
});
