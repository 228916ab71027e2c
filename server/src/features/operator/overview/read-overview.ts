// The dashboard's home page in one read: what needs attention, what flows, and the counts of a range. It is computed at most
// every five seconds per environment and range, however many members look at it, and a count that takes long once a minute.
import { createHash } from 'node:crypto';
import type { Tenant } from '../../../domain/tenancy.ts';
import { MINUTE_MS, SECOND_MS } from '../../../domain/time/durations.ts';
import type { MemberCaller } from '../../../platform/http/caller.ts';
import type { Services } from '../../../platform/services.ts';
import { listWaitingProviders } from '../../clouds/sync/index.ts';
import { countPeopleSince, type PeopleCount, readOldestWaiting } from '../../notify/events/index.ts';
import { listWebhookFailure } from '../../notify/webhooks/index.ts';
import { countDevicesByOrigin, listDevicesToReconnect } from '../../store/devices/index.ts';
import { expiresSoon, listApiKeys, readEnvironmentUsage as readAccountUsage } from '../../tenancy/accounts/index.ts';
import { readLatency } from '../../tenancy/request-log/index.ts';
import { listAttention } from './attention.ts';
import { createKeptReads } from './kept-reads.ts';
import { presentOverview } from './present-overview.ts';
import { readRangeUsage } from './read-usage.ts';
import { type BarRange, barsOf, type OverviewRange, sumUsage } from './series.ts';

export type OverviewReply = ReturnType<typeof presentOverview>;

const MAX_KEPT = 1_000; // environments and ranges
const MAX_RECONNECTS = 500;
const MAX_COUNTED_USERS = 2_000; // beyond this, devices are not counted for the river
const MAX_COUNTED_EVENTS = 5_000;
const MANY = 500; // devices or events; a count above this is kept for a minute

const keepOverview = createKeptReads<{ readonly reply: OverviewReply; readonly version: string }>({
  keptMs: 5 * SECOND_MS,
  limit: MAX_KEPT,
});
const keepPeople = createKeptReads<PeopleCount>({
  keptMs: MINUTE_MS,
  limit: MAX_KEPT,
  isKept: ({ events }) => events > MANY,
});
const keepDevices = createKeptReads<ReadonlyMap<string, number>>({
  keptMs: MINUTE_MS,
  limit: MAX_KEPT,
  isKept: (devices) => devices.values().reduce((sum, count) => sum + count, 0) > MANY,
});

type OverviewServices = Pick<Services, 'clock' | 'db'>;
type Context = {
  readonly services: OverviewServices;
  readonly caller: MemberCaller;
  revalidate(version: string): void;
};

export async function readOverview(
  context: Context,
  { range }: { readonly range: OverviewRange },
): Promise<OverviewReply> {
  const { services, caller } = context;
  const { reply, version } = await keepOverview(services, {
    key: `${keyOf(caller.tenant)}/${range}`,
    read: () => compute(services, caller.tenant, range),
  });
  context.revalidate(version);
  return reply;
}

const keyOf = ({ accountId, environment }: Tenant) => `${accountId}/${environment}`;

async function compute(services: OverviewServices, tenant: Tenant, range: OverviewRange) {
  const now = services.clock.now();
  const bars = barsOf(range, now);
  const [usage, { people }, state] = await Promise.all([
    readRangeUsage(services, tenant, range, bars),
    countPeople(services, tenant, range, bars),
    readState(services, tenant, now),
  ]);
  const { oldestWaiting, webhooks, reconnects, waits } = state;
  const { bad: refusedValues } = sumUsage(usage, 'reading');
  const expiringKeys = state.keys.filter((key) => expiresSoon(key, now));
  const attention = listAttention({ oldestWaiting, webhooks, reconnects, expiringKeys, waits, refusedValues }, now);
  const reply = presentOverview({ ...state, now, range, bars, usage, attention, people });
  const { computed_at: _, ...content } = reply;
  return { reply, version: createHash('sha1').update(JSON.stringify(content)).digest('base64url') };
}

function countPeople(services: OverviewServices, tenant: Tenant, range: OverviewRange, { from }: BarRange) {
  return keepPeople(services, {
    key: `${keyOf(tenant)}/${range}`,
    version: from.getTime(),
    read: () => countPeopleSince(services.db, tenant, from, MAX_COUNTED_EVENTS),
  });
}

/** What does not depend on the range. An account gets few connections at once, so the statements that take longest start first. */
async function readState(services: OverviewServices, tenant: Tenant, now: Date) {
  const { db } = services;
  const [{ userCount, devices }, latency, webhooks, waits, reconnects, keys, oldestWaiting] = await Promise.all([
    countUsersAndDevices(services, tenant),
    readLatency(db, tenant),
    listWebhookFailure(db, tenant),
    listWaitingProviders(db, tenant, now),
    listDevicesToReconnect(db, tenant, MAX_RECONNECTS),
    listApiKeys(db, tenant),
    readOldestWaiting(db),
  ]);
  return { userCount, devices, latency, webhooks, waits, reconnects, keys, oldestWaiting };
}

async function countUsersAndDevices(services: OverviewServices, tenant: Tenant) {
  const { userCount } = await readAccountUsage(services.db, tenant);
  if (userCount > MAX_COUNTED_USERS) return { userCount, devices: null };
  const read = () => countDevicesByOrigin(services.db, tenant, MAX_COUNTED_USERS);
  return { userCount, devices: await keepDevices(services, { key: keyOf(tenant), read }) };
}
