// Reads the counters of a range in two parts: the past, which is summed once a minute, and the last minutes, which still change.
import type { Tenant } from '../../../domain/tenancy.ts';
import { MINUTE_MS } from '../../../domain/time/durations.ts';
import type { Services } from '../../../platform/services.ts';
import { readUsageSums, type UsageSum } from '../../tenancy/usage/index.ts';
import { createKeptReads } from './kept-reads.ts';
import type { BarRange, OverviewRange } from './series.ts';

const SETTLED_MS = 2 * MINUTE_MS; // every process writes its counts after five seconds
const PAST_KEPT_MS = MINUTE_MS; // counts of a process that could not reach the database are late by at most this
const MAX_PASTS = 300; // environments and ranges, up to 600 numbers each

type Past = { readonly until: Date; readonly sums: readonly UsageSum[] };
const keepPast = createKeptReads<Past>({ keptMs: PAST_KEPT_MS, limit: MAX_PASTS });

/** A key or bar can have two sums, one of each part. */
export async function readRangeUsage(
  services: Pick<Services, 'clock' | 'db'>,
  tenant: Tenant,
  range: OverviewRange,
  bars: BarRange,
): Promise<readonly UsageSum[]> {
  const { db, clock } = services;
  const { until, sums } = await keepPast(services, {
    key: `${tenant.accountId}/${tenant.environment}/${range}`,
    version: bars.from.getTime(),
    async read() {
      const settled = new Date(Math.floor((clock.now().getTime() - SETTLED_MS) / MINUTE_MS) * MINUTE_MS);
      return { until: settled, sums: await readUsageSums(db, tenant, { ...bars, until: settled }) };
    },
  });
  const latest = await readUsageSums(db, tenant, { from: until, minutesFrom: until, bucketMs: MINUTE_MS });
  const toBar = (minute: number) =>
    Math.floor((until.getTime() + minute * MINUTE_MS - bars.from.getTime()) / bars.bucketMs);
  return [...sums, ...latest.map((sum) => (sum.index === null ? sum : { ...sum, index: toBar(sum.index) }))];
}
