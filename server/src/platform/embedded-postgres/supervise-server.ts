// Keeps the server running until it is stopped: the first start must succeed, restarts are retried forever.

import { setTimeout as delay } from 'node:timers/promises';
import { awaitReady } from './await-ready.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { clearFormerPostmaster } from './former-postmaster.ts';
import type { PostgresLog, ServerLog } from './server-log.ts';
import type { ServerProcess } from './server-process.ts';
import type { SocketFolder } from './socket-folder.ts';
import type { Watchdog } from './watchdog.ts';

export type SupervisedServer = {
  readonly serverVersion: string;
  postmasterPid(): number | null;
  stop(): Promise<void>;
};

type Context = {
  readonly clusterDir: string;
  readonly socket: SocketFolder;
  readonly watchdog: Watchdog;
  readonly log: PostgresLog;
  readonly serverLog: ServerLog;
  readonly spawn: () => ServerProcess;
};

const FIRST_RESTART_DELAY_MS = 100;
const LAST_RESTART_DELAY_MS = 5000;
/** A server that ran this long has recovered, so the restart delays begin again. */
const STABLE_AFTER_MS = 60_000;

/** Children of a killed server end by themselves; until then a new server refuses to start. */
const STILL_IN_USE = /pre-existing shared memory block/;
const STILL_IN_USE_LIMIT_MS = 60_000;

export async function superviseServer(context: Context): Promise<SupervisedServer> {
  const { log, serverLog } = context;
  const stopping = new AbortController();
  let server: ServerProcess | null = null;

  /** Resolves to the server's version, or to null if it ended or was stopped before it was ready. */
  async function launch(): Promise<string | null> {
    await clearFormerPostmaster(context.clusterDir, log);
    await context.socket.removeStaleFiles();
    // No await between this check and the new server, so that stop() cannot miss it.
    if (stopping.signal.aborted) return null;
    serverLog.forgetLines();
    const launched = context.spawn();
    server = launched;
    if (launched.pid !== null) context.watchdog.watch(launched.pid);
    const gone = new AbortController();
    void launched.ended.then(() => gone.abort());
    try {
      return await awaitReady(context.socket.path, log, gone.signal);
    } catch (error) {
      if (!launched.isRunning()) return null;
      await launched.stop();
      throw error;
    }
  }

  async function launchFirst(): Promise<string> {
    const limit = performance.now() + STILL_IN_USE_LIMIT_MS;
    for (;;) {
      const version = await launch();
      if (version !== null) return version;
      const how = await server?.ended;
      const lines = serverLog.listLastLines().join('\n');
      if (!STILL_IN_USE.test(lines) || performance.now() > limit) throw presentFailure(context.clusterDir, how, lines);
      await delay(FIRST_RESTART_DELAY_MS);
    }
  }

  async function keepRunning(): Promise<void> {
    let delayMs = 0;
    let readyAt = performance.now();
    for (;;) {
      const how = await server?.ended;
      if (stopping.signal.aborted) return;
      delayMs = nextRestartDelay(delayMs, performance.now() - readyAt);
      log.error({ delayMs }, `PostgreSQL ${how}; restarting it`);
      await delay(delayMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      readyAt = performance.now();
      const version = await launch().catch((error: unknown) => {
        log.error({ err: error }, 'PostgreSQL could not be restarted');
        return null;
      });
      if (version !== null)
        log.info({ tookMs: Math.round(performance.now() - readyAt) }, 'PostgreSQL is running again');
    }
  }

  const serverVersion = await launchFirst();
  const supervision = keepRunning();
  return {
    serverVersion,
    postmasterPid: () => (server?.isRunning() ? server.pid : null),
    stop: async () => {
      stopping.abort();
      await server?.stop();
      await supervision;
    },
  };
}

export function nextRestartDelay(previousDelayMs: number, ranForMs: number): number {
  if (previousDelayMs === 0 || ranForMs >= STABLE_AFTER_MS) return FIRST_RESTART_DELAY_MS;
  return Math.min(previousDelayMs * 2, LAST_RESTART_DELAY_MS);
}

function presentFailure(clusterDir: string, how: string | undefined, lines: string): EmbeddedPostgresError {
  const printed = lines === '' ? 'It printed nothing.' : `Its last output was:\n${lines}`;
  return new EmbeddedPostgresError(`PostgreSQL on ${clusterDir} did not start: it ${how}. ${printed}`);
}
