// The first steps of a new environment, each ticked by what the service has seen, never by a click.
import { DAY_MS, HOUR_MS } from '../../../domain/time/durations.ts';
import type { MemberCaller } from '../../../platform/http/caller.ts';
import type { Services } from '../../../platform/services.ts';
import { hasSyncedDevice } from '../../clouds/sync/index.ts';
import { listWebhookFailure } from '../../notify/webhooks/index.ts';
import { listApiKeys, readEnvironmentUsage as readAccountUsage } from '../../tenancy/accounts/index.ts';
import { listRequests, paceOfAccount, type RequestEntry } from '../../tenancy/request-log/index.ts';
import { readUsage } from '../../tenancy/usage/index.ts';
import { listUsers } from '../../tenancy/user-core/index.ts';

export type FirstSteps = {
  readonly users: number;
  readonly key: { readonly lastFour: string; readonly createdAt: Date; readonly isUsed: boolean } | null;
  readonly firstUser: { readonly id: string; readonly referenceId: string | null } | null;
  /** The call that did the step. */
  readonly created: RequestEntry | null;
  readonly explained: RequestEntry | null;
  /** By the command line, the feed or a webhook. */
  readonly isListening: boolean;
  readonly isConnected: boolean;
};

const KEPT_MS = 7 * DAY_MS; // as long as the request log

export async function readFirstSteps({
  services,
  caller: { tenant },
}: {
  services: Pick<Services, 'clock' | 'db' | 'shares'>;
  caller: MemberCaller;
}): Promise<FirstSteps> {
  const { db, clock } = services;
  const from = new Date(Math.floor((clock.now().getTime() - KEPT_MS) / HOUR_MS) * HOUR_MS); // so that hours are read
  const latest = async (filter: Omit<Parameters<typeof listRequests>[2], 'limit'>) =>
    (await listRequests(db, tenant, { ...filter, statusClass: '2xx', limit: 1 }, paceOfAccount(services, tenant)))[0] ??
    null;
  const [usage, keys, users, created, explained, feed, listening, webhooks, isConnected, anything] = await Promise.all([
    readAccountUsage(db, tenant),
    listApiKeys(db, tenant),
    listUsers(db, tenant, { referenceId: null, after: null, limit: 1, offset: 0 }),
    latest({ method: 'POST', route: '/v1/users' }),
    latest({ method: 'GET', route: '/v1/users/:user_id/daily/explain' }),
    latest({ method: 'GET', route: '/v1/events' }),
    readUsage(db, tenant, { from, minutesFrom: from, bucketMs: KEPT_MS }),
    listWebhookFailure(db, tenant),
    hasSyncedDevice(db, tenant),
    listRequests(db, tenant, { limit: 1 }),
  ]);
  const key = keys.find(({ end }) => end === null) ?? null;
  const [user] = users;
  return {
    users: usage.userCount,
    key: key && {
      lastFour: key.lastFour,
      createdAt: key.createdAt,
      isUsed: key.lastUsedAt !== null || anything.length > 0,
    },
    firstUser: user === undefined ? null : { id: user.id, referenceId: user.referenceId },
    created,
    explained,
    isListening: feed !== null || webhooks.length > 0 || listening.some(({ kind }) => kind === 'listen'),
    isConnected,
  };
}
