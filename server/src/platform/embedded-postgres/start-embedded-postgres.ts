// Runs the PostgreSQL that npm brought along, on a cluster of its own, for as long as the service lives.
// The caller holds a lock on the data folder: of one data folder, one service at a time.

import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { type Account, chooseAccount } from './account.ts';
import { DATABASE_NAME, OWNER_ROLE, SERVICE_ROLE } from './ensure-roles.ts';
import { clearFormerPostmaster } from './former-postmaster.ts';
import { DATABASE_USER, initializeCluster, removeUnfinishedClusters, repairOwnership } from './initialize-cluster.ts';
import { locateBinaries, type PackagedBinaries } from './locate-binaries.ts';
import { writeLocationPointer } from './location-pointer.ts';
import { acquireOwnerLock, type OwnerLock } from './owner-lock.ts';
import { prepareBinaries } from './prepare-binaries.ts';
import { listServerArguments } from './server-arguments.ts';
import { createServerLog, type PostgresLog } from './server-log.ts';
import { spawnServer } from './server-process.ts';
import { type FolderLocation, settleLocation } from './settle-location.ts';
import { prepareSocketFolder, SOCKET_PORT } from './socket-folder.ts';
import { type SupervisedServer, superviseServer } from './supervise-server.ts';
import { type Survey, surveyCluster } from './survey-cluster.ts';
import { startWatchdog } from './watchdog.ts';

/** For a client over the socket, whose folder is the host. The same for the whole lifetime, restarts included. */
export type EmbeddedConnection = {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
};

export type EmbeddedPostgres = {
  /** Of the superuser: for supervision, tests and tools. */
  readonly connection: EmbeddedConnection;
  /** Of the role that owns the tables and migrates. */
  readonly ownerConnection: EmbeddedConnection;
  /** Of the role that runs the service, which can read and write rows and nothing else. */
  readonly serviceConnection: EmbeddedConnection;
  readonly clusterDir: string;
  /** The cluster lies outside the data folder. */
  readonly relocated: boolean;
  /** For example '18.4'. */
  readonly serverVersion: string;
  /** Null while the server is down (between an accident and the restart, or after stop). */
  readonly postmasterPid: () => number | null;
  /** Ends all connections and waits for the server to end. */
  stop(): Promise<void>;
};

export type EmbeddedPostgresOptions = {
  /** Exists already. */
  readonly dataDir: string;
  /** Takes a line for the person who started the service. */
  readonly print: (line: string) => void;
  readonly log: PostgresLog;
  /** PostgreSQL settings that go before our own. */
  readonly settings?: Readonly<Record<string, string>>;
};

export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = await realpath(options.dataDir);
  const packaged = await locateBinaries();
  const survey = await surveyCluster(dataDir, packaged.major);
  const account = await chooseAccount(survey.cluster);
  const location = await settleLocation(dataDir, survey, account);
  if (location.notice !== null) options.print(location.notice);
  const lock = await acquireOwnerLock(location.home);
  try {
    const nativeDir = await prepareCluster(dataDir, survey, packaged, location, account, options.log);
    return await runServer(nativeDir, location, account, lock, options);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** After this the cluster exists, belongs to its user, and no server runs on it. Returns the folder of the binaries. */
async function prepareCluster(
  dataDir: string,
  survey: Survey,
  packaged: PackagedBinaries,
  location: FolderLocation,
  account: Account | null,
  log: PostgresLog,
): Promise<string> {
  await removeUnfinishedClusters(location.home);
  const nativeDir = await prepareBinaries(packaged, location.home, account);
  if (survey.cluster) {
    await clearFormerPostmaster(location.clusterDir, log);
    await repairOwnership(location.clusterDir, account);
  } else {
    log.info({ clusterDir: location.clusterDir }, 'making a new PostgreSQL cluster');
    await initializeCluster(nativeDir, location.clusterDir, account);
  }
  if (location.relocated && survey.pointer?.initialized !== true) {
    await writeLocationPointer(dataDir, { home: location.home, initialized: true });
  }
  return nativeDir;
}

async function runServer(
  nativeDir: string,
  location: FolderLocation,
  account: Account | null,
  lock: OwnerLock,
  { log, settings = {} }: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const { clusterDir, relocated } = location;
  const socket = await prepareSocketFolder(location.home, account);
  const serverLog = createServerLog(log);
  const serverArguments = listServerArguments(clusterDir, socket.path, settings);
  const spawn = () => spawnServer(join(nativeDir, 'bin', 'postgres'), serverArguments, account, serverLog);
  // Before the server, so that there is no moment in which a killed service would leave it alone.
  const watchdog = startWatchdog(clusterDir, account, log);
  let server: SupervisedServer;
  try {
    server = await superviseServer({ clusterDir, socket, watchdog, log, serverLog, spawn });
  } catch (error) {
    await watchdog.dismiss();
    throw error;
  }
  const stop = async () => {
    await server.stop();
    await watchdog.dismiss();
    await socket.remove();
    await lock.release();
  };
  let stopped: Promise<void> | null = null;
  const connectAs = (user: string) => ({ host: socket.path, port: SOCKET_PORT, user, database: DATABASE_NAME });
  return {
    connection: connectAs(DATABASE_USER),
    ownerConnection: connectAs(OWNER_ROLE),
    serviceConnection: connectAs(SERVICE_ROLE),
    clusterDir,
    relocated,
    serverVersion: server.serverVersion,
    postmasterPid: server.postmasterPid,
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}
