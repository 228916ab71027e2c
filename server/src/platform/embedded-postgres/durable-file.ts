// Writes and renames files atomically, even if the power fails.

import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

export async function writeFileDurably(
  path: string,
  content: string,
  mode: number,
  owner?: { readonly uid: number; readonly gid: number },
): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(temporary, 'wx', mode);
    try {
      if (owner) await file.chown(owner.uid, owner.gid);
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await renameDurably(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}

export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncPath(dirname(to));
  if (dirname(from) !== dirname(to)) await syncPath(dirname(from));
}

export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
