// Starts and stops the service. It listens first, so that calls get 503 while the database starts.

import { Server as NetServer } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { JOBS, startLoops } from './background-work.ts';
import { claimDataFolder } from './claim-data-folder.ts';
import {
  createOperatorServer,
  createPublicServer,
  createServices,
  type ProcessGroup,
  SERVICE_TIMEOUTS,
  type ServiceTimeouts,
} from './compose.ts';
import { type Config, formatBaseUrl } from './config.ts';
import { planConnections, type Role } from './connection-plan.ts';
import { SECOND_MS } from './domain/time/durations.ts';
import { startImportContinuation, sweepFolders } from './features/intake/imports/index.ts';
import { startHeartbeat } from './features/operator/service/index.ts';
import { ensureFirstAccount, type NewApiKey } from './features/tenancy/accounts/index.ts';
import { createFirstLink } from './features/tenancy/members/index.ts';
import type { BackgroundLoop } from './platform/background-loop.ts';
import { CliError } from './platform/cli-error.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import {
  makeOperatorToken,
  refuseDamagedMasterKey,
  removeServiceAddress,
  writeServiceAddress,
} from './platform/data-folder.ts';
import { createDatabase } from './platform/db/database.ts';
import { notUpYet } from './platform/db/database-errors.ts';
import type { Migration } from './platform/db/migrate.ts';
import { readDeploymentId } from './platform/deployment.ts';
import { markExternal } from './platform/external-database.ts';
import { RATE_POLICIES, type RatePolicies } from './platform/http/rate-limit.ts';
import type { ServingPhase } from './platform/http/server.ts';
import { startJobWorker } from './platform/jobs/worker.ts';
import { masterKeySource } from './platform/keyring/index.ts';
import type { Logger } from './platform/log.ts';
import { type OperatorSocket, openOperatorSocket } from './platform/operator-socket.ts';
import type { Services } from './platform/services.ts';
import { traceDatabase } from './platform/tracing/index.ts';
import { prepareDatabase, type StartedDatabase, startDatabase } from './start-database.ts';

class StartError extends CliError {}

export type RunningService = {
  readonly publicUrl: string;
  /** Null: another process of the group has the operator API. */
  readonly operatorSocket: string | null;
  readonly databaseVersion: string;
  readonly databaseLocation: string;
  /** The API keys of the first start, to be shown once; empty on later starts. */
  readonly newKeys: readonly NewApiKey[];
  /** A one-time link to become the first owner; null if somebody can sign in already. */
  readonly welcomeUrl: string | null;
  readonly services: Services;
  /** The worker's loops; empty in an API process. */
  readonly loops: readonly BackgroundLoop[];
  stop(): Promise<void>;
  /** Stops after another process of the group has taken over: no new connections, and those it has are answered and closed. */
  retire(): Promise<void>;
};

type StartOptions = {
  readonly config: Config;
  readonly role: Role;
  readonly log: Logger;
  /** Prints a line for the operator. */
  readonly print: (line: string) => void;
  /** Prints the banner. The service becomes ready only afterwards, so that the keys are on the screen by then. */
  readonly announce?: (service: RunningService) => void;
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
  readonly ratePolicies?: RatePolicies;
  readonly timeouts?: ServiceTimeouts;
  readonly migrations?: readonly Migration[];
  /** The processes beside this one; without it, this process is the whole service, or one that was started by hand. */
  readonly group?: ProcessGroup;
};

type StartedWorker = { readonly loops: readonly BackgroundLoop[]; stop(): Promise<void> };

/** The resources opened so far; stopping closes them, even if the start failed. */
type Parts = {
  phase: ServingPhase;
  lock?: { release(): void };
  servers: FastifyInstance[];
  operatorSocket?: OperatorSocket;
  database?: StartedDatabase;
  services?: Services;
  keyLoop?: BackgroundLoop;
  liveLoop?: BackgroundLoop;
  importLoop?: BackgroundLoop;
  /** They write periodically from memory. */
  writers: BackgroundLoop[];
  worker?: StartedWorker;
};

const FIRST_ACCOUNT = 'default';
const IN_FLIGHT_LIMIT_MS = 10_000; // a client that never finishes its request must not delay the stop
const RETIRE_SECONDS = 5; // clients that keep connections open use them within this time, and are asked to close them
const CONNECTIONS_CHECK_MS = 50;

export async function startService(options: StartOptions): Promise<RunningService> {
  const parts: Parts = { phase: 'serving', servers: [], writers: [] };
  try {
    return await bringUp(options, parts);
  } catch (error) {
    await takeDown(options, parts, 0);
    throw error;
  }
}

