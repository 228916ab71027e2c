// Makes the packaged PostgreSQL runnable for the database user: in place when it can be, else through a copy.

import { randomUUID } from 'node:crypto';
import { chmod, constants, cp, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Account } from './account.ts';
import { renameDurably, syncPath } from './durable-file.ts';
import { hydrateLibraryLinks, listMissingLinks } from './library-links.ts';
import type { PackagedBinaries } from './locate-binaries.ts';
import { canReadFile, findClosedFolder } from './reachability.ts';

const PROGRAMS = ['bin/postgres', 'bin/initdb'];

/** One file and one folder stand for the rest: npm gives all of them the same owner and mode. */
const SAMPLE_FILE = 'share/postgresql/postgres.bki';
const SAMPLE_FOLDER = 'lib/postgresql';

/** Returns the folder with bin, lib and share. `home` is where a copy goes. */
export async function prepareBinaries(
  packaged: PackagedBinaries,
  home: string,
  account: Account | null,
): Promise<string> {
  if (await isUsable(packaged.nativeDir, account)) {
    if ((await listMissingLinks(packaged.nativeDir)).length === 0) return packaged.nativeDir;
    try {
      await hydrateLibraryLinks(packaged.nativeDir);
      return packaged.nativeDir;
    } catch {
      // A node_modules that cannot be written: a read-only image, or one installed by another user.
    }
  }
  return copyBinaries(packaged, join(home, 'binaries'));
}

async function isUsable(nativeDir: string, account: Account | null): Promise<boolean> {
  for (const program of PROGRAMS) {
    const path = join(nativeDir, program);
    if (((await stat(path)).mode & 0o111) === 0 || !(await canReadFile(path, account, true))) return false;
  }
  if ((await findClosedFolder(join(nativeDir, SAMPLE_FOLDER), account)) !== null) return false;
  return canReadFile(join(nativeDir, SAMPLE_FILE), account, false);
}

/** A copy counts once it has its final name, and it gets that only when all of it is on the disk. */
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

/** Readable for every user, writable for its owner (whatever umask npm ran under) and written to the disk. */
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

/** Copies of earlier releases and those that a killed start left unfinished. */
async function removeOthers(parent: string, version: string): Promise<void> {
  const others = (await readdir(parent)).filter((name) => name !== version);
  // They only take up space: one that cannot be removed does not keep the server from starting.
  await Promise.allSettled(others.map((name) => rm(join(parent, name), { recursive: true, force: true })));
}
