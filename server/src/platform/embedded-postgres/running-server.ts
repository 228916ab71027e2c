// Where the server of a data folder listens, for a command that runs beside the service.
import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DATABASE_NAME, OWNER_ROLE } from './ensure-roles.ts';
import { readLocationPointer } from './location-pointer.ts';
import { chooseSocketFolder, SOCKET_PORT } from './socket-folder.ts';
import { CLUSTER_NAME, homeInside } from './survey-cluster.ts';

/** Null: the data folder has no database. The server may be down. */
export async function findOwnerConnection(
  dataDir: string,
): Promise<{ host: string; port: number; user: string; database: string } | null> {
  const real = await realpath(dataDir).catch(() => null);
  if (real === null) return null;
  const home = (await readLocationPointer(real))?.home ?? homeInside(real);
  const cluster = await stat(join(home, CLUSTER_NAME)).catch(() => null);
  if (cluster === null) return null;
  return { host: await chooseSocketFolder(home), port: SOCKET_PORT, user: OWNER_ROLE, database: DATABASE_NAME };
}
