// Checks whether another user can reach a path, by owner, group and mode of the path and its parent folders. Access control
// lists are ignored: a folder that only they open counts as closed, which merely causes a relocation.

import { realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { UnixAccount } from './account.ts';

type Owned = { readonly uid: number; readonly gid: number; readonly mode: number };

const READ = 0o4;
const EXECUTE = 0o1;

/** The topmost folder of `path`, including itself, that the account cannot enter, or null. */
export async function findClosedFolder(path: string, account: UnixAccount | null): Promise<string | null> {
  if (!account) return null;
  for (const folder of listAncestors(await realpath(path))) {
    if (!isAllowed(await stat(folder), account, EXECUTE)) return folder;
  }
  return null;
}

export async function canReadFile(path: string, account: UnixAccount | null, executable: boolean): Promise<boolean> {
  if (!account) return true;
  if ((await findClosedFolder(dirname(path), account)) !== null) return false;
  return isAllowed(await stat(path), account, executable ? READ | EXECUTE : READ);
}

/** POSIX: the first matching class decides, even if a later one would allow more. */
export function isAllowed(entry: Owned, account: UnixAccount, wanted: number): boolean {
  let granted = entry.mode & 0o7;
  if (entry.uid === account.uid) granted = (entry.mode >> 6) & 0o7;
  else if (entry.gid === account.gid) granted = (entry.mode >> 3) & 0o7;
  return (granted & wanted) === wanted;
}

function listAncestors(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [...listAncestors(parent), path];
}
