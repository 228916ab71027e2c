// The folder of the Unix socket. Whoever can enter it can log in, so only the database user (and root) can.

import { chmod, chown, lstat, mkdir, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Account } from './account.ts';
import { EmbeddedPostgresError, readErrorCode } from './embedded-postgres-error.ts';
import { hashPath } from './relocated-home.ts';

/** Names the socket file only; nothing listens on the network. */
export const SOCKET_PORT = 5432;

const SOCKET_FILE = `.s.PGSQL.${SOCKET_PORT}`;

/** The address of a Unix socket holds 104 bytes on macOS and 108 on Linux, with a closing zero. */
const MAX_SOCKET_PATH_BYTES = 103;

export type SocketFolder = { readonly path: string; removeStaleFiles(): Promise<void>; remove(): Promise<void> };

export async function prepareSocketFolder(home: string, account: Account | null): Promise<SocketFolder> {
  const path = await chooseSocketFolder(home);
  await createPrivately(path, account);
  // Only this cluster's server uses the folder, and this is called when that does not run: its lock file is stale,
  // whatever process has its number by now.
  const removeStaleFiles = async () => {
    for (const name of [SOCKET_FILE, `${SOCKET_FILE}.lock`]) await rm(join(path, name), { force: true });
  };
  return { path, removeStaleFiles, remove: () => rm(path, { recursive: true, force: true }) };
}

export async function chooseSocketFolder(home: string): Promise<string> {
  const preferred = join(home, 'socket');
  if (Buffer.byteLength(join(preferred, SOCKET_FILE)) <= MAX_SOCKET_PATH_BYTES) return preferred;
  return join(await realpath('/tmp'), `tributary-${hashPath(home)}`);
}

/** Anyone may create the fallback's name in /tmp first, hence the look at what is there. */
async function createPrivately(path: string, account: Account | null): Promise<void> {
  const uid = account?.uid ?? process.getuid?.();
  try {
    await mkdir(path, { mode: 0o700 });
    await chmod(path, 0o700);
    if (account) await chown(path, account.uid, account.gid);
  } catch (error) {
    if (readErrorCode(error) !== 'EEXIST') throw error;
  }
  const entry = await lstat(path);
  // Left by a start that was killed between the two steps above, or by a cluster that changed hands.
  const changeHands = account && entry.isDirectory() && entry.uid === process.getuid?.();
  if (changeHands) await chown(path, account.uid, account.gid);
  if (entry.isDirectory() && (entry.uid === uid || changeHands) && (entry.mode & 0o077) === 0) return;
  throw new EmbeddedPostgresError(
    `${path} is needed for the socket of PostgreSQL, but is not a private folder of its user. Look at it and remove it.`,
  );
}
