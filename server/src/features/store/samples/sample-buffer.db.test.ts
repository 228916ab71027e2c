import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { assertSameState } from '../../../../test/support/assert-same-state.ts';
import { sampleAt } from '../../../../test/support/generate-samples.ts';
import { openTestDatabase } from '../../../../test/support/test-database.ts';
import { createTestUser } from '../../../../test/support/test-samples.ts';
import { type MetricId, metricNumberOf } from '../../../domain/metrics/index.ts';
import {
  BLOCK_LENGTH_MS,
  columnsOfSamples,
  MAX_BLOCK_SAMPLES,
  type SampleColumns,
  samplesOfColumns,
} from '../../../domain/packed/sample-blocks/index.ts';
import type { EpochMs, Sample } from '../../../domain/records/records.ts';
import type { DeviceNumber } from '../../../domain/tenancy.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../domain/time/durations.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { unpackBlock } from './block-payload.ts';
import { describeSamples, openSampleBuffer, removeSamples, type SampleBuffer } from './index.ts';

const db = await openTestDatabase({ after });

const MIDNIGHT = Date.UTC(2026, 2, 29);
const heartRate = 'heart_rate' as MetricId;
const steps = 'steps' as MetricId;
const [watch, phone] = [1 as DeviceNumber, 2 as DeviceNumber];

const columnsAt = (...starts: number[]): SampleColumns => columnsOfSamples(starts.map((start) => sampleAt(start)));
const lasting = (start: number, minutes: number, value = 100): Sample =>
  sampleAt(start, { end: (start + minutes * MINUTE_MS) as EpochMs, value, unit: 'count' });
const startsOf = (columns: SampleColumns | undefined) => Array.from(columns?.starts ?? []);

type Row = {
  metric: number;
  block: number;
  device: number;
  revision: number;
  count: number;
  min: number;
  max: number;
  sum: number;
  first_ms: number;
  last_ms: number;
  reach_seconds: number;
  payload: Buffer;
};
const rowsOf = (user: UserHandle): Promise<Row[]> =>
  db.query<Row>('select * from sample_blocks where user_id = $1 order by metric, block, device', [user.userId]);

/** Opens a buffer, runs the work and flushes it. */
async function inBuffer<Result>(user: UserHandle, work: (buffer: SampleBuffer) => Promise<Result>): Promise<Result> {
  return db.transaction(async (tx) => {
    const buffer = openSampleBuffer(tx, user);
    const result = await work(buffer);
    await buffer.flush();
    return result;
  });
}

/** Counts the queries that it passes on. */
function countQueries(target: Queryable): Queryable & { count: number } {
  const counting = {
    count: 0,
    query: <Result extends object>(text: Parameters<Queryable['query']>[0], values?: readonly unknown[]) => {
      counting.count += 1;
      return target.query<Result>(text, values);
    },
  };
  return counting;
}

