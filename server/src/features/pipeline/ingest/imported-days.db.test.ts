// A day that Withings imported from another vendor's device, together with the connected account of that vendor.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { openTestDatabase } from '../../../../test/support/test-database.ts';
import { createTestUser, openTestUser } from '../../../../test/support/test-samples.ts';
import { consolidationKeyOf } from '../../../domain/consolidate/consolidation-keys.ts';
import { getMetricOrThrow, type MetricId } from '../../../domain/metrics/index.ts';
import { METHODS, type Method } from '../../../domain/metrics/metric.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import { garmin } from '../../../providers/garmin/index.ts';
import type { ProviderRecords } from '../../../providers/provider-records.ts';
import { withings } from '../../../providers/withings/index.ts';
import { connectCloudSource, listSourceDevices } from '../../store/devices/index.ts';
import { toCatalogValue } from '../../store/samples/index.ts';
import { explainDay, ingest } from './index.ts';

const db = await openTestDatabase({ after });

const DATE = '2026-03-02' as LocalDate;
const NOW = new Date('2026-03-03T12:00:00Z');
const CONTEXT = { zone: 'UTC', window: null };
/** Both accounts report these values. The copy's values differ from the original, as apps round and sync late. */
const ORIGINAL = mapOne(garmin, 'dailies', {
  dailies: [
    {
      calendarDate: DATE,
      startTimeInSeconds: 1_772_409_600,
      steps: 9_000,
      distanceInMeters: 7_000,
      floorsClimbed: 9,
      moderateIntensityDurationInSeconds: 1_800,
      vigorousIntensityDurationInSeconds: 900,
      activeKilocalories: 600,
      bmrKilocalories: 1_700,
      minHeartRateInBeatsPerMinute: 48,
      maxHeartRateInBeatsPerMinute: 160,
    },
  ],
});
const COPY_ROW = {
  date: DATE,
  brand: 18,
  is_tracker: false,
  steps: 9_500,
  distance: 7_500,
  elevation: 10,
  moderate: 2_400,
  intense: 1_200,
  calories: 650,
  totalcalories: 2_450,
  hr_average: 70,
  hr_min: 50,
  hr_max: 165,
};
const activityDays = (row: object) => mapOne(withings, 'activity', { status: 0, body: { activities: [row] } });

describe('a day that Withings imported', () => {
  const metrics = ORIGINAL.daily.map(({ metric }) => metric);

  it('is ignored if the original is connected, for every metric, method and order', async () => {
    assert.equal(metrics.length, 9);
    for (const method of METHODS)
      for (const order of ['original first', 'copy first']) {
        const reported = { garmin: ORIGINAL, withings: activityDays(COPY_ROW) };
        const explained = await consolidate(method, order === 'copy first' ? reverse(reported) : reported);
        for (const { metric, value } of ORIGINAL.daily) {
          const what = `${metric} by ${method}, ${order}`;
          const day = await explained(metric);
          assert.ok(Math.abs((day.value ?? 0) - toCatalog(metric, value)) < 1e-9, `${what}: ${day.value}`);
          assert.deepEqual(
            day.outcomes,
            [
              ['garmin', 'used', 'stated'],
              ['withings', 'imported_copy', 'imported'],
            ],
            what,
          );
        }
      }
  });

  it('is used if no other device reports the day, and counts like any other if Withings measured it', async () => {
    const alone = await consolidate('sum', { withings: activityDays(COPY_ROW) });
    const day = await alone('steps');
    assert.deepEqual([day.value, day.outcomes], [9_500, [['withings', 'used', 'imported']]]);
    const measured = await consolidate('sum', {
      garmin: ORIGINAL,
      withings: activityDays({ ...COPY_ROW, brand: 1, is_tracker: true }),
    });
    assert.equal((await measured('steps')).value, 18_500);
  });
});

type Reported = Readonly<Record<string, ProviderRecords>>;

function reverse(reported: Reported): Reported {
  return Object.fromEntries(Object.entries(reported).reverse());
}

/** Connects and reports in the given order, so that each account is the newest connection once. */
async function consolidate(method: Method, reported: Reported) {
  const { userId } = await createTestUser(db);
  const open = async (tx: Parameters<typeof explainDay>[0]) => {
    const user = await openTestUser(tx, userId);
    const settings = Object.fromEntries(
      ORIGINAL.daily.map(({ metric }) => [keyOf(metric), { method, providersOff: [] }]),
    );
    return { ...user, consolidation: { ...user.consolidation, metrics: settings } } as typeof user;
  };
  for (const [index, [provider, records]] of Object.entries(reported).entries())
    await db.transaction(async (tx) => {
      const user = await open(tx);
      const source = { provider, id: null, name: null, model: null, deviceClass: null, osVersion: null };
      const connectedAt = new Date(NOW.getTime() + index * 1_000);
      const device = await connectCloudSource(tx, user, { source, identity: provider }, connectedAt);
      const devices = await listSourceDevices(tx, user);
      await ingest(tx, user, { device, devices }, { ...records, samples: new Map(), deletions: [] }, NOW);
    });
  return async (metric: string) =>
    await db.transaction(async (tx) => {
      const { value, candidates } = await explainDay(tx, await open(tx), getMetricOrThrow(metric as MetricId), DATE);
      return {
        value,
        outcomes: candidates.map(({ device, outcome, deviceValue }) => [device.provider, outcome, deviceValue.origin]),
      };
    });
}

function mapOne(provider: typeof garmin, name: string, body: unknown): ProviderRecords {
  const mappers = [...provider.resources, ...(provider.pushed ?? [])];
  const mapper = mappers.find((candidate) => candidate.name === name);
  assert.ok(mapper);
  return mapper.map(body, CONTEXT);
}

function keyOf(metric: MetricId): string {
  return consolidationKeyOf(getMetricOrThrow(metric)) ?? metric;
}

function toCatalog(metric: MetricId, value: number): number {
  const { unit } = ORIGINAL.daily.find((reported) => reported.metric === metric) ?? { unit: '' };
  return toCatalogValue(getMetricOrThrow(metric), value, unit);
}
