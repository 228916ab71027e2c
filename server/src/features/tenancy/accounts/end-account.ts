// Closes, reopens and deletes accounts. `name` is the name or the id of the account, `by` is written to the audit log.
import type { AccountId } from '../../../domain/tenancy.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import type { JobRef } from '../../../platform/jobs/job-queue.ts';
import { Type } from '../../../platform/json-schema.ts';
import type { Services } from '../../../platform/services.ts';
import type { Actor } from './actor.ts';
import { insertAudit } from './audit-store.ts';
import { changeCredentials, getAccountOrThrow } from './manage-accounts.ts';
import { type Account, setClosed, setDeleting, setOpen } from './store.ts';

type NeededServices = Pick<Services, 'clock' | 'credentialVersion' | 'db'>;
type AccountAction = 'account.closed' | 'account.deleted' | 'account.reopened';

/** All keys, tokens and SDK sessions are rejected within a second; syncs and deliveries wait until the account is reopened. */
export async function closeAccount(services: NeededServices, name: string, by: Actor): Promise<Account> {
  const account = await getAccountOrThrow(services, name);
  const closedAt = services.clock.now();
  const isChanged = await change(services, account, 'account.closed', by, (tx) => setClosed(tx, account.id, closedAt));
  return isChanged ? { ...account, closedAt } : account;
}

export async function reopenAccount(services: NeededServices, name: string, by: Actor): Promise<Account> {
  const account = await getAccountOrThrow(services, name);
  await change(services, account, 'account.reopened', by, (tx) => setOpen(tx, account.id));
  return { ...account, closedAt: null };
}

/** The job is defined by the feature that can reach every table of an account. */
export const eraseAccountRef: JobRef<{ account_id: string }> = {
  name: 'erase_account',
  payload: Type.Object({ account_id: Type.String() }),
  maxAttempts: 10_000, // a deletion is retried until it succeeds
};

/** Closes the account and frees its name; a job erases its users and everything else, and cannot be undone. */
export async function deleteAccount(
  services: NeededServices & Pick<Services, 'jobs' | 'tombstones'>,
  name: string,
  by: Actor,
): Promise<Account> {
  const account = await getAccountOrThrow(services, name);
  const at = services.clock.now();
  await change(services, account, 'account.deleted', by, (tx) => startAccountErasure(services, tx, account.id));
  await services.tombstones.tryToAdd('account', account.id); // the job repeats it
  return { ...account, closedAt: account.closedAt ?? at };
}

/** False: it has started already. */
export async function startAccountErasure(
  { clock, jobs }: Pick<Services, 'clock' | 'jobs'>,
  tx: Transaction,
  id: AccountId,
): Promise<boolean> {
  if (!(await setDeleting(tx, id, clock.now()))) return false;
  await jobs.enqueue(tx, eraseAccountRef, { account_id: id }, { coalesceBy: id });
  return true;
}

/** Audited only if `work` changed something. */
function change(
  services: NeededServices,
  { id }: Account,
  action: AccountAction,
  by: Actor,
  work: (tx: Transaction) => Promise<boolean>,
): Promise<boolean> {
  return changeCredentials(services, async (tx) => {
    const isChanged = await work(tx);
    const entry = { at: services.clock.now(), actor: by, action, subject: id };
    if (isChanged) await insertAudit(tx, { accountId: id, environment: null, ...entry });
    return isChanged;
  });
}
