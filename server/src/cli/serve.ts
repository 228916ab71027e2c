// tributary serve: starts the service, prints its address, and stops it cleanly.
import { loadConfig } from '../config.ts';
import { SECOND_MS } from '../domain/time/durations.ts';
import { saveCompiledCodeSoon } from '../platform/compiled-code.ts';
import { redirectConsole } from '../platform/redirect-console.ts';
import { createServiceLogger } from '../service-log.ts';
import { type Role, startService } from '../start-service.ts';
import { presentBanner } from './banner.ts';
import type { Terminal } from './terminal.ts';

const FORCE_STOP_AFTER_MS = 500; // one Ctrl-C arrives twice, from the terminal and from npm
const STOP_LIMIT_MS = 28_000; // below the usual 30 s of supervisors; draining comes on top

export async function serve(terminal: Terminal, role: Role): Promise<number> {
  const startedMs = performance.now();
  const config = loadConfig(terminal.environment);
  const log = createServiceLogger(config.logLevel);
  redirectConsole(log);
  const stop = listenForStop(terminal);
  try {
    const service = await startService({
      config,
      role,
      log,
      print: (line) => terminal.stdout(`${line}\n`),
      announce: (started) => {
        const seconds = (performance.now() - startedMs) / 1000;
        terminal.stdout(presentBanner({ service: started, config, role, seconds }));
      },
      signal: stop.signal,
    });
    saveCompiledCodeSoon();
    if (role !== 'worker' && config.buildsDashboard) void service.services.dashboardFiles.buildIfStale(log);
    await stop.requested;
    log.info({}, 'stopping');
    const limit = setTimeout(
      () => {
        log.error({}, 'stopping took too long');
        terminal.exitNow(1);
      },
      config.drainSeconds * SECOND_MS + STOP_LIMIT_MS,
    ).unref();
    await service.stop();
    clearTimeout(limit);
    return 0;
  } catch (error) {
    if (stop.signal.aborted) return 0; // stopped while starting
    throw error;
  }
}

/** The first signal requests a clean stop; a clearly later one ends the process immediately. */
function listenForStop(terminal: Terminal): { readonly signal: AbortSignal; readonly requested: Promise<void> } {
  const controller = new AbortController();
  let requestedMs = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  terminal.onStopSignal(() => {
    if (controller.signal.aborted) {
      if (performance.now() - requestedMs > FORCE_STOP_AFTER_MS) terminal.exitNow(1);
      return;
    }
    requestedMs = performance.now();
    controller.abort();
    resolve();
  });
  return { signal: controller.signal, requested: promise };
}
