// Finds the cluster of a data folder, its owner and its PostgreSQL version, without changing anything.

import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgresError, readErrorCode } from './embedded-postgres-error.ts';
import { type LocationPointer, POINTER_NAME, readLocationPointer } from './location-pointer.ts';

export const CLUSTER_NAME = 'cluster';

type FoundCluster = { readonly home: string; readonly uid: number; readonly gid: number };
export type Survey = { readonly pointer: LocationPointer | null; readonly cluster: FoundCluster | null };

export async function surveyCluster(dataDir: string, installedMajor: string): Promise<Survey> {
  const pointer = await readLocationPointer(dataDir);
  const cluster = await findCluster(dataDir, pointer);
  if (cluster) await refuseOtherVersion(join(cluster.home, CLUSTER_NAME), installedMajor);
  return { pointer, cluster };
}

/** The folder of all PostgreSQL files in the data folder, unless they were relocated. */
export function homeInside(dataDir: string): string {
  return join(dataDir, 'postgres');
}

/** Without reading it. */
export function hasDatabaseFiles(dataDir: string): boolean {
  return existsSync(homeInside(dataDir)) || existsSync(join(dataDir, POINTER_NAME));
}

async function findCluster(dataDir: string, pointer: LocationPointer | null): Promise<FoundCluster | null> {
  const found = await statCluster(pointer ? pointer.home : homeInside(dataDir));
  if (found || !pointer) return found;
  if (pointer.initialized) {
    throw new EmbeddedPostgresError(
      `The PostgreSQL data of ${dataDir} should be in ${pointer.home}, but it is not there. ` +
        `Restore that folder from a backup, or from the machine that the data folder came from. ` +
        `To start with an empty database instead, delete ${join(dataDir, POINTER_NAME)}.`,
    );
  }
  // A relocation that was interrupted after the pointer was written and before the cluster was moved.
  return statCluster(homeInside(dataDir));
}

async function statCluster(home: string): Promise<FoundCluster | null> {
  const folder = join(home, CLUSTER_NAME);
  try {
    if ((await readdir(folder)).length === 0) return null;
    const { uid, gid } = await stat(folder);
    return { home, uid, gid };
  } catch (error) {
    if (readErrorCode(error) === 'ENOENT') return null;
    throw new EmbeddedPostgresError(
      `The PostgreSQL data in ${folder} cannot be opened (${readErrorCode(error)}). ` +
        'Start the service as the user who owns that folder, or as root.',
      { cause: error },
    );
  }
}

async function refuseOtherVersion(clusterDir: string, installedMajor: string): Promise<void> {
  const path = join(clusterDir, 'PG_VERSION');
  const madeBy = await readFile(path, 'utf8').catch(() => null);
  if (madeBy === null) {
    throw new EmbeddedPostgresError(
      `${clusterDir} contains files but is not a PostgreSQL data folder (no PG_VERSION). Nothing was changed. ` +
        'Restore it from a backup, or move it away to start with an empty database.',
    );
  }
  if (madeBy.trim() === installedMajor) return;
  throw new EmbeddedPostgresError(
    `The data in ${clusterDir} was created by PostgreSQL ${madeBy.trim()}, but this release includes PostgreSQL ` +
      `${installedMajor}, which cannot read it. Nothing was changed. Start the previous release, create an export, ` +
      'and import it into a new data folder with this release.',
  );
}
