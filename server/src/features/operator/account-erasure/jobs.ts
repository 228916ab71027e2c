// Erases a deleted account: user by user, then its other rows in batches, then the account itself. Every step is a transaction
// of its own and finds its work in the database, so that a run that was killed is continued by the next.
import type { AccountId } from '../../../domain/tenancy.ts';
import { MINUTE_MS, SECOND_MS } from '../../../domain/time/durations.ts';
import { defineJob } from '../../../platform/jobs/define-job.ts';
import { hasJobsNaming, removeJobsNaming } from '../../../platform/jobs/job-queue.ts';
import type { Services } from '../../../platform/services.ts';
import { deauthorizeJob } from '../../clouds/connections/index.ts';
import { listAppIds } from '../../clouds/provider-apps/index.ts';
import { removeImportsOfAccount } from '../../intake/imports/index.ts';
import { eraseUser } from '../../people/users/index.ts';
import {
  eraseAccountRef,
  insertAudit,
  isDeleted,
  lockDeletedAccount,
  removeAccountRow,
  SERVICE,
} from '../../tenancy/accounts/index.ts';
import { removeRequestsOf } from '../../tenancy/request-log/index.ts';
import { listUsersToErase, startErasureOf } from '../../tenancy/user-core/index.ts';
import { ACCOUNT_ERASERS, LAST_ERASERS } from './erasers.ts';

const BATCH_USERS = 50;
const BATCH_ROWS = 1_000;
/** Then the job queues itself again, so that other jobs get their share of the worker. */
const RUN_MS = 20 * SECOND_MS;
const REVOCATION_WAIT_MS = MINUTE_MS;
/** Longer than any request takes: one that was admitted before the deletion may still have written a row. */
const LAST_SWEEP_MS = 15 * MINUTE_MS;

type Payload = { readonly account_id: string };

export const eraseAccountJob = defineJob({
  ...eraseAccountRef,
  payload: eraseAccountRef.payload,
  async run(services, payload) {
    const { account_id } = payload as Payload;
    const accountId = account_id as AccountId;
    const endMs = performance.now() + RUN_MS;
    const isOver = () => performance.now() >= endMs;
    await services.tombstones.add('account', accountId);
    // Before the users: the erasure of each of them searches these calls.
    while ((await removeRequestsOf(services.db, accountId, BATCH_ROWS)) > 0);
    if (!(await eraseUsers(services, accountId, isOver))) return repeat(services, { account_id }, 0);
    await eraseRows(services, accountId);
    removeImportsOfAccount(services.settings.importFolder, accountId);
    if (!(await isDeleted(services.db, accountId))) return; // an earlier run removed it; this was the last sweep
    if (await isRevoking(services, accountId)) return repeat(services, { account_id }, REVOCATION_WAIT_MS);
    await removeAccount(services, accountId);
    await repeat(services, { account_id }, LAST_SWEEP_MS);
  },
});

type ErasureServices = Parameters<typeof eraseUser>[0];

/** False: the time of this run is over. */
async function eraseUsers(services: ErasureServices, accountId: AccountId, isOver: () => boolean): Promise<boolean> {
  for (;;) {
    const batch = await listUsersToErase(services.db, accountId, BATCH_USERS);
    if (batch.length === 0) return true;
    for (const userId of batch) {
      if (isOver()) return false;
      await eraseUser(services, (tx) => startErasureOf(tx, userId));
    }
  }
}

async function eraseRows({ db }: Pick<Services, 'db'>, accountId: AccountId): Promise<void> {
  for (const erase of ACCOUNT_ERASERS) while ((await erase(db, accountId, BATCH_ROWS)) > 0);
}

/** The account's own credentials at a provider are needed until the access of its users is revoked there. */
async function isRevoking({ db }: Pick<Services, 'db'>, accountId: AccountId): Promise<boolean> {
  const appIds = await listAppIds(db, accountId);
  return appIds.length > 0 && (await hasJobsNaming(db, deauthorizeJob, appIds));
}

async function removeAccount(services: Pick<Services, 'clock' | 'db'>, accountId: AccountId): Promise<void> {
  await services.db.transaction(async (tx) => {
    if (!(await lockDeletedAccount(tx, accountId))) return;
    for (const erase of LAST_ERASERS) await erase(tx, accountId);
    await removeAccountRow(tx, accountId);
    await removeJobsNaming(tx, [accountId]);
    const at = services.clock.now();
    const entry = { at, actor: SERVICE, action: 'account.erased', subject: accountId };
    await insertAudit(tx, { accountId: null, environment: null, ...entry });
  });
}

async function repeat({ db, jobs }: Pick<Services, 'db' | 'jobs'>, payload: Payload, delayMs: number): Promise<void> {
  const options = { coalesceBy: payload.account_id, delayMs };
  await db.transaction((tx) => jobs.enqueue(tx, eraseAccountRef, { ...payload }, options));
}
