import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { METRICS } from '../../../domain/metrics/index.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import { AppError } from '../../../platform/errors.ts';
import { parseExportQuery } from './export-query.ts';
import { codingsOf, LOINC, OWN_SYSTEM, UCUM_OF_UNIT } from './fhir-codes.ts';
import { OMH_SCHEMAS, WITHOUT_OMH_SCHEMA } from './omh-schemas.ts';
import { splitRange } from './split-range.ts';

describe('codes of exports', () => {
  it('give every metric of the catalog a code, and every unit a UCUM code', () => {
    assert.ok(METRICS.length > 100);
    for (const metric of METRICS) {
      assert.ok(UCUM_OF_UNIT[metric.unit], `${metric.id}: ${metric.unit}`);
      for (const kind of ['day', 'sample'] as const) {
        const codings = codingsOf(metric, kind);
        assert.equal(codings.at(-1)?.system, OWN_SYSTEM);
        assert.equal(codings.at(-1)?.code, metric.id);
        for (const { system, code } of codings.slice(0, -1)) {
          assert.equal(system, LOINC);
          assert.ok(hasCheckDigit(code), `${metric.id}: ${code}`);
        }
      }
    }
  });

  it('code the samples of a metric differently where the code of the day means 24 hours', () => {
    const steps = METRICS.find(({ id }) => (id as string) === 'steps');
    assert.ok(steps);
    assert.equal(codingsOf(steps, 'day')[0]?.code, '41950-7');
    assert.equal(codingsOf(steps, 'sample')[0]?.code, '55423-8');
  });

  it('name an Open mHealth schema for every metric, or why there is none', () => {
    for (const { id, category } of METRICS)
      assert.ok(OMH_SCHEMAS[id] ?? WITHOUT_OMH_SCHEMA[id] ?? WITHOUT_OMH_SCHEMA[category], id);
    for (const id of Object.keys(OMH_SCHEMAS)) {
      assert.ok(
        METRICS.some((metric) => (metric.id as string) === id),
        id,
      );
      assert.equal(WITHOUT_OMH_SCHEMA[id], undefined, id);
    }
  });
});

/** The last digit of a LOINC code follows from the others (mod 10, as in card numbers). */
function hasCheckDigit(code: string): boolean {
  const [digits = '', check] = code.split('-');
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return Number(check) === (10 - (sum % 10)) % 10;
}

describe('parseExportQuery', () => {
  const parse = (query: Partial<Parameters<typeof parseExportQuery>[1]>) =>
    parseExportQuery('user', { format: 'ndjson', ...query });
  const pathsOf = (query: Partial<Parameters<typeof parseExportQuery>[1]>) => {
    try {
      parse(query);
      return [];
    } catch (error) {
      assert.ok(error instanceof AppError);
      return ((error.details as { issues?: { path: string }[] }).issues ?? []).map(({ path }) => path);
    }
  };

  it('selects all resources, in the order of the file', () => {
    assert.deepEqual(parse({}).resources, ['daily', 'sleep', 'workouts', 'scores', 'samples']);
    assert.deepEqual(parse({ resources: 'sleep,daily' }).resources, ['daily', 'sleep']);
  });

  it('names what is wrong', () => {
    assert.deepEqual(pathsOf({ resources: 'daily,naps' }), ['resources']);
    assert.deepEqual(pathsOf({ format: 'csv' }), ['resources']);
    assert.deepEqual(pathsOf({ format: 'parquet', resources: 'daily,sleep' }), ['resources']);
    assert.deepEqual(pathsOf({ from: '2026-02-02', to: '2026-02-01' }), ['to']);
    assert.deepEqual(pathsOf({ from: '2026-02-30' }), ['from']);
    assert.deepEqual(pathsOf({ format: 'bundle', from: '2026-02-01' }), ['from']);
  });
});

it('splitRange covers each date once', () => {
  const range = { from: '2026-01-30' as LocalDate, to: '2026-02-05' as LocalDate };
  assert.deepEqual(
    [...splitRange(range, 3)].map(({ from, to }) => `${from} ${to}`),
    ['2026-01-30 2026-02-01', '2026-02-02 2026-02-04', '2026-02-05 2026-02-05'],
  );
});