describe('SampleBuffer.merge', () => {
  it('writes one row per metric, device and six hours, with its summary columns', async () => {
    const user = await createTestUser(db);
    const samples = [
      sampleAt(MIDNIGHT + 1_500, { value: 60 }),
      sampleAt(MIDNIGHT + HOUR_MS, { value: 1.5, unit: 'Hz', end: (MIDNIGHT + 8 * HOUR_MS + 1) as EpochMs }),
      sampleAt(MIDNIGHT + 6 * HOUR_MS, { value: 70 }),
    ];
    const result = await inBuffer(user, (buffer) =>
      buffer.merge(watch, new Map([[heartRate, columnsOfSamples(samples)]])),
    );
    assert.deepEqual(result, {
      added: 3,
      replaced: 0,
      equal: 0,
      refused: [],
      touched: [{ metric: heartRate, fromMs: MIDNIGHT + 1_500, toMs: MIDNIGHT + 6 * HOUR_MS }],
    });
    const [first, second, ...others] = await rowsOf(user);
    assert.deepEqual(others, []);
    const { payload, ...figures } = first ?? { payload: Buffer.of() };
    assert.deepEqual(figures, {
      user_id: user.userId,
      metric: metricNumberOf(heartRate),
      block: MIDNIGHT / BLOCK_LENGTH_MS,
      device: watch,
      revision: 1,
      count: 2,
      min: 60,
      max: 90,
      sum: 150,
      first_ms: 1_500,
      last_ms: HOUR_MS,
      reach_seconds: 8 * 3_600 + 1,
    });
    assert.deepEqual(samplesOfColumns(unpackBlock(payload)), samples.slice(0, 2));
    assert.deepEqual([second?.block, second?.count], [MIDNIGHT / BLOCK_LENGTH_MS + 1, 1]);
  });

  it('returns the added, replaced and equal samples, and the interval of changes', async () => {
    const user = await createTestUser(db);
    const before = [lasting(MIDNIGHT, 1), lasting(MIDNIGHT + HOUR_MS, 90), lasting(MIDNIGHT + 2 * HOUR_MS, 1)];
    await inBuffer(user, (buffer) => buffer.merge(watch, new Map([[steps, columnsOfSamples(before)]])));
    const sent = [lasting(MIDNIGHT, 1), lasting(MIDNIGHT + HOUR_MS, 1, 7), lasting(MIDNIGHT + 2 * HOUR_MS, 1)];
    const result = await inBuffer(user, (buffer) =>
      buffer.merge(watch, new Map([[steps, columnsOfSamples([...sent, lasting(MIDNIGHT + DAY_MS, 2)])]])),
    );
    assert.deepEqual(result, {
      added: 1,
      replaced: 1,
      equal: 2,
      refused: [],
      touched: [
        { metric: steps, fromMs: MIDNIGHT + HOUR_MS, toMs: MIDNIGHT + 2.5 * HOUR_MS - 1 },
        { metric: steps, fromMs: MIDNIGHT + DAY_MS, toMs: MIDNIGHT + DAY_MS + 2 * MINUTE_MS - 1 },
      ],
    });
    assert.deepEqual(
      (await rowsOf(user)).map(({ revision }) => revision),
      [2, 1],
    );
  });

  it('writes nothing for samples that are stored already', async () => {
    const user = await createTestUser(db);
    const send = () => inBuffer(user, (buffer) => buffer.merge(watch, new Map([[heartRate, columnsAt(MIDNIGHT)]])));
    await send();
    const before = await rowsOf(user);
    const { equal, touched } = await send();
    assert.deepEqual([equal, touched], [1, []]);
    assert.deepEqual(await rowsOf(user), before);
  });

  it('reads once and writes once for any number of metrics and blocks', async () => {
    const user = await createTestUser(db);
    const metrics = ['heart_rate', 'blood_oxygen', 'respiratory_rate', 'body_temperature', 'weight'] as MetricId[];
    const days = Array.from({ length: 30 }, (_, day) => MIDNIGHT + day * DAY_MS);
    const units = ['bpm', '%', 'breaths/min', '°C', 'kg'];
    const samples = new Map(
      metrics.map((metric, index) => [
        metric,
        columnsOfSamples(days.map((start) => sampleAt(start, { unit: units[index] ?? '' }))),
      ]),
    );
    await db.transaction(async (tx) => {
      const counted = countQueries(tx);
      const buffer = openSampleBuffer(counted, user);
      await buffer.merge(watch, samples);
      assert.equal(counted.count, 1);
      await buffer.merge(watch, samples);
      assert.equal(counted.count, 1, 'known blocks are not read again');
      await buffer.read(metrics.map((metric) => ({ metric, fromMs: MIDNIGHT, toMs: MIDNIGHT + DAY_MS })));
      assert.equal(counted.count, 2);
      await buffer.flush();
      assert.equal(counted.count, 3);
      await buffer.flush();
      assert.equal(counted.count, 3, 'what is written is clean');
    });
    assert.equal((await rowsOf(user)).length, 150);
  });

  it('rejects samples that would exceed the limit of a block, and reports them', async () => {
    const user = await createTestUser(db);
    const count = MAX_BLOCK_SAMPLES;
    const full: SampleColumns = {
      starts: Float64Array.from({ length: count }, (_, index) => MIDNIGHT + index * 100),
      ends: null,
      values: new Float64Array(count).fill(71),
      runs: [{ count, unit: 'bpm', offsetMinutes: 0, method: 'automatic' }],
    };
    await inBuffer(user, (buffer) => buffer.merge(watch, new Map([[heartRate, full]])));
    const more = columnsAt(MIDNIGHT + 50, MIDNIGHT + 150, MIDNIGHT + 6 * HOUR_MS);
    const result = await inBuffer(user, (buffer) => buffer.merge(watch, new Map([[heartRate, more]])));
    assert.deepEqual(result, {
      added: 1,
      replaced: 0,
      equal: 0,
      refused: [{ metric: heartRate, count: 2 }],
      touched: [{ metric: heartRate, fromMs: MIDNIGHT + 6 * HOUR_MS, toMs: MIDNIGHT + 6 * HOUR_MS }],
    });
    assert.deepEqual(
      (await rowsOf(user)).map((row) => row.count),
      [count, 1],
    );
  });

  it('writes more rows than fit into one statement', async () => {
    const user = await createTestUser(db);
    const starts = Array.from({ length: 1_100 }, (_, day) => MIDNIGHT - day * DAY_MS).reverse();
    await inBuffer(user, (buffer) => buffer.merge(watch, new Map([[heartRate, columnsAt(...starts)]])));
    assert.equal((await rowsOf(user)).length, 1_100);
  });

  it('writes the same rows for any split, order and repetition', async () => {
    const anySamples = fc
      .array(
        fc.record({
          metric: fc.constantFrom(heartRate, steps),
          device: fc.constantFrom(watch, phone),
          start: fc.integer({ min: 0, max: 400 }).map((minutes) => MIDNIGHT + minutes * 7 * MINUTE_MS),
          minutes: fc.constantFrom(0, 0, 5, 700),
          value: fc.constantFrom(60, 61.5, 1 / 3),
        }),
        { minLength: 1, maxLength: 40 },
      )
      // One value per start, because the order decides between different values.
      .map((list) => [...new Map(list.map((one) => [`${one.metric} ${one.device} ${one.start}`, one])).values()]);
    const plan = anySamples.chain((samples) =>
      fc.record({
        samples: fc.constant(samples),
        uploads: fc.array(fc.array(fc.nat({ max: samples.length - 1 }), { maxLength: 20 }), { maxLength: 4 }),
      }),
    );
    type Planned = Parameters<Parameters<typeof anySamples.map>[0]>[0][number];
    const send = async (user: UserHandle, uploads: readonly (readonly Planned[])[]) => {
      for (const upload of uploads)
        for (const [device, ofDevice] of Map.groupBy(upload, (one) => one.device))
          await inBuffer(user, async (buffer) => {
            const samples = new Map<MetricId, SampleColumns>();
            for (const [metric, list] of Map.groupBy(ofDevice, (one) => one.metric)) {
              const unit = metric === steps ? 'count' : 'bpm';
              const toSample = ({ start, minutes, value }: Planned) => ({ ...lasting(start, minutes, value), unit });
              samples.set(metric, columnsOfSamples(list.map(toSample)));
            }
            await buffer.merge(device, samples);
          });
    };
    const comparable = async (user: UserHandle) =>
      (await rowsOf(user)).map(({ revision: _, user_id: __, ...row }: Row & { user_id?: string }) => row);
    await fc.assert(
      fc.asyncProperty(plan, async ({ samples, uploads }) => {
        const [once, piecewise] = [await createTestUser(db), await createTestUser(db)];
        await send(once, [samples]);
        const pieces = uploads.map((positions) => positions.flatMap((position) => samples[position] ?? []));
        await send(piecewise, [...pieces, samples.toReversed(), samples.slice(0, 5)]);
        assertSameState(await comparable(piecewise), await comparable(once));
      }),
      { numRuns: 40, endOnFailure: true },
    );
  });
});

