import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { getMetricOrThrow, type MetricId } from '../../../domain/metrics/index.ts';
import { presentValue } from '../../../domain/metrics/present-value.ts';
import { roundTo } from '../../../domain/round-to.ts';
import { DAY_MS } from '../../../domain/time/durations.ts';
import { AppError } from '../../../platform/errors.ts';
import { expectForm2Range, findNamedForm2Range, parseIdList, readForm1Range, resolveForm2Range } from './index.ts';

const NOW = new Date('2026-03-01T02:00:00Z');
const codeOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof AppError) return error.code;
  }
  return 'none';
};

describe('date ranges', () => {
  it('reject Form 1 ranges that are reversed, invalid or too long', () => {
    assert.deepEqual(readForm1Range({ start_date: '2026-01-01', end_date: '2026-03-31' }, 90), {
      from: '2026-01-01',
      to: '2026-03-31',
    });
    assert.equal(
      codeOf(() => readForm1Range({ start_date: '2026-01-01', end_date: '2026-04-01' }, 90)),
      'range_too_long',
    );
    assert.equal(
      codeOf(() => readForm1Range({ start_date: '2026-01-02', end_date: '2026-01-01' }, 90)),
      'invalid_parameter',
    );
    assert.equal(
      codeOf(() => readForm1Range({ start_date: '2026-02-30', end_date: '2026-03-01' }, 90)),
      'invalid_parameter',
    );
  });

  it("default in Form 2 to the last thirty days in the user's time zone", () => {
    assert.deepEqual(resolveForm2Range({}, 'America/Los_Angeles', NOW), { from: '2026-01-30', to: '2026-02-28' });
    assert.deepEqual(resolveForm2Range({}, null, NOW), { from: '2026-01-31', to: '2026-03-01' });
    assert.deepEqual(resolveForm2Range({ to_date: '2026-01-10' }, null, NOW), { from: '2025-12-12', to: '2026-01-10' });
    assert.equal(
      codeOf(() => resolveForm2Range({ from_date: '2026-03-02' }, null, NOW)),
      'invalid_range',
    );
    assert.equal(
      codeOf(() => resolveForm2Range({ from_date: '2025-03-01', to_date: '2026-03-01' }, null, NOW)),
      'none',
    );
    assert.equal(
      codeOf(() => resolveForm2Range({ from_date: '2025-02-28', to_date: '2026-03-01' }, null, NOW)),
      'invalid_range',
    );
    assert.equal(
      codeOf(() => resolveForm2Range({ to_date: '1899-12-31' }, null, NOW)),
      'invalid_parameter',
    );
    assert.equal(
      codeOf(() => resolveForm2Range({ to_date: 'today' }, null, NOW)),
      'invalid_parameter',
    );
  });

  it('depend on the clock in Form 2 only when a date is missing', () => {
    const query = { from_date: '2026-01-01', to_date: '2026-01-31' };
    const range = { from: '2026-01-01', to: '2026-01-31' };
    assert.deepEqual(findNamedForm2Range(query), range);
    assert.deepEqual(resolveForm2Range(query, null, NOW), range);
    assert.deepEqual(expectForm2Range(query, NOW), range);
    for (const clocked of [{}, { from_date: '2026-01-01' }, { to_date: '2026-01-01' }])
      assert.equal(findNamedForm2Range(clocked), null);
    const later = new Date(NOW.getTime() + DAY_MS);
    for (const [now, to] of [
      [NOW, '2026-03-01'],
      [later, '2026-03-02'],
    ] as const)
      assert.deepEqual(resolveForm2Range({ from_date: '2026-02-20' }, null, now), { from: '2026-02-20', to });
    const tooLong = { from_date: '2024-01-01', to_date: '2026-01-31' };
    assert.equal(
      codeOf(() => resolveForm2Range(tooLong, null, NOW)),
      'invalid_range',
    );
  });

  it('are found without the clock in Form 2 exactly when they can be resolved', () => {
    const dates = ['2024-02-29', '2025-02-28', '2025-03-01', '2025-02-30', '1899-12-31', 'today', '2026-03-01'];
    let named = 0;
    for (const from_date of dates)
      for (const to_date of dates) {
        const range = findNamedForm2Range({ from_date, to_date });
        if (range === null) assert.throws(() => resolveForm2Range({ from_date, to_date }, null, NOW), AppError);
        else assert.deepEqual(resolveForm2Range({ from_date, to_date }, null, NOW), range);
        if (range !== null) named += 1;
      }
    assert.equal(named, 7);
  });

  it('lie within the expected range in Form 2 in every time zone', () => {
    const zones = [null, 'Pacific/Kiritimati', 'Etc/GMT+12', 'America/Los_Angeles', 'Europe/Berlin'];
    const queries = [
      {},
      { from_date: '2026-02-01' },
      { to_date: '2026-01-10' },
      { from_date: '2026-01-01', to_date: '2026-01-02' },
    ];
    for (const query of queries)
      for (const zone of zones) {
        const expected = expectForm2Range(query, NOW);
        const { from, to } = resolveForm2Range(query, zone, NOW);
        assert.ok(expected !== null && expected.from <= from && expected.to >= to, `${JSON.stringify(query)} ${zone}`);
      }
    assert.deepEqual(expectForm2Range({ from_date: '2026-01-01', to_date: '2026-01-02' }, NOW), {
      from: '2026-01-01',
      to: '2026-01-02',
    });
    for (const query of [
      { to_date: 'today' },
      { from_date: '2026-02-30' },
      { from_date: '2026-01-02', to_date: '2026-01-01' },
    ])
      assert.equal(expectForm2Range(query, NOW), null);
  });
});

describe('id lists', () => {
  it('are trimmed, without empty ids and duplicates', () => {
    assert.deepEqual(parseIdList(' steps, weight ,,steps'), ['steps', 'weight']);
    assert.deepEqual(parseIdList(' , '), []);
  });
});

describe('presented values', () => {
  it('are converted, then rounded half away from zero', () => {
    const weight = getMetricOrThrow('weight' as MetricId);
    assert.deepEqual(presentValue(weight, 80, 'imperial'), { value: 176.37, unit: 'lb' });
    assert.equal(roundTo(1.005, 2), 1.01);
    assert.equal(roundTo(-2.5, 0), -3);
    assert.equal(roundTo(2.4999, 0), 2);
    assert.ok(Object.is(roundTo(-0.001, 1), 0));
  });
});
