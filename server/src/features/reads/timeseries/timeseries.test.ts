import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { totalDays } from '../../../domain/consolidate/daily-totals.ts';
import { getMetricOrThrow, type MetricId } from '../../../domain/metrics/index.ts';
import { BLOCK_LENGTH_MS, type SampleColumns } from '../../../domain/packed/sample-blocks/index.ts';
import type { DeviceId } from '../../../domain/tenancy.ts';
import { formatInstant, type LocalDate } from '../../../domain/time/calendar.ts';
import { createZone } from '../../../domain/time/day.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../domain/time/durations.ts';
import { AppError } from '../../../platform/errors.ts';
import { snap } from '../../store/samples/index.ts';
import { bucketSamples } from './bucket-samples.ts';
import { type Contributor, createCanonical, pushCanonical, sortCanonical } from './canonical-samples.ts';
import { consolidateSamples } from './consolidate-samples.ts';
import { planBatches } from './plan-batches.ts';
import { parseMetrics } from './query.ts';
import { createTimeTemplate } from './time-template.ts';
import { createSampleWriter, endList, writeBuckets, writeSamples } from './write-samples.ts';

const heartRate = getMetricOrThrow('heart_rate' as MetricId);
const steps = getMetricOrThrow('steps' as MetricId);
const NOON = Date.UTC(2026, 2, 29, 12);

describe('parseMetrics', () => {
  it('accepts metrics that are stored as samples, in the requested order, without duplicates', () => {
    const ids = parseMetrics(' steps, blood_glucose,,steps');
    assert.deepEqual(
      ids.map(({ id }) => id),
      ['steps', 'blood_glucose'],
    );
    assert.equal(parseMetrics('stress_score').length, 1);
  });

  it('rejects other metrics and names them', () => {
    assert.throws(
      () => parseMetrics('steps,body_fat_mass,nonsense'),
      (error) =>
        error instanceof AppError &&
        error.code === 'invalid_metric' &&
        String(error.details.unsupported) === 'body_fat_mass,nonsense',
    );
  });
});

describe('createTimeTemplate', () => {
  it('writes the same text as formatInstant, in any order', () => {
    const anyTime = fc.oneof(
      fc.integer({ min: -2_000_000_000_000, max: 4_000_000_000_000 }),
      fc.integer({ min: 0, max: 100_000 }).map((second) => NOON + second * 1_000),
    );
    fc.assert(
      fc.property(fc.array(anyTime), (times) => {
        const timeAt = createTimeTemplate('„', '“');
        for (const time of times) assert.equal(String(timeAt(time)), `„${formatInstant(new Date(time))}“`);
      }),
    );
  });
});

describe('planBatches', () => {
  const range = { fromMs: NOON - 5 * HOUR_MS, toMs: NOON + 20 * HOUR_MS };
  const block = (index: number, count: number) => ({ beginMs: NOON + index * BLOCK_LENGTH_MS, count });
  const metricsOf = [heartRate, steps];
  const plan = (heart: [number, number][], step: [number, number][], size: number) =>
    planBatches(
      metricsOf,
      new Map([
        [heartRate.id, heart.map(([index, count]) => block(index, count))],
        [steps.id, step.map(([index, count]) => block(index, count))],
      ]),
      range,
      size,
    ).map((batch) =>
      batch.map(({ metric, fromMs, toMs }) => [metric.id, (fromMs - NOON) / HOUR_MS, (toMs - NOON) / HOUR_MS]),
    );

  it('joins sparse metrics and splits dense ones where blocks begin', () => {
    assert.deepEqual(plan([[0, 5]], [[1, 4]], 10), [
      [
        ['heart_rate', -5, 20],
        ['steps', -5, 20],
      ],
    ]);
    assert.deepEqual(
      plan(
        [
          [-1, 6],
          [0, 6],
          [2, 3],
        ],
        [[3, 2]],
        10,
      ),
      [[['heart_rate', -5, 0]], [['heart_rate', 0, 20]], [['steps', -5, 20]]],
    );
  });

  it('skips metrics without samples, and plans no batch when there are none', () => {
    assert.deepEqual(plan([], [[0, 1]], 10), [[['steps', -5, 20]]]);
    assert.deepEqual(plan([], [], 10), []);
  });

  it('covers the range exactly once for any counts', () => {
    const counts = fc.array(fc.tuple(fc.integer({ min: -2, max: 3 }), fc.integer({ min: 1, max: 30 })), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(counts, counts, fc.integer({ min: 1, max: 40 }), (heart, step, size) => {
        const sorted = (list: [number, number][]) => [...new Map(list)].sort(([a], [b]) => a - b);
        const intervals = plan(sorted(heart), sorted(step), size).flat();
        for (const [id, list] of [
          ['heart_rate', heart],
          ['steps', step],
        ] as const) {
          const own = intervals.filter(([name]) => name === id);
          assert.equal(own.length > 0, list.length > 0);
          for (const [index, [, from]] of own.entries()) assert.equal(from, index === 0 ? -5 : own[index - 1]?.[2]);
          if (own.length > 0) assert.equal(own.at(-1)?.[2], 20);
        }
      }),
    );
  });
});

