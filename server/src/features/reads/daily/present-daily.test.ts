// Both forms present the same read model with the same values.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { getMetricOrThrow, METRICS, type MetricId } from '../../../domain/metrics/index.ts';
import { presentValue, type UnitSystem } from '../../../domain/metrics/present-value.ts';
import { listDays } from '../../../domain/packed/month-sheets/index.ts';
import type { DeviceId } from '../../../domain/tenancy.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import { AppError } from '../../../platform/errors.ts';
import { splitByMonth } from './collect-series.ts';
import { DayPlan, MetricPlan } from './daily-plan.ts';
import type { DailyParameters, DailyReadModel, DailySeries, DaySource } from './daily-read-model.ts';
import { writeRows } from './form1.ts';
import { daily, writeColumns, writeWithSources } from './form2.ts';
import { parseForm1Metrics, parseForm2Types } from './parse-metrics.ts';

const NONE = Number.NaN;
const metricOf = (id: string) => getMetricOrThrow(id as MetricId);
const rangeOf = (from: string, to: string) => listDays(from as LocalDate, to as LocalDate);
const column = (id: string, values: number[] | null, sources: DaySource[][] | null = null): DailySeries => ({
  metric: metricOf(id),
  values: values && Float64Array.from(values),
  sources,
});
type Given = { dates: LocalDate[]; unitSystem: UnitSystem; series: DailySeries[] };
const readModelOf = ({ dates, unitSystem, series }: Given): DailyReadModel => ({
  days: new DayPlan({ from: dates[0] ?? assert.fail(), to: dates.at(-1) ?? assert.fail() }),
  metrics: new MetricPlan(
    series.map(({ metric }) => metric),
    unitSystem,
  ),
  series,
});
const sourceOf = (provider: string, originalValue: number): DaySource => ({
  provider,
  deviceId: `id of ${provider}` as DeviceId,
  originalValue,
  originalUnit: 'm',
});

type Wire = { source?: unknown; sources?: unknown };
const rowsOf = (readModel: DailyReadModel): (Wire & { date: string; metric: string; value: number; unit: string })[] =>
  JSON.parse(writeRows(readModel).toString()).data;
type Columns = {
  dates: string[];
  units: Record<string, string>;
  series: Record<string, (number | null)[]>;
};
const columnsOf = (readModel: DailyReadModel): Columns => JSON.parse(writeColumns(readModel).toString());

describe('daily values in Form 1', () => {
  it('are rows by date, then by metric, without days that have no value', () => {
    const readModel = readModelOf({
      dates: rangeOf('2026-01-31', '2026-02-01'),
      unitSystem: 'metric',
      series: [column('steps', [8_423, NONE]), column('weight', null), column('resting_heart_rate', [51.26, 0])],
    });
    assert.equal(
      writeRows(readModel).toString(),
      '{"data":[{"date":"2026-01-31","metric":"steps","value":8423,"unit":"count"},' +
        '{"date":"2026-01-31","metric":"resting_heart_rate","value":51.3,"unit":"bpm"},' +
        '{"date":"2026-02-01","metric":"resting_heart_rate","value":0,"unit":"bpm"}]}',
    );
  });

  it('are an empty list where there are no values', () => {
    const readModel = readModelOf({ dates: rangeOf('2026-01-31', '2026-01-31'), unitSystem: 'metric', series: [] });
    assert.equal(writeRows(readModel).toString(), '{"data":[]}');
  });
});

describe('daily values in Form 2', () => {
  it('are columns over all dates, in the requested order', () => {
    const readModel = readModelOf({
      dates: rangeOf('2026-01-30', '2026-02-01'),
      unitSystem: 'imperial',
      series: [column('weight', [70, NONE, 71.5]), column('steps', null)],
    });
    assert.equal(
      writeColumns(readModel).toString(),
      '{"from_date":"2026-01-30","to_date":"2026-02-01","dates":["2026-01-30","2026-01-31","2026-02-01"],' +
        '"units":{"weight":"lb","steps":"count"},"series":{"weight":[154.32,null,157.63],"steps":[null,null,null]}}',
    );
  });
});

describe('sources', () => {
  const readModel = readModelOf({
    dates: rangeOf('2026-01-30', '2026-02-01'),
    unitSystem: 'imperial',
    series: [
      column(
        'distance',
        [5.1, 6, NONE],
        [[sourceOf('oura', 5_100.25)], [sourceOf('oura', 4_000), sourceOf('polar', 3_000)], []],
      ),
    ],
  });
  const wire = (provider: string, value: number) => ({
    provider,
    device_id: `id of ${provider}`,
    original_value: value,
    original_unit: 'm',
  });

  it('are in the rows of Form 1: the highest ranked, and all where there are several', () => {
    const [one, two] = rowsOf(readModel);
    assert.deepEqual(one?.source, wire('oura', 5_100.25));
    assert.ok(one && !('sources' in one));
    assert.deepEqual(two?.source, wire('oura', 4_000));
    assert.deepEqual(two?.sources, [wire('oura', 4_000), wire('polar', 3_000)]);
  });

  it('have the same index as the values in the columns of Form 2', async () => {
    const { sources, ...columns } = JSON.parse((await Array.fromAsync(writeWithSources(readModel))).join(''));
    assert.deepEqual(columns, columnsOf(readModel));
    assert.deepEqual(sources, {
      distance: [
        wire('oura', 5_100.25),
        { ...wire('oura', 4_000), sources: [wire('oura', 4_000), wire('polar', 3_000)] },
        null,
      ],
    });
  });
});

