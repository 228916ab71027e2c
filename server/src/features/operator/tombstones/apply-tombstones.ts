// Erases again what was erased after a backup, and ends the keys and the sharing that were ended. As after a deletion, nothing of it
// can be read once the transaction commits, and jobs erase the data.
import { compareText } from '../../../domain/consolidate/ranking.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import type { Services } from '../../../platform/services.ts';
import { hashSubject, type Tombstone, type TombstoneKind } from '../../../platform/tombstones.ts';
import { endSharing } from '../../people/memberships/index.ts';
import { startErasure } from '../../people/users/index.ts';
import { listAccounts, listUsableKeyIds, revokeApiKey, startAccountErasure } from '../../tenancy/accounts/index.ts';
import { listKeptUsers, lockOwnUser, lockUser } from '../../tenancy/user-core/index.ts';

export type AppliedTombstones = {
  /** Lines, also those that apply to nothing. */
  readonly read: number;
  /** Erased. */
  readonly users: number;
  readonly accounts: number;
  readonly keys: number;
  /** Users whose sharing has ended. */
  readonly unshared: number;
};

type NeededServices = Pick<Services, 'clock' | 'credentialVersion' | 'derivedSecrets' | 'jobs' | 'tombstones'>;

const BATCH_USERS = 1_000;

export async function applyTombstones(
  services: NeededServices,
  tx: Transaction,
  tombstones: readonly Tombstone[],
): Promise<AppliedTombstones> {
  // Files of several machines are read one after the other.
  const ordered = tombstones.toSorted((one, other) => compareText(one.at, other.at));
  const subjects = (kind: TombstoneKind) =>
    new Map(ordered.flatMap((one) => (one.kind === kind ? [[one.subject, one]] : [])));
  const keys = await endKeys(services, tx, subjects('api_key'));
  const users = await eraseUsers(services, tx, subjects('user'));
  const unshared = await endShares(services, tx, {
    left: subjects('user_left'),
    removed: subjects('user_removed'),
    returned: subjects('user_returned'),
  });
  const accounts = await eraseAccounts(services, tx, subjects('account'));
  await services.credentialVersion.bump(tx);
  return { read: tombstones.length, users, accounts, keys, unshared };
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

type Shares = { readonly left: Subjects; readonly removed: Subjects; readonly returned: Subjects };

async function endShares(services: NeededServices, tx: Transaction, { left, removed, returned }: Shares) {
  let count = 0;
  if (left.size + removed.size === 0) return count;
  for (let after: string | null = null; ; ) {
    const page = await listKeptUsers(tx, after, BATCH_USERS);
    for (const { userId, tenant } of page) {
      const timeIn = (subjects: Subjects, kind: TombstoneKind) =>
        subjects.get(hashSubject(services.derivedSecrets, kind, userId))?.at ?? '';
      const [leftAt, removedAt] = [timeIn(left, 'user_left'), timeIn(removed, 'user_removed')];
      const endedAt = leftAt > removedAt ? leftAt : removedAt;
      if (endedAt === '' || timeIn(returned, 'user_returned') > endedAt) continue;
      const locked = await lockUser(tx, tenant, userId);
      if (locked === null) continue; // not shared, or being erased
      const at = new Date(endedAt);
      const { unsharedAt } = locked.handle; // kept when the user is shared again
      if (unsharedAt !== null && unsharedAt >= at) continue;
      await endSharing(tx, locked.handle, endedAt === leftAt ? 'person' : 'account', at);
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
