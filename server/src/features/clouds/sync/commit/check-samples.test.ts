// Which daily values of a provider are stored.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { MetricId } from '../../../../domain/metrics/index.ts';
import type { DailyValue } from '../../../../domain/records/records.ts';
import type { LocalDate } from '../../../../domain/time/calendar.ts';
import { checkDaily } from './check-samples.ts';
import type { Refusals } from './refusals.ts';

const NOW = Date.parse('2026-03-03T00:00:00Z');

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
