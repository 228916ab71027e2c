// The dashboard's home page in one read: what needs attention, what flows, and the counts of a range. It is computed at most
// every five seconds per environment and range, however many members look at it.
import { createHash } from 'node:crypto';
import { createBoundedMap } from '../../../domain/bounded-map.ts';
import type { Tenant } from '../../../domain/tenancy.ts';
import { SECOND_MS } from '../../../domain/time/durations.ts';
import type { MemberCaller } from '../../../platform/http/caller.ts';
import type { Services } from '../../../platform/services.ts';
import { listWaitingProviders } from '../../clouds/sync/index.ts';
import { readFeedState } from '../../notify/events/index.ts';
import { listWebhookFailure } from '../../notify/webhooks/index.ts';
import { countDevicesByOrigin, listDevicesToReconnect } from '../../store/devices/index.ts';
import { expiresSoon, listApiKeys, readUsage as readAccountUsage } from '../../tenancy/accounts/index.ts';
import { readLatency } from '../../tenancy/request-log/index.ts';
import { readUsageSums } from '../../tenancy/usage/index.ts';
import { listAttention } from './attention.ts';
import { presentOverview } from './present-overview.ts';
import { barsOf, type Range, sumOf } from './series.ts';

export type OverviewReply = ReturnType<typeof presentOverview>;

const KEPT_MS = 5 * SECOND_MS;
const MAX_KEPT = 1_000; // environments and ranges
const MAX_RECONNECTS = 500;
const MAX_COUNTED_USERS = 2_000; // beyond this, devices are not counted for the river
const MAX_COUNTED_EVENTS = 5_000;

type Kept = { readonly untilMs: number; readonly overview: Promise<{ reply: OverviewReply; version: string }> };
const keptByDatabase = new WeakMap<object, Map<string, Kept>>();

type OverviewServices = Pick<Services, 'clock' | 'db'>;
type Context = {
  readonly services: OverviewServices;
  readonly caller: MemberCaller;
  revalidate(version: string): void;
};

export async function readOverview(context: Context, { range }: { readonly range: Range }): Promise<OverviewReply> {
  const { reply, version } = await readKept(context.services, context.caller.tenant, range);
  context.revalidate(version);
  return reply;
}

function readKept(services: OverviewServices, tenant: Tenant, range: Range): Kept['overview'] {
  const nowMs = services.clock.monotonicMs();
  const pool = services.db.pool(); // the same for all accounts of the process
  const kept = keptByDatabase.getOrInsertComputed(pool, () => createBoundedMap<string, Kept>(MAX_KEPT));
  const key = `${tenant.accountId}/${tenant.environment}/${range}`;
  const known = kept.get(key);
  if (known !== undefined && nowMs < known.untilMs) return known.overview;
  const overview = compute(services, tenant, range).catch((error: unknown) => {
    kept.delete(key);
    throw error;
  });
  kept.set(key, { untilMs: nowMs + KEPT_MS, overview });
  return overview;
}

async function compute({ db, clock }: OverviewServices, tenant: Tenant, range: Range) {
  const now = clock.now();
  const bars = barsOf(range, now);
  const [usage, { people, oldestWaiting }, state] = await Promise.all([
    readUsageSums(db, tenant, bars),
    readFeedState(db, tenant, bars.from, MAX_COUNTED_EVENTS),
    readState(db, tenant, now),
  ]);
  const { webhooks, reconnects, waits } = state;
  const { bad: refusedValues } = sumOf(usage, 'reading');
  const expiringKeys = state.keys.filter((key) => expiresSoon(key, now));
  const attention = listAttention({ oldestWaiting, webhooks, reconnects, expiringKeys, waits, refusedValues }, now);
  const reply = presentOverview({ ...state, now, range, bars, usage, attention, people });
  const { computed_at: _, ...content } = reply;
  return { reply, version: createHash('sha1').update(JSON.stringify(content)).digest('base64url') };
}

/** What does not depend on the range. An account gets few connections at once, so the statements that take longest start first. */
async function readState(db: OverviewServices['db'], tenant: Tenant, now: Date) {
  const { userCount } = await readAccountUsage(db, tenant);
  const [devices, latency, webhooks, waits, reconnects, keys] = await Promise.all([
    userCount > MAX_COUNTED_USERS ? null : countDevicesByOrigin(db, tenant, MAX_COUNTED_USERS),
    readLatency(db, tenant),
    listWebhookFailure(db, tenant),
    listWaitingProviders(db, tenant, now),
    listDevicesToReconnect(db, tenant, MAX_RECONNECTS),
    listApiKeys(db, { account: tenant.accountId, environment: tenant.environment }),
  ]);
  return { userCount, devices, latency, webhooks, waits, reconnects, keys };
}