async function bringUp(options: StartOptions, parts: Parts): Promise<RunningService> {
  const { config, role, log, group } = options;
  const plan = planConnections(config, role);
  const isLead = role !== 'worker' && group?.isLead !== false;
  if (!group) parts.lock = claimDataFolder(config);
  if (config.masterKey === null) refuseDamagedMasterKey(config.dataDir);
  let publicUrl = config.publicUrl ?? group?.publicUrl ?? null;
  let ownUrl: string | null = null;
  const ownOrigins = new Set<string>();
  let deploymentId: string | null = null;
  let isUp = false;
  const late = {
    ownOrigins,
    isUp: () => isUp && parts.phase === 'serving',
    publicUrl: () => publicUrl ?? formatBaseUrl(config.host, config.port),
    ownUrl: () => {
      if (ownUrl === null) throw notUpYet();
      return ownUrl;
    },
    deploymentId: () => {
      if (deploymentId === null) throw notUpYet();
      return deploymentId;
    },
  };
  if (config.passOnRestricted.size > 0)
    log.warn({ providers: [...config.passOnRestricted] }, 'passing on data of providers whose terms may restrict it');
  if (config.unconfirmedParts.size > 0) log.info({ parts: [...config.unconfirmedParts] }, 'unconfirmed parts enabled');
  if (isLead)
    sweepFolders(path.join(config.dataDir, 'imports'), (options.clock ?? systemClock).now(), { isStart: !group });
  const services = createServices({
    config,
    role,
    masterKeys: masterKeySource(config),
    clock: options.clock ?? systemClock,
    log,
    print: options.print,
    late,
    group,
    connections: plan,
    ...(options.timeouts && { timeouts: options.timeouts }),
  });
  parts.services = services;

  const phase = () => parts.phase;
  const serverOptions = { config, services, log, phase, ratePolicies: options.ratePolicies ?? RATE_POLICIES };
  const publicServer = await createPublicServer(serverOptions, role);
  parts.servers.push(publicServer);
  const bind = async () => {
    const boundUrl = await listen(publicServer, config, role);
    publicUrl ??= boundUrl;
    ownUrl = boundUrl;
    ownOrigins.add(new URL(boundUrl).origin);
  };
  if (!group) await bind();
  const operatorToken = makeOperatorToken();
  if (isLead || !group) await openOperatorServer(parts, role, { ...serverOptions, operatorToken });

  const database = group?.database ?? (await startDatabase(options));
  parts.database = database;
  options.signal?.throwIfAborted(); // stopped while starting: startService closes the resources opened so far
  deploymentId = await prepareDatabase(options, database, async (db) => {
    await services.keyKeeper.open(db);
    return readDeploymentId(db);
  });
  if (config.databaseUrl !== null && (isLead || !group))
    await markExternal(config.dataDir, database.location, services.clock.now()).catch((err: unknown) =>
      log.warn({ err }, 'cannot note in the data folder that the service uses DATABASE_URL'),
    );
  services.db.attach(database.target);
  await services.credentialVersion.refresh();
  services.credentialVersion.start();
  parts.keyLoop = services.keyKeeper.start();
  parts.writers.push(
    services.usage.start(),
    startHeartbeat(services, { role, dataDir: config.dataDir, connections: plan.total }),
  );
  if (role !== 'worker')
    parts.writers.push(services.keyUses.start(), services.requestLog.start(), services.auditTrail.start());
  await services.rateLimits.start();
  if (role !== 'worker') parts.liveLoop = services.liveFeeds.start();
  if (group) await bind(); // other processes serve meanwhile, so a connection must not reach one that is still starting
  const newKeys = isLead ? await ensureFirstAccount(services, FIRST_ACCOUNT) : [];
  const welcome = isLead ? await createFirstLink(services) : null;
  if (role !== 'api') parts.worker = startWorker(services, database, options);
  const operatorSocket = parts.operatorSocket?.path ?? null;
  if (operatorSocket !== null)
    writeServiceAddress(config.dataDir, {
      pid: process.pid,
      operatorSocket,
      operatorToken,
      publicUrl: late.publicUrl(),
      listenUrl: late.ownUrl(),
      role,
    });
  const service: RunningService = {
    publicUrl: services.settings.publicUrl(),
    operatorSocket,
    databaseVersion: database.version,
    databaseLocation: database.location,
    newKeys,
    welcomeUrl: welcome?.url ?? null,
    services,
    loops: parts.worker?.loops ?? [],
    stop: () => takeDown(options, parts, role === 'worker' ? 0 : config.drainSeconds),
    retire: async () => {
      await retire(parts, publicServer, config.drainSeconds, log);
      await takeDown(options, parts, 0);
    },
  };
  options.announce?.(service);
  isUp = true;
  if (isLead) parts.importLoop = startImportContinuation(services, { isAlone: !group });
  log.info({ url: role === 'worker' ? ownUrl : publicUrl, role }, 'ready');
  return service;
}

