import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { assertSameState } from '../../../../test/support/assert-same-state.ts';
import { sampleAt } from '../../../../test/support/generate-samples.ts';
import { openTestDatabase } from '../../../../test/support/test-database.ts';
import { createTestUser, insertDevice, openTestUser, storeSamples } from '../../../../test/support/test-samples.ts';
import { getMetricOrThrow, type MetricId } from '../../../domain/metrics/index.ts';
import type { EpochMs } from '../../../domain/records/records.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import { createZone } from '../../../domain/time/day.ts';
import { MINUTE_MS } from '../../../domain/time/durations.ts';
import { listSourceDevices } from '../../store/devices/index.ts';
import type { TimeseriesQuery } from './query.ts';
import { streamTimeseries } from './stream-timeseries.ts';

const db = await openTestDatabase({ after });

const steps = getMetricOrThrow('steps' as MetricId);
const heartRate = getMetricOrThrow('heart_rate' as MetricId);

async function readAll(
  userId: string,
  query: Partial<TimeseriesQuery>,
  options: { batchSamples?: number; isEnabled?: (metric: unknown, provider: string) => boolean } = {},
) {
  const user = await openTestUser(db, userId);
  const devices = await listSourceDevices(db, user);
  const whole: TimeseriesQuery = {
    userId,
    metrics: [steps],
    range: { from: '2026-03-28' as LocalDate, to: '2026-03-30' as LocalDate },
    unitSystem: 'metric',
    includeSources: true,
    bucketMs: null,
    ...query,
  };
  let text = '';
  for await (const piece of streamTimeseries({ db, user, devices, isEnabled: () => true, ...options }, whole))
    text += piece;
  return JSON.parse(text).data as { timestamp: string; metric: string; value: number; source: { provider: string } }[];
}

/** Minutes after the first day's local midnight, length and value; some cross midnights, blocks and each other. */
const anyRows = fc.array(
  fc.tuple(fc.integer({ min: -600, max: 4_500 }), fc.constantFrom(0, 1, 10, 40, 300, 1_500), fc.nat(500)),
  { maxLength: 25 },
);

describe('streamTimeseries', () => {
  it('returns the same samples for any batch size, and buckets of any size add up to them', async () => {
    const zoneName = 'Europe/Berlin';
    const midnight = createZone(zoneName).dayOf('2026-03-28' as LocalDate).start;
    await fc.assert(
      fc.asyncProperty(anyRows, anyRows, anyRows, async (...devices) => {
        const { userId } = await createTestUser(db, zoneName);
        for (const [index, rows] of devices.entries()) {
          const device = await insertDevice(db, userId, { number: index + 1, provider: `provider-${index}` });
          const samples = rows.map(([minute, length, value]) => {
            const start = midnight + minute * MINUTE_MS;
            return sampleAt(start, { end: (start + length * MINUTE_MS) as EpochMs, value, unit: 'count' });
          });
          await storeSamples(db, userId, device.number, 'steps', samples);
          await storeSamples(
            db,
            userId,
            device.number,
            'heart_rate',
            samples.map((sample) => ({ ...sample, unit: 'bpm' })),
          );
        }
        for (const metrics of [[steps], [heartRate, steps]]) {
          const whole = await readAll(userId, { metrics });
          assertSameState(await readAll(userId, { metrics }, { batchSamples: 1 }), whole);
          const times = whole.filter(({ metric }) => metric === 'steps').map(({ timestamp }) => Date.parse(timestamp));
          assert.deepEqual(
            times,
            times.toSorted((a, b) => a - b),
          );
          const sumOf = (list: typeof whole) =>
            list.filter(({ metric }) => metric === 'steps').reduce((sum, { value }) => sum + value, 0);
          for (const bucketMs of [MINUTE_MS, 15 * MINUTE_MS, 60 * MINUTE_MS]) {
            const buckets = await readAll(userId, { metrics, bucketMs }, { batchSamples: 3 });
            assert.ok(Math.abs(sumOf(buckets) - sumOf(whole)) < 1e-6, `${sumOf(buckets)} ${sumOf(whole)}`);
          }
        }
      }),
      { numRuns: 12, examples: [[[], [[1_141, 0, 0]], [[1_101, 40, 1]]]] },
    );
  });

  it('returns a sample across two batches whole', async () => {
    const { userId } = await createTestUser(db);
    const device = await insertDevice(db, userId, { number: 1 });
    const noon = Date.UTC(2026, 2, 29, 12);
    const across = sampleAt(noon - 7 * MINUTE_MS, { end: (noon + 3 * MINUTE_MS) as EpochMs, value: 99, unit: 'count' });
    const later = sampleAt(noon + 5 * MINUTE_MS, { value: 1, unit: 'count' });
    await storeSamples(db, userId, device.number, 'steps', [across, later]);
    const found = await readAll(userId, {}, { batchSamples: 1 });
    assert.deepEqual(
      found.map(({ timestamp, value }) => [timestamp, value]),
      [
        ['2026-03-29T11:53:00Z', 99],
        ['2026-03-29T12:05:00Z', 1],
      ],
    );
  });

  it('skips a provider that is disabled for the metric', async () => {
    const { userId } = await createTestUser(db);
    const time = Date.UTC(2026, 2, 29, 12);
    for (const [index, provider] of ['garmin', 'oura'].entries()) {
      const device = await insertDevice(db, userId, { number: index + 1, provider });
      await storeSamples(db, userId, device.number, 'heart_rate', [sampleAt(time, { value: 60 + index })]);
    }
    const read = async (off: string) =>
      (await readAll(userId, { metrics: [heartRate] }, { isEnabled: (_, provider) => provider !== off })).map(
        ({ source }) => source.provider,
      );
    assert.deepEqual(await read('garmin'), ['oura']);
    assert.deepEqual(await read('oura'), ['garmin']);
  });
});