describe('bucketSamples', () => {
  it('returns the mean of levels, with the mean of each device', () => {
    const canonical = createCanonical(4);
    pushCanonical(canonical, NOON + 1_000, NOON + 90 * MINUTE_MS, 70, 0, 0);
    pushCanonical(canonical, NOON + 2_000, NOON + 2_000, 71, 0, 1);
    pushCanonical(canonical, NOON + 20 * MINUTE_MS, NOON + 20 * MINUTE_MS, 60, 1, 0);
    pushCanonical(canonical, NOON + HOUR_MS, NOON + HOUR_MS, 80, 0, 2);
    assert.deepEqual(bucketSamples(heartRate, canonical, HOUR_MS), [
      {
        startMs: NOON,
        value: snap((71 + 60 + 2 * 70) / 4), // the sample of 90 minutes counts where there is no finer one
        contributions: [
          { index: 0, value: snap((71 + 2 * 70) / 3) },
          { index: 1, value: 60 },
        ],
      },
      { startMs: NOON + HOUR_MS, value: 80, contributions: [{ index: 0, value: 80 }] },
    ]);
  });

  it('gives every quarter hour of a longer bucket the same weight, whatever its number of samples', () => {
    const canonical = createCanonical(64);
    for (let second = 0; second < 60; second += 1)
      pushCanonical(canonical, NOON + second * 1_000, NOON, 150, 0, second);
    pushCanonical(canonical, NOON + 20 * MINUTE_MS, NOON, 60, 1, 0);
    pushCanonical(canonical, NOON + 50 * MINUTE_MS, NOON, 90, 0, 60);
    assert.deepEqual(bucketSamples(heartRate, canonical, HOUR_MS), [
      {
        startMs: NOON,
        value: 100,
        contributions: [
          { index: 0, value: 120 },
          { index: 1, value: 60 },
        ],
      },
    ]);
  });

  it('averages levels with a duration as a day does, up to the end of the bucket in which they begin', () => {
    const canonical = createCanonical(4);
    pushCanonical(canonical, NOON, NOON + 45 * MINUTE_MS, 80, 0, 0);
    pushCanonical(canonical, NOON + 50 * MINUTE_MS, NOON + 50 * MINUTE_MS, 60, 0, 1);
    pushCanonical(canonical, NOON + 75 * MINUTE_MS, NOON + 80 * MINUTE_MS, 90, 0, 2);
    pushCanonical(canonical, NOON + 80 * MINUTE_MS, NOON + 180 * MINUTE_MS, 60, 0, 3);
    const bucketsOf = (bucketMs: number) =>
      bucketSamples(heartRate, canonical, bucketMs).map(({ startMs, value }) => [(startMs - NOON) / MINUTE_MS, value]);
    const filled = (column: Float64Array) => column.subarray(0, canonical.count);
    const series = {
      starts: filled(canonical.starts),
      ends: filled(canonical.ends),
      values: filled(canonical.values),
    };
    const day = totalDays('mean', series, createZone('UTC')).get('2026-03-29' as LocalDate);
    assert.deepEqual(bucketsOf(DAY_MS), [[-12 * 60, snap(day ?? 0)]]);
    assert.deepEqual(bucketsOf(HOUR_MS), [
      [0, 75],
      [60, 70],
    ]);
    assert.deepEqual(bucketsOf(15 * MINUTE_MS), [
      [0, 80],
      [45, 60],
      [75, 90],
    ]);
  });

  it('takes each quarter hour from one device, also where a level of another device reaches into it', () => {
    const watch: Level[] = [[15, 30, 60]];
    const ring: Level[] = [[0, 45, 90]];
    const mean = (90 + 60 + 90) / 3;
    assert.deepEqual(hourOf(watch, ring), { value: mean, contributions: [60, 90] });
    assert.deepEqual(hourOf(ring, watch), { value: mean, contributions: [90, 60] });
  });

  it('takes a quarter hour in which no level begins from the highest-ranked device that reaches it', () => {
    const watch: Level[] = [[20, 40, 60]];
    const ring: Level[] = [
      [0, 10, 80],
      [10, 60, 100],
    ];
    const ofRing = (80 * 10 + 100 * 5) / 15;
    assert.deepEqual(hourOf(watch, ring), {
      value: snap((ofRing + 60 + 60 + 100) / 4),
      contributions: [60, snap((ofRing + 100) / 2)],
    });
    assert.deepEqual(hourOf(ring, watch), {
      value: snap((ofRing + 60 + 100 + 100) / 4),
      contributions: [snap((ofRing + 100 + 100) / 3), 60],
    });
  });

  it('spreads totals over the buckets they cover; a sample without duration stays whole', () => {
    const canonical = createCanonical(2);
    pushCanonical(canonical, NOON - 30 * MINUTE_MS, NOON + HOUR_MS, 90, 0, 0);
    pushCanonical(canonical, NOON, NOON, 7, 0, 1);
    assert.deepEqual(
      bucketSamples(steps, canonical, HOUR_MS).map(({ startMs, value }) => [startMs, value]),
      [
        [NOON - HOUR_MS, 30],
        [NOON, 67],
      ],
    );
  });
});

