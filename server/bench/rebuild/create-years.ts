// Users with one year of data: three devices of three providers that disagree, thirty metrics, three of them as samples.

import { METRICS, type Metric, type MetricId } from '../../src/domain/metrics/index.ts';
import { columnsOfSamples, type SampleColumns } from '../../src/domain/packed/sample-blocks/index.ts';
import type { DailyValue, EpochMs } from '../../src/domain/records/records.ts';
import type { LocalDate } from '../../src/domain/time/calendar.ts';
import { DAY_MS } from '../../src/domain/time/durations.ts';
import { QUARTER_HOUR_MS } from '../../src/domain/time/quarter-hours.ts';
import { ingest } from '../../src/features/pipeline/ingest/index.ts';
import { openSource } from '../../src/features/store/devices/index.ts';
import { lockUser } from '../../src/features/tenancy/user-core/index.ts';
import type { Database } from '../../src/platform/db/database.ts';
import type { BenchUsers } from '../storage/run-month.ts';

const DAYS = 365;
const FIRST_MS = Date.parse('2025-03-01T00:00:00Z');
const NOW = new Date(FIRST_MS + (DAYS + 1) * DAY_MS);
const SOURCES = [
  { provider: 'apple_health', deviceClass: 'wrist' },
  { provider: 'health_connect', deviceClass: 'phone' },
  { provider: 'samsung_health', deviceClass: 'ring' },
] as const;
const SAMPLED = ['steps', 'active_calories', 'heart_rate'] as MetricId[];
/** Metrics that a device can report as daily values, spread over the catalog. */
const STATED: readonly Metric[] = METRICS.filter(
  ({ id, consolidation }) =>
    (consolidation.by === 'own' || consolidation.by === 'group') &&
    !SAMPLED.includes(id) &&
    !id.startsWith('sleep_start'),
)
  .filter((_, index) => index % 5 === 0)
  .slice(0, 27);

export const METRIC_COUNT = SAMPLED.length + STATED.length;

export async function createYear(db: Database, users: BenchUsers, userIndex: number): Promise<void> {
  for (const [index, source] of SOURCES.entries()) {
    await db.transaction(async (tx) => {
      const userId = users.userIds[userIndex];
      const locked = userId && (await lockUser(tx, users.tenant, userId));
      if (!locked) throw new Error('user not found');
      const opening = {
        source: { ...source, id: `source-${index}`, name: null, model: null, osVersion: null },
        observedZone: null,
        installationId: 'bench',
        sessionCreatedAt: NOW,
        barOf: () => null,
      };
      const opened = await openSource(tx, locked.handle, opening, NOW);
      if (opened === null) throw new Error('the source was rejected');
      const batch = {
        samples: listSamples(index, userIndex),
        daily: listStated(index, userIndex),
        sleep: [],
        workouts: [],
        deletions: [],
      };
      await ingest(tx, locked.handle, opened, batch, NOW);
    });
  }
}

function listStated(device: number, userIndex: number): DailyValue[] {
  return Array.from({ length: DAYS }, (_, day) => {
    const date = new Date(FIRST_MS + day * DAY_MS).toISOString().slice(0, 10) as LocalDate;
    return STATED.map(({ id, usual, unit }, index): DailyValue => {
      const share = ((day * 7 + device * 13 + index * 5 + userIndex) % 97) / 97;
      return {
        date,
        metric: id,
        value: Math.round(usual.min + share * (usual.max - usual.min)),
        unit,
        method: 'automatic',
      };
    });
  }).flat();
}

/** Every quarter hour of the waking day. */
function listSamples(device: number, userIndex: number): Map<MetricId, SampleColumns> {
  return new Map(
    SAMPLED.map((metric, index) => {
      const samples = Array.from({ length: DAYS * 64 }, (_, at) => {
        const start = (FIRST_MS + Math.floor(at / 64) * DAY_MS + (24 + (at % 64)) * QUARTER_HOUR_MS) as EpochMs;
        const isTotal = metric !== 'heart_rate';
        const value = isTotal
          ? (at * 31 + device * 17 + userIndex + index) % 400
          : 55 + ((at * 7 + device + userIndex) % 60);
        const unit = metric === 'steps' ? 'count' : isTotal ? 'kcal' : 'bpm';
        const end = (isTotal ? start + QUARTER_HOUR_MS : start) as EpochMs;
        return { start, end, value, unit, offsetMinutes: 60, method: 'automatic' as const };
      });
      return [metric, columnsOfSamples(samples)];
    }),
  );
}
