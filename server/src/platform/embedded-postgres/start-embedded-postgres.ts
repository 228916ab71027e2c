// Runs the bundled PostgreSQL as long as the service runs. The caller holds the lock of the data folder, so only one service
// uses it at a time.

import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { chooseAccount, type UnixAccount } from './account.ts';
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

/** For clients over the socket, whose folder is the host. Does not change when the server restarts. */
type EmbeddedConnection = {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
};

export type EmbeddedPostgres = {
  /** Superuser, for supervision, tests and tools. */
  readonly connection: EmbeddedConnection;
  /** The role that owns the tables and migrates. */
  readonly ownerConnection: EmbeddedConnection;
  /** The role of the service, which can only read and write rows. */
  readonly serviceConnection: EmbeddedConnection;
  readonly clusterDir: string;
  /** The cluster is outside of the data folder. */
  readonly relocated: boolean;
  /** For example '18.4'. */
  readonly serverVersion: string;
  /** Null while the server is down (between a crash and the restart, or after stop). */
  readonly postmasterPid: () => number | null;
  /** Ends all connections and waits until the server has stopped. */
  stop(): Promise<void>;
};

export type EmbeddedPostgresOptions = {
  /** Must exist. */
  readonly dataDir: string;
  /** Prints a line for the operator. */
  readonly print: (line: string) => void;
  readonly log: PostgresLog;
  /** PostgreSQL settings that override ours. */
  readonly settings?: Readonly<Record<string, string>>;
};

export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = await realpath(options.dataDir);
  const packaged = await locateBinaries();
  const survey = await surveyCluster(dataDir, packaged.major);
  const account = await chooseAccount(survey.cluster);
  const location = await settleLocation(dataDir, survey, account);
  if (location.message !== null) options.print(location.message);
  const lock = await acquireOwnerLock(location.home);
  try {
    const nativeDir = await prepareCluster(dataDir, survey, packaged, location, account, options.log);
    return await runServer(nativeDir, location, account, lock, options);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Ensures that the cluster exists, belongs to its user and has no running server. Returns the folder of the binaries. */
async function prepareCluster(
  dataDir: string,
  survey: Survey,
  packaged: PackagedBinaries,
  location: FolderLocation,
  account: UnixAccount | null,
  log: PostgresLog,
): Promise<string> {
  await removeUnfinishedClusters(location.home);
  const nativeDir = await prepareBinaries(packaged, location.home, account);
  if (survey.cluster) {
    await clearFormerPostmaster(location.clusterDir, log);
    await repairOwnership(location.clusterDir, account);
  } else {
    log.info({ clusterDir: location.clusterDir }, 'creating a new PostgreSQL cluster');
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
  account: UnixAccount | null,
  lock: OwnerLock,
  { log, settings = {} }: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const { clusterDir, relocated } = location;
  const socket = await prepareSocketFolder(location.home, account);
  const serverLog = createServerLog(log);
  const serverArguments = listServerArguments(clusterDir, socket.path, settings);
  const spawn = () => spawnServer(join(nativeDir, 'bin', 'postgres'), serverArguments, account, serverLog);
  // Before the server, so that a killed service never leaves the server without a watchdog.
  const watchdog = startWatchdog(clusterDir, account, log);
  let server: SupervisedServer;
  try {
    server = await superviseServer({ clusterDir, socket, watchdog, log, serverLog, spawn });
  } catch (error) {
    await watchdog.dismiss();
    throw error;
  }
  // On a disk that has become read-only, files of the stopped server stay; the next start replaces them.
  const leave = (error: unknown) => log.warn({ err: error }, 'a file of the stopped server could not be removed');
  const stop = async () => {
    await server.stop();
    await watchdog.dismiss();
    await socket.remove().catch(leave);
    await lock.release().catch(leave);
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