async function takeDown(options: StartOptions, parts: Parts, drainSeconds: number): Promise<void> {
  const { config, role, log } = options;
  if (parts.services && parts.database) tryToRemove(() => removeServiceAddress(config.dataDir, role), log);
  const workerStop = parts.worker?.stop();
  await drain(parts, drainSeconds, log);
  parts.phase = 'stopping';
  const loops = [parts.keyLoop, parts.liveLoop, parts.importLoop];
  await Promise.all([...parts.servers.map(closeServer), workerStop, ...loops.map((loop) => loop?.stop())]);
  await Promise.all(parts.writers.map((writer) => writer.stop())); // after the servers, so that they save the last requests
  await parts.services?.rateLimits.stop();
  tryToRemove(() => parts.operatorSocket?.remove(), log);
  parts.services?.credentialVersion.stop();
  await parts.services?.tracer?.stop();
  await parts.services?.importThreads.close();
  await parts.services?.threads.close();
  await parts.services?.outbound.close();
  await parts.services?.ownOutbound.close();
  await parts.services?.nodes.close();
  await parts.services?.db.close();
  await parts.database?.stop();
  parts.lock?.release();
  if (parts.database) log.info({}, 'stopped');
}

/** On a disk that has become read-only the file stays, and the next start replaces it. */
function tryToRemove(remove: () => void, log: Logger): void {
  try {
    remove();
  } catch (error) {
    log.warn({ err: error }, 'a file of this process could not be removed');
  }
}

/** Is not ready any more but answers every request, until proxies have read that. */
async function drain(parts: Parts, seconds: number, log: Logger): Promise<void> {
  parts.phase = 'draining';
  if (seconds === 0) return;
  log.info({ seconds }, 'draining');
  await delay(seconds * SECOND_MS);
}

/** Stops listening and waits until clients have closed their connections, as each response asks them to. */
async function retire(parts: Parts, { server }: FastifyInstance, drainSeconds: number, log: Logger): Promise<void> {
  parts.phase = 'draining';
  const seconds = Math.max(RETIRE_SECONDS, drainSeconds);
  log.info({ seconds }, 'retiring');
  const endMs = performance.now() + seconds * SECOND_MS;
  NetServer.prototype.close.call(server); // unlike the method of http.Server, does not close idle connections at once
  const countConnections = promisify(server.getConnections.bind(server));
  while ((await countConnections()) > 0 && performance.now() < endMs) await delay(CONNECTIONS_CHECK_MS);
}

async function openOperatorServer(
  parts: Parts,
  role: Role,
  options: Parameters<typeof createOperatorServer>[0],
): Promise<void> {
  const { dataDir } = options.config;
  const server = await createOperatorServer(options, role);
  parts.servers.push(server);
  try {
    parts.operatorSocket = await openOperatorSocket(dataDir, (path) => server.listen({ path, exclusive: true }));
  } catch (error) {
    throw new StartError(
      `The operator API cannot listen in ${dataDir}: ${(error as Error).message}. Check the folder's owner and the free space.`,
    );
  }
}

async function closeServer(server: FastifyInstance): Promise<void> {
  const limit = setTimeout(() => server.server.closeAllConnections(), IN_FLIGHT_LIMIT_MS);
  await server.close();
  clearTimeout(limit);
}

/** API processes of a group share the port; a worker has its own. */
async function listen(server: FastifyInstance, { host, port }: Config, role: Role): Promise<string> {
  try {
    await server.listen({ host, port, backlog: 4096, exclusive: role === 'worker' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new StartError(`Port ${port} on ${host} is in use. Stop the other program, or set PORT to another port.`);
    if (code === 'EACCES')
      throw new StartError(`This user is not allowed to use port ${port} on ${host}. Set PORT to a port above 1023.`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new StartError(`HOST ${host} is not an address of this machine. Set HOST to 127.0.0.1 or 0.0.0.0.`);
    throw new StartError(`Cannot listen on HOST ${host} and PORT ${port}: ${(error as Error).message}.`);
  }
  const address = server.server.address();
  return formatBaseUrl(host, typeof address === 'object' && address !== null ? address.port : port);
}

/** Jobs and loops have separate connections, so that a burst of jobs blocks neither the API nor events. */
function startWorker(services: Services, database: StartedDatabase, options: StartOptions): StartedWorker {
  const { log, timeouts: { database: timeouts } = SERVICE_TIMEOUTS } = options;
  const { jobs, loops: loopConnections } = planConnections(options.config, options.role);
  const db = traceDatabase(createDatabase({ maxConnections: jobs, log, timeouts }), services.tracer);
  db.attach(database.target);
  services.metrics.watchPool('jobs', db.pool, jobs);
  const worker = startJobWorker({
    db,
    services: { ...services, db },
    jobs: JOBS,
    log,
    observe: services.metrics.observeJob,
    isAlone: options.config.databaseUrl === null,
  });
  const loopDb = traceDatabase(createDatabase({ maxConnections: loopConnections, log, timeouts }), services.tracer);
  loopDb.attach(database.target);
  services.metrics.watchPool('loops', loopDb.pool, loopConnections);
  const loops = startLoops({ ...services, db: loopDb });
  return {
    loops,
    async stop() {
      for (const pool of [db, loopDb]) pool.stopHolding();
      await Promise.all([worker.stop(), ...loops.map((loop) => loop.stop())]);
      await Promise.all([db.close(), loopDb.close()]);
    },
  };
}