describe('SampleBuffer.read', () => {
  it('returns samples of all devices that start in the range or last into it, including unwritten ones', async () => {
    const created = await createTestUser(db);
    const user = { ...created, longestSampleMs: 8 * HOUR_MS };
    const long = lasting(MIDNIGHT - 7 * HOUR_MS, 8 * 60);
    await inBuffer(user, (buffer) =>
      buffer.merge(watch, new Map([[steps, columnsOfSamples([long, lasting(MIDNIGHT - 7 * HOUR_MS + 1, 7 * 60)])]])),
    );
    await db.transaction(async (tx) => {
      const buffer = openSampleBuffer(tx, user);
      await buffer.merge(
        phone,
        new Map([[steps, columnsOfSamples([lasting(MIDNIGHT, 1), lasting(MIDNIGHT + DAY_MS, 1)])]]),
      );
      const found = await buffer.read([{ metric: steps, fromMs: MIDNIGHT, toMs: MIDNIGHT + DAY_MS }]);
      assert.deepEqual(startsOf(found.get(steps)?.get(watch)), [long.start, long.start + 1]);
      assert.deepEqual(startsOf(found.get(steps)?.get(phone)), [MIDNIGHT]);
    });
  });

  it('looks back by the longest sample of the same transaction', async () => {
    const user = await createTestUser(db);
    assert.equal(user.longestSampleMs, 0);
    await db.transaction(async (tx) => {
      const buffer = openSampleBuffer(tx, user);
      await buffer.merge(watch, new Map([[steps, columnsOfSamples([lasting(MIDNIGHT - 20 * HOUR_MS, 21 * 60)])]]));
      assert.equal(buffer.longestMs(), 21 * HOUR_MS);
      const read = async () =>
        startsOf((await buffer.read([{ metric: steps, fromMs: MIDNIGHT, toMs: MIDNIGHT + 1 }])).get(steps)?.get(watch));
      assert.deepEqual(await read(), [MIDNIGHT - 20 * HOUR_MS]);
      await buffer.flush();
      assert.deepEqual(await read(), [MIDNIGHT - 20 * HOUR_MS]);
    });
  });

  it('returns each sample once for several requests of a metric, and no device for a metric without samples', async () => {
    const user = await createTestUser(db);
    const starts = [0, 1, 2, 3, 30].map((hours) => MIDNIGHT + hours * HOUR_MS);
    const across = lasting(MIDNIGHT, 150);
    const samples = [across, ...starts.slice(1).map((start) => lasting(start, 0))];
    await inBuffer(user, (buffer) => buffer.merge(watch, new Map([[steps, columnsOfSamples(samples)]])));
    const buffer = openSampleBuffer(db, { ...user, longestSampleMs: 150 * MINUTE_MS });
    const found = await buffer.read([
      { metric: steps, fromMs: MIDNIGHT + 2 * HOUR_MS, toMs: MIDNIGHT + 3 * HOUR_MS },
      { metric: steps, fromMs: MIDNIGHT + HOUR_MS, toMs: MIDNIGHT + HOUR_MS + 1 },
      { metric: heartRate, fromMs: MIDNIGHT, toMs: MIDNIGHT + DAY_MS },
      { metric: steps, fromMs: MIDNIGHT + 30 * HOUR_MS, toMs: MIDNIGHT + 30 * HOUR_MS },
    ]);
    assert.deepEqual(startsOf(found.get(steps)?.get(watch)), starts.slice(0, 3));
    assert.equal(found.get(heartRate)?.size, 0);
  });

  it('does not return samples of another user', async () => {
    const [one, other] = [await createTestUser(db), await createTestUser(db)];
    await inBuffer(one, (buffer) => buffer.merge(watch, new Map([[heartRate, columnsAt(MIDNIGHT)]])));
    const found = await openSampleBuffer(db, other).read([
      { metric: heartRate, fromMs: MIDNIGHT - DAY_MS, toMs: MIDNIGHT + DAY_MS },
    ]);
    assert.equal(found.get(heartRate)?.size, 0);
  });
});

