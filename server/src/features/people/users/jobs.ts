// Erases deleted users. Every table with personal data has an entry in ERASERS, except the request log, which users share.

import type { UserId } from '../../../domain/tenancy.ts';
import { DAY_MS } from '../../../domain/time/durations.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { defineJob } from '../../../platform/jobs/define-job.ts';
import { removeGivenUpJobs, removeJobsNaming } from '../../../platform/jobs/job-queue.ts';
import { Type } from '../../../platform/json-schema.ts';
import type { Services } from '../../../platform/services.ts';
import { hashSubject } from '../../../platform/tombstones.ts';
import { deauthorizeAll, removeAuthorizations } from '../../clouds/connections/index.ts';
import { removeAccounts } from '../../clouds/provider-accounts/index.ts';
import { removeSyncOfUser } from '../../clouds/sync/index.ts';
import { removeImportsOfUser } from '../../intake/imports/index.ts';
import { removeUploads } from '../../intake/uploads/index.ts';
import { removeEvents } from '../../notify/events/index.ts';
import { removeDeliveries } from '../../notify/webhooks/index.ts';
import { removeScoring } from '../../pipeline/scoring/index.ts';
import { removePerson } from '../../sandbox/sandbox-users/index.ts';
import { removeDays } from '../../store/daily-store/index.ts';
import { removeDevices } from '../../store/devices/index.ts';
import { removeObservedMax } from '../../store/heart-rate-range/index.ts';
import { removePayloads } from '../../store/raw-payloads/index.ts';
import { removeSamples } from '../../store/samples/index.ts';
import { removeRoutes, removeSessions } from '../../store/session-store/index.ts';
import {
  hideErased,
  hideUserInAudit,
  insertAudit,
  listReadableErasures,
  SERVICE,
} from '../../tenancy/accounts/index.ts';
import { removeRequests } from '../../tenancy/request-log/index.ts';
import { removeSdkSessions } from '../../tenancy/sdk-sessions/index.ts';
import { removeMobileTokens } from '../../tenancy/tokens/index.ts';
import { openUserForErasure, removeUser, type UserHandle } from '../../tenancy/user-core/index.ts';
import { removeMemberships } from '../memberships/index.ts';

const ERASERS: readonly ((tx: Transaction, user: UserHandle) => Promise<void>)[] = [
  removeAuthorizations,
  removeAccounts,
  removeMobileTokens,
  removeSdkSessions,
  removeUploads,
  removePayloads,
  removeSamples,
  removeSessions,
  removeRoutes,
  removeDays,
  removeObservedMax,
  removeScoring,
  removeEvents,
  async (tx, user) => void (await removeDeliveries(tx, user)),
  removeSyncOfUser,
  removeDevices,
  removePerson,
];

export const eraseUserJob = defineJob({
  name: 'erase_user',
  payload: Type.Object({ user_id: Type.String() }),
  maxAttempts: 10_000, // an erasure is retried until it succeeds
  async run(services, payload) {
    const open = (tx: Transaction) => openUserForErasure(tx, payload.user_id as UserId);
    const user = await services.db.transaction(open);
    if (user === null) return; // an earlier run erased the user
    await services.tombstones.add('user', user.userId);
    await eraseUser(services, open);
  },
});

type ErasureServices = Pick<
  Services,
  'auditTrail' | 'clock' | 'db' | 'derivedSecrets' | 'jobs' | 'log' | 'secrets' | 'settings'
>;

/**
 * Takes the calls out of the request log block by block, then removes everything else in one transaction; only the audit entry stays. `open` is
 * called in each transaction; null: another run has erased the user.
 */
export async function eraseUser(
  services: ErasureServices,
  open: (tx: Transaction) => Promise<UserHandle | null>,
): Promise<void> {
  const inTransaction = <Result>(erase: (tx: Transaction, user: UserHandle) => Promise<Result>) =>
    services.db.transaction(async (tx) => {
      const user = await open(tx);
      return user === null ? null : erase(tx, user);
    });
  while (await inTransaction(removeRequests));
  await inTransaction((tx, user) => eraseRows(services, tx, user));
}

async function eraseRows(services: ErasureServices, tx: Transaction, user: UserHandle): Promise<void> {
  await deauthorizeAll(services, tx, user);
  for (const erase of ERASERS) await erase(tx, user);
  removeImportsOfUser(services.settings.importFolder, user);
  const rosterIds = await removeMemberships(tx, user, services.clock.now());
  await removeUser(tx, user);
  await removeJobsNaming(tx, [user.userId, ...rosterIds]);
  const subject = hashSubject(services.derivedSecrets, 'user', user.userId);
  await hideUserInAudit(tx, user, subject);
  await services.auditTrail.forgetUser(tx, user);
  const entry = { at: services.clock.now(), actor: SERVICE, action: 'user.erased', subject };
  await insertAudit(tx, { ...user.tenant, ...entry });
}

/** Long enough for an operator to look at a failed job. Failed jobs may contain a user's id, so they are not kept longer. */
const FAILED_JOBS_MS = 7 * DAY_MS;

export const removeTracesJob = defineJob({
  name: 'remove_traces',
  payload: Type.Object({}),
  cron: '11 * * * *',
  async run(services) {
    const { db, log } = services;
    const count = await removeGivenUpJobs(db, FAILED_JOBS_MS);
    if (count > 0) log.warn({ count }, 'removed jobs that failed more than a week ago');
    for (const { id, subject } of await listReadableErasures(db))
      await hideErased(db, id, hashSubject(services.derivedSecrets, 'user', subject));
  },
});
