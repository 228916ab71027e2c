// The folder of the Unix socket. Anyone who can enter it can log in, so only the database user and root can.

import { chmod, chown, lstat, mkdir, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { UnixAccount } from './account.ts';
import { EmbeddedPostgresError, readErrorCode } from './embedded-postgres-error.ts';
import { hashPath } from './relocated-home.ts';

/** Only part of the socket's file name; nothing listens on the network. */
export const SOCKET_PORT = 5432;

const SOCKET_FILE = `.s.PGSQL.${SOCKET_PORT}`;

/** Unix socket paths have at most 104 bytes on macOS and 108 on Linux, including the final NUL. */
const MAX_SOCKET_PATH_BYTES = 103;

export type SocketFolder = { readonly path: string; removeStaleFiles(): Promise<void>; remove(): Promise<void> };

export async function prepareSocketFolder(home: string, account: UnixAccount | null): Promise<SocketFolder> {
  const path = await chooseSocketFolder(home);
  await createPrivately(path, account);
  // Only this cluster's server uses the folder, and it does not run now, so its lock file is stale even if another process
  // has its PID.
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

/** Checks an existing folder, because another user may have created it in /tmp first. */
async function createPrivately(path: string, account: UnixAccount | null): Promise<void> {
  const uid = account?.uid ?? process.getuid?.();
  try {
    await mkdir(path, { mode: 0o700 });
    await chmod(path, 0o700);
    if (account) await chown(path, account.uid, account.gid);
  } catch (error) {
    if (readErrorCode(error) !== 'EEXIST') throw error;
  }
  const entry = await lstat(path);
  // Left by a start that was killed between the two steps above, or by a cluster with another owner.
  const changeHands = account && entry.isDirectory() && entry.uid === process.getuid?.();
  if (changeHands) await chown(path, account.uid, account.gid);
  if (entry.isDirectory() && (entry.uid === uid || changeHands) && (entry.mode & 0o077) === 0) return;
  throw new EmbeddedPostgresError(
    `${path} is needed for the PostgreSQL socket, but is not a private folder of the database user. Check and remove it.`,
  );
}