describe('SampleBuffer.remove', () => {
  it('removes a closed interval, even if it cuts blocks or blocks are in memory', async () => {
    const user = await createTestUser(db);
    const starts = Array.from({ length: 40 }, (_, index) => MIDNIGHT + index * HOUR_MS);
    await inBuffer(user, (buffer) => buffer.merge(watch, new Map([[heartRate, columnsAt(...starts)]])));
    await inBuffer(user, (buffer) => buffer.merge(phone, new Map([[heartRate, columnsAt(...starts)]])));
    const result = await inBuffer(user, async (buffer) => {
      await buffer.merge(watch, new Map([[heartRate, columnsAt(MIDNIGHT + 7.5 * HOUR_MS)]]));
      return buffer.remove(watch, heartRate, [{ fromMs: MIDNIGHT + 2 * HOUR_MS, toMs: MIDNIGHT + 25 * HOUR_MS }]);
    });
    assert.deepEqual(result, {
      removed: 25,
      touched: [{ metric: heartRate, fromMs: MIDNIGHT + 2 * HOUR_MS, toMs: MIDNIGHT + 25 * HOUR_MS }],
    });
    const found = await openSampleBuffer(db, user).read([
      { metric: heartRate, fromMs: MIDNIGHT, toMs: MIDNIGHT + 9 * DAY_MS },
    ]);
    assert.deepEqual(startsOf(found.get(heartRate)?.get(watch)), [...starts.slice(0, 2), ...starts.slice(26)]);
    assert.deepEqual(startsOf(found.get(heartRate)?.get(phone)), starts);
  });

  it('removes many intervals at once, in any order and overlapping, with the same result as one by one', async () => {
    const [together, inOrder] = [await createTestUser(db), await createTestUser(db)];
    const starts = Array.from({ length: 200 }, (_, index) => MIDNIGHT + index * 20 * MINUTE_MS);
    const intervals = [
      [70, 71],
      [0, 0],
      [5, 5],
      [7, 6],
      [3, 4.5],
      [4, 5],
      [20, 60],
      [36, 54],
      [54.2, 54.2],
      [59.9, 62],
    ].map(([from = 0, to = 0]) => ({ fromMs: MIDNIGHT + from * HOUR_MS, toMs: MIDNIGHT + to * HOUR_MS }));
    for (const user of [together, inOrder])
      await inBuffer(user, (buffer) => buffer.merge(watch, new Map([[heartRate, columnsAt(...starts)]])));
    const all = await inBuffer(together, (buffer) => buffer.remove(watch, heartRate, intervals));
    const counts: number[] = [];
    for (const interval of intervals)
      counts.push((await inBuffer(inOrder, (buffer) => buffer.remove(watch, heartRate, [interval]))).removed);
    assert.equal(
      all.removed,
      counts.reduce((sum, count) => sum + count, 0),
    );
    const left = async (user: UserHandle) => {
      const found = await openSampleBuffer(db, user).read([
        { metric: heartRate, fromMs: MIDNIGHT, toMs: MIDNIGHT + 9 * DAY_MS },
      ]);
      return startsOf(found.get(heartRate)?.get(watch));
    };
    const isLeft = (start: number) => !intervals.some(({ fromMs, toMs }) => start >= fromMs && start <= toMs);
    assert.deepEqual(await left(together), starts.filter(isLeft));
    assert.deepEqual(await left(together), await left(inOrder));
  });

  it('decodes no block to remove all samples', async () => {
    const user = await createTestUser(db);
    const starts = Array.from({ length: 300 }, (_, index) => MIDNIGHT - index * 10 * DAY_MS).reverse();
    await inBuffer(user, (buffer) => buffer.merge(watch, new Map([[heartRate, columnsAt(...starts)]])));
    await db.query(`update sample_blocks set payload = '\\xff' where user_id = $1`, [user.userId]); // decoding one would fail
    const { removed } = await inBuffer(user, (buffer) =>
      buffer.remove(watch, heartRate, [{ fromMs: -Infinity, toMs: Infinity }]),
    );
    assert.equal(removed, 300);
    assert.deepEqual(await rowsOf(user), []);
  });

  it('changes nothing for empty intervals', async () => {
    const user = await createTestUser(db);
    await inBuffer(user, (buffer) =>
      buffer.merge(watch, new Map([[heartRate, columnsAt(MIDNIGHT, MIDNIGHT + HOUR_MS)]])),
    );
    const before = await rowsOf(user);
    for (const [from, to] of [
      [MIDNIGHT + 1, MIDNIGHT + HOUR_MS - 1],
      [MIDNIGHT + HOUR_MS, MIDNIGHT],
    ] as const) {
      const result = await inBuffer(user, (buffer) => buffer.remove(watch, heartRate, [{ fromMs: from, toMs: to }]));
      assert.deepEqual(result, { removed: 0, touched: [] });
    }
    assert.deepEqual(await rowsOf(user), before);
  });

  it('restores a removed block when samples are merged again in the same buffer', async () => {
    const user = await createTestUser(db);
    await inBuffer(user, (buffer) => buffer.merge(watch, new Map([[heartRate, columnsAt(MIDNIGHT)]])));
    const result = await inBuffer(user, async (buffer) => {
      await buffer.remove(watch, heartRate, [{ fromMs: MIDNIGHT, toMs: MIDNIGHT }]);
      return buffer.merge(watch, new Map([[heartRate, columnsAt(MIDNIGHT + 1)]]));
    });
    assert.equal(result.added, 1);
    const [row] = await rowsOf(user);
    assert.deepEqual([row?.first_ms, row?.count, row?.revision], [1, 1, 2]);
  });
});

