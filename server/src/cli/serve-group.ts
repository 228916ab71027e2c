// tributary serve --processes N: starts the database once and supervises N API processes and a worker behind one port.
import { claimDataFolder } from '../claim-data-folder.ts';
import { loadConfig } from '../config.ts';
import type { Role } from '../connection-plan.ts';
import { refuseDamagedMasterKey } from '../platform/data-folder.ts';
import { createLogger } from '../platform/log.ts';
import { makeOwnCallSecret } from '../platform/own-calls.ts';
import { redirectConsole } from '../platform/redirect-console.ts';
import { createSupervisor, type Supervisor } from '../processes/supervisor.ts';
import { type DatabaseOptions, prepareDatabase, type StartedDatabase, startDatabase } from '../start-database.ts';
import { listenForStop, stopLimitMs } from './stop-request.ts';
import type { Terminal } from './terminal.ts';

const KILL_AFTER_MS = 2_000; // a process ends itself at its own limit; this is for one that hangs

export async function serveGroup(
  terminal: Terminal,
  { role, processes }: { readonly role: Role; readonly processes: number },
): Promise<number> {
  const startedAtMs = Date.now();
  const config = loadConfig(terminal.environment);
  const log = createLogger(config.logLevel);
  redirectConsole(log);
  const stop = listenForStop(terminal);
  const lock = claimDataFolder(config);
  const groupSize = { apiProcesses: processes, hasWorker: role === 'all' };
  const print = (line: string) => terminal.stdout(`${line}\n`);
  const options = { config, log, print, signal: stop.signal, groupSize };
  let database: Promise<StartedDatabase> | null = null;
  let supervisor: Supervisor | null = null;
  try {
    if (config.masterKey === null) refuseDamagedMasterKey(config.dataDir);
    database = startPrepared(options);
    const started = createSupervisor({
      group: { ...groupSize, ownCallSecret: makeOwnCallSecret(), startedAtMs },
      database: database.then(({ stop: _, ...facts }) => facts),
      log,
      stopLimitMs: stopLimitMs(config) + KILL_AFTER_MS,
    });
    supervisor = started;
    terminal.onReloadSignal(() => void started.restart());
    await Promise.race([started.start().then(() => stop.requested), stop.requested, started.broken]);
    log.info({}, 'stopping');
    return 0;
  } catch (error) {
    if (stop.signal.aborted) return 0; // stopped while starting
    throw error;
  } finally {
    await supervisor?.stop();
    const started = await database?.catch(() => null);
    await started?.stop();
    lock.release();
  }
}

/** Migrates before any process of the group needs the database. */
async function startPrepared(options: DatabaseOptions): Promise<StartedDatabase> {
  const database = await startDatabase(options);
  try {
    options.signal?.throwIfAborted();
    await prepareDatabase(options, database, async () => undefined);
    return database;
  } catch (error) {
    await database.stop();
    throw error;
  }
}
