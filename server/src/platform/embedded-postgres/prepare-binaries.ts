// Makes the bundled PostgreSQL executable for the database user: in place if possible, otherwise through a copy.

import { randomUUID } from 'node:crypto';
import { chmod, constants, cp, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { UnixAccount } from './account.ts';
import { renameDurably, syncPath } from './durable-file.ts';
import { hydrateLibraryLinks, listMissingLinks } from './library-links.ts';
import type { PackagedBinaries } from './locate-binaries.ts';
import { canReadFile, findClosedFolder } from './reachability.ts';

const PROGRAMS = ['bin/postgres', 'bin/initdb'];

/** Checks one file and one folder, because npm gives all of them the same owner and mode. */
const SAMPLE_FILE = 'share/postgresql/postgres.bki';
const SAMPLE_FOLDER = 'lib/postgresql';

/** Returns the folder with bin, lib and share. `home` is the target of a copy. */
export async function prepareBinaries(
  packaged: PackagedBinaries,
  home: string,
  account: UnixAccount | null,
): Promise<string> {
  if (await isUsable(packaged.nativeDir, account)) {
    if ((await listMissingLinks(packaged.nativeDir)).length === 0) return packaged.nativeDir;
    try {
      await hydrateLibraryLinks(packaged.nativeDir);
      return packaged.nativeDir;
    } catch {
      // node_modules is not writable: a read-only image, or installed by another user.
    }
  }
  return copyBinaries(packaged, join(home, 'binaries'));
}

async function isUsable(nativeDir: string, account: UnixAccount | null): Promise<boolean> {
  for (const program of PROGRAMS) {
    const path = join(nativeDir, program);
    if (((await stat(path)).mode & 0o111) === 0 || !(await canReadFile(path, account, true))) return false;
  }
  if ((await findClosedFolder(join(nativeDir, SAMPLE_FOLDER), account)) !== null) return false;
  return canReadFile(join(nativeDir, SAMPLE_FILE), account, false);
}

/** A copy gets its final name only when all of it is on the disk. */
export async function copyBinaries(
  packaged: Pick<PackagedBinaries, 'nativeDir' | 'version'>,
  parent: string,
): Promise<string> {
  const copy = join(parent, packaged.version);
  const nativeDir = join(copy, 'native');
  await mkdir(parent, { recursive: true });
  await chmod(parent, 0o755);
  const complete = (await readdir(parent)).includes(packaged.version);
  if (!complete) {
    const temporary = join(parent, `${packaged.version}.${randomUUID()}.tmp`);
    await mkdir(temporary);
    await cp(packaged.nativeDir, join(temporary, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
    });
    await publish(temporary);
    await hydrateLibraryLinks(join(temporary, 'native'));
    await syncPath(join(temporary, 'native', 'lib'));
    await renameDurably(temporary, copy);
  }
  await removeOthers(parent, packaged.version);
  return nativeDir;
}

/** Makes files readable for every user and writable for the owner, whatever npm's umask, and flushes them to the disk. */
async function publish(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return publish(path);
      if (!entry.isFile()) return;
      await chmod(path, basename(folder) === 'bin' ? 0o755 : 0o644);
      await syncPath(path);
    }),
  );
  await chmod(folder, 0o755);
  await syncPath(folder);
}

/** Removes copies of earlier releases and unfinished copies of killed starts. */
async function removeOthers(parent: string, version: string): Promise<void> {
  const others = (await readdir(parent)).filter((name) => name !== version);
  // They only use space, so a failure must not prevent the start.
  await Promise.allSettled(others.map((name) => rm(join(parent, name), { recursive: true, force: true })));
}