describe('SampleBuffer.removeDevice', () => {
  it('removes all samples of a device, merged ones too, and keeps other devices', async () => {
    const user = await createTestUser(db);
    await inBuffer(user, async (buffer) => {
      const ofWatch = new Map([
        [heartRate, columnsAt(MIDNIGHT + 1_000, MIDNIGHT + 6 * HOUR_MS, MIDNIGHT + 9 * DAY_MS)],
        [steps, columnsOfSamples([lasting(MIDNIGHT, 10)])],
      ]);
      await buffer.merge(watch, ofWatch);
      await buffer.merge(phone, new Map([[heartRate, columnsAt(MIDNIGHT)]]));
    });
    await inBuffer(user, async (buffer) => {
      await buffer.merge(
        watch,
        new Map([[steps, columnsOfSamples([lasting(MIDNIGHT, 1), lasting(MIDNIGHT + DAY_MS, 1)])]]),
      );
      await buffer.removeDevice(watch);
      const day = { fromMs: MIDNIGHT, toMs: MIDNIGHT + 2 * DAY_MS };
      assert.equal((await buffer.read([{ metric: steps, ...day }])).get(steps)?.size, 0);
    });
    assert.deepEqual(
      (await rowsOf(user)).map(({ device }) => device),
      [phone],
    );
  });
});

