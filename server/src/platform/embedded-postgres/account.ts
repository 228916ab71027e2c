// Which user the database runs as. PostgreSQL refuses to run as root, so a root service lends it an unprivileged account.

import { readFile } from 'node:fs/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

/** `null` stands for "the same user as the service": nothing has to change hands. */
export type Account = { readonly uid: number; readonly gid: number; readonly name: string };

/** `_postgres` is what macOS calls the user. `nobody` is last: other programs may share it. */
const PREFERRED_NAMES = ['tributary', 'postgres', '_postgres', 'nobody'];

export async function chooseAccount(clusterOwner: { uid: number; gid: number } | null): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null;
  const accounts = parsePasswd(await readFile('/etc/passwd', 'utf8'));
  const account = pickAccount(accounts, clusterOwner);
  if (account) return account;
  throw new EmbeddedPostgresError(
    'PostgreSQL does not run as root, and this machine has none of the users ' +
      `${PREFERRED_NAMES.join(', ')}. Add one (useradd --system tributary) or start the service as an ordinary user.`,
  );
}

/** The owner of existing data wins: PostgreSQL only opens folders that belong to its own user. */
export function pickAccount(
  accounts: readonly Account[],
  clusterOwner: { uid: number; gid: number } | null,
): Account | null {
  if (clusterOwner && clusterOwner.uid !== 0) {
    const known = accounts.find((account) => account.uid === clusterOwner.uid);
    return known ?? { ...clusterOwner, name: `uid ${clusterOwner.uid}` };
  }
  for (const name of PREFERRED_NAMES) {
    const account = accounts.find((candidate) => candidate.name === name);
    if (account) return account;
  }
  return null;
}

/** Only accounts that a process can be given: macOS lists `nobody` as -2, and 0 would be root under another name. */
export function parsePasswd(text: string): Account[] {
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    const account = { uid: Number(uid), gid: Number(gid), name: name ?? '' };
    const usable =
      Number.isInteger(account.uid) && account.uid > 0 && Number.isInteger(account.gid) && account.gid >= 0;
    return usable && account.name !== '' ? [account] : [];
  });
}

/** Spawn options that make a child run as the account, with an environment that says nothing about the service's. */
export function presentSpawnIdentity(account: Account | null): { uid?: number; gid?: number; env: NodeJS.ProcessEnv } {
  const env = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' };
  return account ? { uid: account.uid, gid: account.gid, env } : { env };
}
