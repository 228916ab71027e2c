import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatDifference, formatShare } from './format-difference.ts';
import {
  applyChanges,
  compareQuarters,
  findLargest,
  formatOf,
  listChangedMetrics,
  listChanges,
  pickMetric,
  summarizeScores,
} from './read-preview.ts';

const change = (metric: string, date: string, from: number | null, to: number | null) => ({ metric, date, from, to });
const CHANGES = [
  change('distance', '2026-03-01', 5, 6),
  change('steps', '2026-03-01', 100, 90),
  change('steps', '2026-03-03', 4_157, 14_079),
  change('steps', '2026-03-04', 10, null),
];

describe('a preview', () => {
  it('lists metrics by the number of days, and shows one of the key first', () => {
    assert.deepEqual(listChangedMetrics(CHANGES), [
      { metric: 'steps', days: 3 },
      { metric: 'distance', days: 1 },
    ]);
    assert.equal(pickMetric(CHANGES, ['distance'], undefined), 'distance');
    assert.equal(pickMetric(CHANGES, ['distance'], 'steps'), 'steps');
    assert.equal(pickMetric(CHANGES, [], 'weight'), 'steps');
    assert.equal(pickMetric([], ['steps'], undefined), undefined);
  });

  it('lists days newest first, and finds the one that changes most', () => {
    const days = listChanges(CHANGES, 'steps');
    assert.deepEqual(
      days.map(({ date }) => date),
      ['2026-03-04', '2026-03-03', '2026-03-01'],
    );
    assert.equal(findLargest(days)?.date, '2026-03-03');
  });

  it('replaces changed days of the week, also by none', () => {
    const dates = ['2026-03-02', '2026-03-03', '2026-03-04'];
    assert.deepEqual(applyChanges(dates, [7, 4_157, 10], listChanges(CHANGES, 'steps')), [7, 14_079, null]);
  });

  it('counts quarter hours that count in one and not in the other', () => {
    const now = [{ counted: [1, null, 2] }, { counted: [null, null, null] }];
    const after = [{ counted: [null, null, 2] }, { counted: [null, 3, null] }];
    assert.deepEqual(compareQuarters(now, after), { added: 1, dropped: 1 });
  });

  it('summarizes scores by type with the largest difference', () => {
    const score = (date: string, from: number | null, to: number | null) =>
      ({ type: 'strain_score', date, from, to }) as const;
    const [strain] = summarizeScores([score('2026-03-01', 10, 12), score('2026-03-02', 10, 4)]);
    assert.deepEqual([strain?.type, strain?.days, strain?.most.date], ['strain_score', 2, '2026-03-02']);
  });

  it('names metrics that have no key', () => {
    assert.deepEqual(formatOf({ keys: [] }, 'body_mass_index'), { name: 'Body mass index', unit: '', decimals: 1 });
  });
});

describe('differences', () => {
  const count = { unit: 'count', decimals: 0 };

  it('have a sign, and durations are durations', () => {
    assert.equal(formatDifference(4_157, 14_079, count), '+9,922');
    assert.equal(formatDifference(470, 435, { unit: 'min', decimals: 0 }), '−35 min');
    assert.equal(formatDifference(null, 3, count), '');
  });

  it('are shares of the value now', () => {
    assert.deepEqual([formatShare(4_157, 14_079), formatShare(10, 5), formatShare(0, 5)], ['+239 %', '−50 %', '']);
    assert.equal(formatShare(19_037, 19_059), '');
  });
});
