import assert from 'node:assert/strict';
import { it } from 'node:test';
import { findFirstDay, listMetrics } from './list-metrics.ts';
import type { Metric } from './queries.ts';

const metric = (id: string, category: string): Metric =>
  ({ id, category, display_name: id.replaceAll('_', ' ') }) as Metric;
const catalog = [
  metric('floors', 'Activity'),
  metric('steps', 'Activity'),
  metric('asleep', 'Sleep'),
  metric('weight', 'Body'),
];
const daily = { dates: ['2026-01-01'], series: { floors: [1], steps: [2], asleep: [3], weight: [null] } };

it('lists metrics with values, the common ones first, by category and search', () => {
  const ids = (wanted: object) => listMetrics(catalog, daily, wanted).metrics.map(({ id }) => id);
  assert.deepEqual(ids({}), ['steps', 'asleep', 'floors']);
  assert.deepEqual(ids({ category: 'Activity' }), ['steps', 'floors']);
  assert.deepEqual(ids({ q: 'SLEEP' }), ['asleep']);
  assert.deepEqual(listMetrics(catalog, daily, {}).categories, ['Activity', 'Sleep']);
  assert.deepEqual(listMetrics(catalog, undefined, {}).metrics, []);
});

it('begins with the first day that has a value, and draws at least a week', () => {
  const dates = Array.from({ length: 28 }, (_, index) => `day ${index}`);
  const from = (first: number) => dates.map((_, index) => (index < first ? null : index));
  assert.equal(findFirstDay({ dates, series: { steps: from(15), asleep: from(12) } }), 12);
  assert.equal(findFirstDay({ dates, series: { steps: from(25) } }), 21);
  assert.equal(findFirstDay({ dates, series: { steps: from(28) } }), 21);
  assert.equal(findFirstDay({ dates: ['day 0'], series: { steps: [null] } }), 0);
});
