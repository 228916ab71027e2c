// tributary serve in one process: starts the service, prints its address, and stops it cleanly.

import { loadConfig } from '../config.ts';
import type { Role } from '../connection-plan.ts';
import { saveCompiledCodeSoon } from '../platform/compiled-code.ts';
import { redirectConsole } from '../platform/redirect-console.ts';
import { createServiceLogger } from '../service-log.ts';
import { type RunningService, startService } from '../start-service.ts';
import { presentBanner } from './banner.ts';
import { listenForStop, stopLimitMs } from './stop-request.ts';
import type { Terminal } from './terminal.ts';

export async function serveAlone(terminal: Terminal, role: Role): Promise<number> {
  const startedMs = performance.now();
  const config = loadConfig(terminal.environment);
  const log = createServiceLogger(config.logLevel);
  redirectConsole(log);
  const stop = listenForStop(terminal);
  let service: RunningService;
  try {
    service = await startService({
      config,
      role,
      log,
      print: (line) => terminal.stdout(`${line}\n`),
      announce: (started) => {
        const seconds = (performance.now() - startedMs) / 1000;
        const note = role === 'all' ? null : `${role} only`;
        terminal.stdout(presentBanner({ service: started, config, role, seconds, note }));
      },
      signal: stop.signal,
    });
  } catch (error) {
    if (stop.signal.aborted) return 0; // stopped while starting
    throw error;
  }
  saveCompiledCodeSoon();
  if (role !== 'worker' && config.buildsDashboard) void service.services.dashboardFiles.buildIfStale(log);
  await stop.requested;
  log.info({}, 'stopping');
  const limit = setTimeout(() => {
    log.error({}, 'stopping took too long');
    terminal.exitNow(1);
  }, stopLimitMs(config)).unref();
  await service.stop();
  clearTimeout(limit);
  return 0;
}
