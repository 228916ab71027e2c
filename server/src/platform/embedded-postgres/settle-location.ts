// Chooses the location of the cluster: in the data folder if the database user can reach it there, otherwise in a separate
// folder that the data folder points to. A cluster that has become unreachable is moved by one rename, never copied or replaced
// by an empty one. If a rename is impossible (another file system), the start fails.

import { join } from 'node:path';
import type { UnixAccount } from './account.ts';
import { renameDurably } from './durable-file.ts';
import { EmbeddedPostgresError, readErrorCode } from './embedded-postgres-error.ts';
import { writeLocationPointer } from './location-pointer.ts';
import { findClosedFolder } from './reachability.ts';
import { createRelocatedHome, ensureHome, isTemporaryHome, RELOCATION_BASES } from './relocated-home.ts';
import { CLUSTER_NAME, homeInside, type Survey } from './survey-cluster.ts';

export type FolderLocation = {
  readonly home: string;
  readonly clusterDir: string;
  readonly relocated: boolean;
  /** A line for the operator, printed on every start of a relocated cluster. */
  readonly message: string | null;
};

export async function settleLocation(
  dataDir: string,
  survey: Survey,
  account: UnixAccount | null,
): Promise<FolderLocation> {
  const closed = await findClosedFolder(dataDir, account);
  const inside = homeInside(dataDir);
  if (!survey.pointer && (closed === null || !account)) {
    await ensureHome(inside, account);
    return { home: inside, clusterDir: join(inside, CLUSTER_NAME), relocated: false, message: null };
  }
  const home = survey.pointer?.home ?? (await createRelocatedHome(dataDir, account, RELOCATION_BASES));
  if (!survey.pointer) await writeLocationPointer(dataDir, { home, initialized: false });
  await ensureHome(home, account);
  await refuseClosedHome(home, account);
  if (survey.cluster?.home === inside) await moveCluster(inside, home, closed);
  const clusterDir = join(home, CLUSTER_NAME);
  return { home, clusterDir, relocated: true, message: describeRelocation(home, account, closed) };
}

async function refuseClosedHome(home: string, account: UnixAccount | null): Promise<void> {
  const closed = await findClosedFolder(home, account);
  if (closed === null) return;
  throw new EmbeddedPostgresError(
    `The PostgreSQL data is in ${home}, but the user "${account?.name}" cannot enter ${closed}. ` +
      `Open it: chmod a+x '${closed}'`,
  );
}

async function moveCluster(inside: string, home: string, closed: string | null): Promise<void> {
  const from = join(inside, CLUSTER_NAME);
  try {
    await renameDurably(from, join(home, CLUSTER_NAME));
  } catch (error) {
    if (readErrorCode(error) !== 'EXDEV') throw error;
    throw new EmbeddedPostgresError(
      `The database user can no longer reach the PostgreSQL data in ${from}, because it cannot enter ${closed}. ` +
        `Nothing was changed. Open the folder again: chmod a+x '${closed}'`,
      { cause: error },
    );
  }
}

function describeRelocation(home: string, account: UnixAccount | null, closed: string | null): string {
  const why =
    closed === null
      ? 'because an earlier start moved it there'
      : `because PostgreSQL runs as the user "${account?.name}", who cannot enter ${closed}`;
  const warning = isTemporaryHome(home)
    ? ' WARNING: this is a folder for temporary files, which the system may empty. Make /var/lib writable and start again.'
    : '';
  return `The PostgreSQL data is in ${home}, ${why}. Back up that folder too.${warning}`;
}
