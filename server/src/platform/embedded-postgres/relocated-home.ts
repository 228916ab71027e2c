// Folders outside of the data folder, for clusters whose user cannot enter the data folder. Each data folder has its own, owned
// by root.

import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { UnixAccount } from './account.ts';
import { EmbeddedPostgresError, readErrorCode } from './embedded-postgres-error.ts';
import { findClosedFolder } from './reachability.ts';

const LASTING_BASE = '/var/lib/tributary';

/** In order of preference. The system may empty the last two, so they are used only if /var/lib is read-only. */
export const RELOCATION_BASES: readonly string[] = [LASTING_BASE, '/var/tmp/tributary', '/tmp/tributary'];

/** Others can pass through to the cluster and the binaries, but cannot list the folder. */
const PASSABLE = 0o711;
const PRIVATE = 0o700;

/** A path is reused only if data folders are deleted and created again; 100 is far above that. */
const MAX_HOMES_PER_PATH = 100;

export async function createRelocatedHome(
  dataDir: string,
  account: UnixAccount | null,
  bases: readonly string[],
): Promise<string> {
  const refusals: string[] = [];
  for (const base of bases) {
    try {
      await prepareBase(base, account);
      return await createFreeHome(base, hashPath(dataDir));
    } catch (error) {
      refusals.push(`${base}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  throw new EmbeddedPostgresError(
    `The user "${account?.name}" that PostgreSQL runs as cannot enter ${dataDir}, and no other folder for the data could be ` +
      `created (${refusals.join('; ')}). Make /var/lib writable, or open the data folder: chmod a+x '${dataDir}'`,
  );
}

export function hashPath(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 16);
}

export function isTemporaryHome(home: string): boolean {
  return RELOCATION_BASES.some((base) => base !== LASTING_BASE && home.startsWith(`${base}/`));
}

/** The folder of cluster, socket and binaries: the database user can pass through, only the service can write. */
export async function ensureHome(home: string, account: UnixAccount | null): Promise<void> {
  try {
    await mkdir(home, { recursive: true });
    await chmod(home, account ? PASSABLE : PRIVATE);
  } catch (error) {
    throw new EmbeddedPostgresError(
      `The service cannot write in ${home} (${readErrorCode(error)}). Start it as the user it ran as before, ` +
        'or make the current user the owner of that folder (chown -R).',
      { cause: error },
    );
  }
}

async function prepareBase(base: string, account: UnixAccount | null): Promise<void> {
  try {
    await mkdir(base);
    await chmod(base, PASSABLE);
  } catch (error) {
    if (readErrorCode(error) !== 'EEXIST') throw error;
  }
  // In a folder for temporary files, another user may have created this one first.
  const entry = await lstat(base);
  const mine = entry.isDirectory() && entry.uid === process.getuid?.() && (entry.mode & 0o022) === 0;
  if (!mine) throw new Error('exists, but is not a folder that only the service can write');
  const closed = await findClosedFolder(base, account);
  if (closed !== null) throw new Error(`${closed} is closed to the user "${account?.name}"`);
}

/**
 * A folder that is not empty belongs to another data folder that was at the same path before. It is not used, so that a new data
 * folder never takes over old data.
 */
async function createFreeHome(base: string, name: string): Promise<string> {
  for (let number = 1; number <= MAX_HOMES_PER_PATH; number++) {
    const home = join(base, number === 1 ? name : `${name}-${number}`);
    await mkdir(home, { recursive: true });
    if ((await readdir(home)).length === 0) return home;
  }
  throw new Error(`there are already ${MAX_HOMES_PER_PATH} folders for this path`);
}
