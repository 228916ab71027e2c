// Erases again what was erased after a backup, and ends the keys that were ended. As after a deletion, nothing of it can be read
// once the transaction commits, and jobs erase the data.
import type { Transaction } from '../../../platform/db/database.ts';
import type { Services } from '../../../platform/services.ts';
import { hashSubject, type Tombstone, type TombstoneKind } from '../../../platform/tombstones.ts';
import { startErasure } from '../../people/users/index.ts';
import { listAccounts, listUsableKeyIds, revokeApiKey, startAccountErasure } from '../../tenancy/accounts/index.ts';
import { listKeptUsers, lockOwnUser } from '../../tenancy/user-core/index.ts';

export type AppliedTombstones = { readonly users: number; readonly accounts: number; readonly keys: number };

type NeededServices = Pick<Services, 'clock' | 'credentialVersion' | 'derivedSecrets' | 'jobs' | 'tombstones'>;

const BATCH_USERS = 1_000;

export async function applyTombstones(
  services: NeededServices,
  tx: Transaction,
  tombstones: readonly Tombstone[],
): Promise<AppliedTombstones> {
  const subjects = (kind: TombstoneKind) =>
    new Map(tombstones.flatMap((one) => (one.kind === kind ? [[one.subject, one]] : [])));
  const keys = await endKeys(services, tx, subjects('api_key'));
  const users = await eraseUsers(services, tx, subjects('user'));
  const accounts = await eraseAccounts(services, tx, subjects('account'));
  await services.credentialVersion.bump(tx);
  return { users, accounts, keys };
}

type Subjects = ReadonlyMap<string, Tombstone>;

async function eraseUsers(services: NeededServices, tx: Transaction, subjects: Subjects): Promise<number> {
  let count = 0;
  if (subjects.size === 0) return count;
  for (let after: string | null = null; ; ) {
    const page = await listKeptUsers(tx, after, BATCH_USERS);
    for (const { userId, tenant } of page) {
      if (!subjects.has(hashSubject(services.derivedSecrets, 'user', userId))) continue;
      const own = await lockOwnUser(tx, tenant, userId);
      if (own === null) continue;
      await startErasure(services, tx, own);
      count += 1;
    }
    if (page.length < BATCH_USERS) return count;
    after = page.at(-1)?.userId ?? null;
  }
}

async function eraseAccounts(services: NeededServices, tx: Transaction, subjects: Subjects): Promise<number> {
  let count = 0;
  if (subjects.size === 0) return count;
  for (const { id } of await listAccounts(tx))
    if (subjects.has(hashSubject(services.derivedSecrets, 'account', id)))
      if (await startAccountErasure(services, tx, id)) count += 1;
  return count;
}

async function endKeys(services: NeededServices, tx: Transaction, subjects: Subjects): Promise<number> {
  let count = 0;
  if (subjects.size === 0) return count;
  for (const id of await listUsableKeyIds(tx)) {
    const tombstone = subjects.get(hashSubject(services.derivedSecrets, 'api_key', id));
    if (tombstone && (await revokeApiKey(tx, id, new Date(tombstone.at)))) count += 1;
  }
  return count;
}