/** Minutes after noon at which a level begins and ends, and its value. */
type Level = readonly [from: number, to: number, value: number];

/** The hour from noon of two devices, the higher-ranked one first. */
function hourOf(...devices: readonly (readonly Level[])[]) {
  const contributors = devices.map((levels): Contributor => {
    const run = { count: levels.length, unit: heartRate.unit, offsetMinutes: 0, method: 'automatic' as const };
    const columns: SampleColumns = {
      starts: Float64Array.from(levels, ([from]) => NOON + from * MINUTE_MS),
      ends: Float64Array.from(levels, ([, to]) => NOON + to * MINUTE_MS),
      values: Float64Array.from(levels, ([, , value]) => value),
      runs: [run],
    };
    const device = { provider: 'oura', id: randomUUID() as DeviceId, transport: 'cloud' as const, vendor: null };
    return { device, columns, series: columns };
  });
  const range = { fromMs: NOON, toMs: NOON + HOUR_MS };
  const consolidating = { zone: createZone('UTC'), range, cutsAtInterval: true };
  const canonical = consolidateSamples({ metric: heartRate, ...range }, contributors, consolidating);
  const [bucket, ...others] = bucketSamples(heartRate, canonical, HOUR_MS);
  assert.deepEqual(others, []);
  return { value: bucket?.value, contributions: bucket?.contributions.map(({ value }) => value) };
}

describe('sortCanonical', () => {
  it('sorts the samples of several devices by time', () => {
    const canonical = createCanonical(0);
    for (let index = 0; index < 40; index += 1) pushCanonical(canonical, NOON + 2 * index, NOON, index, 0, index);
    for (let index = 0; index < 40; index += 1) pushCanonical(canonical, NOON + 2 * index + 1, NOON, index, 1, index);
    const { count, starts, indexes } = sortCanonical(canonical);
    assert.equal(count, 80);
    for (let index = 0; index < 80; index += 1)
      assert.deepEqual([starts[index], indexes[index]], [NOON + index, index % 2]);
  });
});

describe('writeSamples', () => {
  const vitaminD = getMetricOrThrow('vitamin_d' as MetricId); // its unit is not ASCII
  const id = '0b0e6a4e-0000-4000-8000-000000000001' as DeviceId;
  const device = { provider: 'oura', id, transport: 'cloud' as const, vendor: null };

  /** Two hours; some samples have milliseconds, some values a fraction. */
  function sampled(count: number, unit: string) {
    const canonical = createCanonical(count);
    const values = new Float64Array(count);
    for (let index = 0; index < count; index += 1) {
      const start = NOON + Math.floor((index * 2 * HOUR_MS) / count);
      values[index] = index % 3 === 0 ? index + 0.25 : index;
      pushCanonical(canonical, start, start, values[index] as number, 0, index);
    }
    const run = { count, unit, offsetMinutes: 0, method: 'unknown' as const };
    const columns: SampleColumns = { starts: canonical.starts, ends: null, values, runs: [run] };
    const contributors: Contributor[] = [{ device, columns, series: columns }];
    return { canonical, contributors };
  }

  for (const includeSources of [false, true])
    it(`writes pieces that add up to the text of JSON.stringify, ${includeSources ? 'with' : 'without'} sources`, () => {
      const list = createSampleWriter();
      const expected: unknown[] = [];
      let text = '';
      let pieces = 0;
      for (const [metric, count] of [
        [heartRate, 0],
        [heartRate, 2_000],
        [heartRate, 1],
        [vitaminD, 1_500],
      ] as const) {
        const { canonical, contributors } = sampled(count, metric.unit);
        const notation = { unitSystem: 'metric', includeSources } as const;
        const sourceOf = (value: number) => ({
          source: {
            provider: device.provider,
            device_id: device.id,
            original_value: value,
            original_unit: metric.unit,
          },
        });
        const item = (startMs: number, value: number) => ({
          timestamp: formatInstant(new Date(startMs)),
          metric: metric.id,
          value,
          unit: metric.unit,
          ...(includeSources && sourceOf(value)),
        });
        for (const piece of writeSamples(list, metric, canonical, contributors, notation)) {
          text += piece;
          pieces += 1;
        }
        for (let index = 0; index < count; index += 1)
          expected.push(item(canonical.starts[index] as number, canonical.values[index] as number));
        const buckets = bucketSamples(metric, canonical, HOUR_MS);
        for (const piece of writeBuckets(list, metric, buckets, contributors, notation)) text += piece;
        for (const { startMs, value } of buckets) expected.push(item(startMs, value));
      }
      endList(list);
      assert.equal(text + list.writer.takeText(), JSON.stringify(expected));
      assert.ok(pieces > 1, `${pieces} pieces`);
    });
});