describe('the two forms', () => {
  it('present the same values for any read model', () => {
    const dates = rangeOf('2026-01-30', '2026-02-02');
    const value = fc.oneof(fc.constant(NONE), fc.double({ min: -100, max: 100_000, noNaN: true }));
    const series = fc.uniqueArray(
      fc.record({
        index: fc.nat({ max: METRICS.length - 1 }),
        values: fc.array(value, { minLength: 4, maxLength: 4 }),
      }),
      { selector: ({ index }) => index, minLength: 1, maxLength: 5 },
    );
    fc.assert(
      fc.property(series, fc.constantFrom('metric' as const, 'imperial' as const), (columns, unitSystem) => {
        const readModel = readModelOf({
          dates,
          unitSystem,
          series: columns.map(({ index, values }) => column(METRICS[index]?.id ?? '', values)),
        });
        const { units, series } = columnsOf(readModel);
        const fromColumns = Object.entries(series).flatMap(([metric, values]) =>
          values.flatMap((value, index) =>
            value === null ? [] : [{ date: dates[index], metric, value, unit: units[metric] }],
          ),
        );
        const key = (row: { date?: string | undefined; metric: string }) => `${row.date} ${row.metric}`;
        const inOrder = (rows: { date?: string | undefined; metric: string }[]) =>
          rows.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
        assert.deepEqual(inOrder(rowsOf(readModel)), inOrder(fromColumns));
        for (const { metric, values } of readModel.series)
          for (const [index, value] of [...(values ?? [])].entries())
            if (!Number.isNaN(value))
              assert.equal(series[metric.id]?.[index], presentValue(metric, value, unitSystem).value);
      }),
      { numRuns: 300 },
    );
  });
});

describe('the metrics of a request', () => {
  const ids = (metrics: readonly { id: string }[]) => metrics.map(({ id }) => id);
  const rejectionOf = (work: () => unknown) => {
    try {
      work();
    } catch (error) {
      if (error instanceof AppError) return [error.code, error.details];
    }
    return assert.fail('was not rejected');
  };

  it('are all except scores by default', () => {
    assert.equal(parseForm1Metrics(undefined).length, METRICS.length - 6);
    assert.deepEqual(ids(parseForm2Types(undefined)), ids(parseForm1Metrics(undefined)));
  });

  it('have the order of the catalog in Form 1 and of the request in Form 2, without duplicates', () => {
    assert.deepEqual(ids(parseForm1Metrics(' weight,steps ,weight, sleep_score')), ['steps', 'weight', 'sleep_score']);
    assert.deepEqual(ids(parseForm2Types(' weight,steps ,,weight')), ['weight', 'steps']);
  });

  it('are rejected when unknown, served by another endpoint, or empty', () => {
    assert.deepEqual(
      rejectionOf(() => parseForm1Metrics('steps,Steps,x')),
      ['invalid_metric', { unsupported: ['Steps', 'x'] }],
    );
    assert.deepEqual(
      rejectionOf(() => parseForm1Metrics(' ,')),
      ['invalid_metric', { unsupported: [] }],
    );
    assert.deepEqual(
      rejectionOf(() => parseForm2Types('steps,sleep_score')),
      ['invalid_types', { unsupported: ['sleep_score'] }],
    );
    assert.deepEqual(
      rejectionOf(() => parseForm2Types('')),
      ['invalid_types', { unsupported: [] }],
    );
  });
});

describe('the query of Form 2', () => {
  const prepare = (query: object) => daily.prepareQuery?.(query) as DailyParameters;

  it('plans the days it names, and leaves days open that depend on the clock', () => {
    const { days } = prepare({ from_date: '2026-01-31', to_date: '2026-02-01' });
    assert.ok(days instanceof DayPlan);
    assert.deepEqual(days.dates, ['2026-01-31', '2026-02-01']);
    const open = prepare({ from_date: '2026-01-31', types: 'steps' });
    assert.ok(!(open.days instanceof DayPlan));
    assert.equal(open.days.from_date, '2026-01-31');
    assert.deepEqual(
      open.metrics.metrics.map(({ id }) => id),
      ['steps'],
    );
  });

  it('is rejected for unknown metrics at once, and for invalid dates once the user is known', () => {
    assert.throws(() => prepare({ types: 'nonsense' }), AppError);
    assert.ok(!(prepare({ from_date: '2026-02-02', to_date: '2026-02-01' }).days instanceof DayPlan));
  });
});

describe('splitByMonth', () => {
  it('returns the days of each month and their index in the range', () => {
    assert.deepEqual(
      splitByMonth(rangeOf('2025-12-30', '2026-02-03')).map(({ firstDay, days, index }) => [firstDay, days, index]),
      [
        [29, 2, 0],
        [0, 31, 2],
        [0, 3, 33],
      ],
    );
  });
});