describe('SampleBuffer.flush', () => {
  it('fails if a block changed since it was read', async () => {
    const user = await createTestUser(db);
    const start = (buffer: SampleBuffer) => buffer.merge(watch, new Map([[heartRate, columnsAt(MIDNIGHT)]]));
    const late = openSampleBuffer(db, user);
    await start(late);
    await inBuffer(user, start);
    await assert.rejects(late.flush(), /a sample block changed since it was read/);
    const removing = openSampleBuffer(db, user);
    await removing.remove(watch, heartRate, [{ fromMs: MIDNIGHT, toMs: MIDNIGHT }]);
    await inBuffer(user, (buffer) => buffer.merge(watch, new Map([[heartRate, columnsAt(MIDNIGHT + 1)]])));
    await assert.rejects(removing.flush(), /a sample block changed since it was read/);
    assert.equal((await rowsOf(user))[0]?.count, 2);
  });
});

describe('describeSamples', () => {
  it('counts samples per device that start in the range, with the first and last start', async () => {
    const user = await createTestUser(db);
    const starts = Array.from({ length: 30 }, (_, index) => MIDNIGHT + index * HOUR_MS);
    await inBuffer(user, (buffer) => buffer.merge(watch, new Map([[heartRate, columnsAt(...starts)]])));
    await inBuffer(user, (buffer) => buffer.merge(phone, new Map([[heartRate, columnsAt(MIDNIGHT)]])));
    const range = [MIDNIGHT + HOUR_MS, MIDNIGHT + 26 * HOUR_MS] as const;
    assert.deepEqual(await describeSamples(db, user, heartRate, ...range), [
      { device: watch, count: 25, firstMs: MIDNIGHT + HOUR_MS, lastMs: MIDNIGHT + 25 * HOUR_MS },
    ]);
    assert.deepEqual(await describeSamples(db, user, steps, ...range), []);
  });
});

describe('removeSamples', () => {
  it('removes all samples of one user', async () => {
    const [one, other] = [await createTestUser(db), await createTestUser(db)];
    for (const user of [one, other])
      await inBuffer(user, (buffer) => buffer.merge(watch, new Map([[heartRate, columnsAt(MIDNIGHT)]])));
    await removeSamples(db, one);
    assert.deepEqual([(await rowsOf(one)).length, (await rowsOf(other)).length], [0, 1]);
  });
});
