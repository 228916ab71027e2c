// Chooses the user that the database runs as. PostgreSQL refuses to run as root, so a service that runs as root uses an
// unprivileged account for it.

import { readFile } from 'node:fs/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

/** `null`: the same user as the service, so no owner has to change. */
export type UnixAccount = { readonly uid: number; readonly gid: number; readonly name: string };

/** `_postgres` is the name on macOS. `nobody` is last, because other programs may use it. */
const PREFERRED_NAMES = ['tributary', 'postgres', '_postgres', 'nobody'];

export async function chooseAccount(clusterOwner: { uid: number; gid: number } | null): Promise<UnixAccount | null> {
  if (process.getuid?.() !== 0) return null;
  const accounts = parsePasswd(await readFile('/etc/passwd', 'utf8'));
  const account = pickAccount(accounts, clusterOwner);
  if (account) return account;
  throw new EmbeddedPostgresError(
    'PostgreSQL cannot run as root, and this machine has none of the users ' +
      `${PREFERRED_NAMES.join(', ')}. Add one (useradd --system tributary) or start the service as an ordinary user.`,
  );
}

/** Prefers the owner of existing data, because PostgreSQL only opens folders of its own user. */
export function pickAccount(
  accounts: readonly UnixAccount[],
  clusterOwner: { uid: number; gid: number } | null,
): UnixAccount | null {
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

/** Only IDs that a process can use: macOS lists `nobody` as -2, and 0 is root under another name. */
export function parsePasswd(text: string): UnixAccount[] {
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    const account = { uid: Number(uid), gid: Number(gid), name: name ?? '' };
    const usable =
      Number.isInteger(account.uid) && account.uid > 0 && Number.isInteger(account.gid) && account.gid >= 0;
    return usable && account.name !== '' ? [account] : [];
  });
}

/** Spawn options that run a child as the account, without the environment of the service. */
export function presentSpawnIdentity(account: UnixAccount | null): {
  uid?: number;
  gid?: number;
  env: NodeJS.ProcessEnv;
} {
  const env = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' };
  return account ? { uid: account.uid, gid: account.gid, env } : { env };
}
