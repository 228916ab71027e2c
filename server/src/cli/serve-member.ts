// One process of tributary serve --processes N: starts the service as assigned and reports to the supervisor. If the supervisor
// dies, node:cluster ends this process with the channel.
import { loadConfig } from '../config.ts';
import { readReadiness } from '../features/operator/operations/index.ts';
import { saveCompiledCodeSoon } from '../platform/compiled-code.ts';
import { RATE_POLICIES, type RatePolicies } from '../platform/http/rate-limit.ts';
import { redirectConsole } from '../platform/redirect-console.ts';
import { describeFailure, type GroupMember, joinProcessGroup } from '../processes/group-member.ts';
import type { Assignment } from '../processes/messages.ts';
import { createServiceLogger } from '../service-log.ts';
import { type RunningService, startService } from '../start-service.ts';
import { presentBanner } from './banner.ts';
import { listenForStop, type StopRequest, stopLimitMs } from './stop-request.ts';
import type { Terminal } from './terminal.ts';

/** Does not return before the process ends, because the channel would keep it running. */
export async function serveMember(terminal: Terminal, ratePolicies = RATE_POLICIES): Promise<number> {
  const stop = listenForStop(terminal);
  terminal.onReloadSignal(() => undefined); // a terminal sends it to all processes; the supervisor decides
  const member = joinProcessGroup();
  let how: 'stop' | 'retire' = 'stop';
  void member.ended.then((kind) => {
    how = kind;
    stop.request();
  });
  try {
    const assignment = await Promise.race([member.assignment, stop.requested]);
    if (assignment) await serveAssignment(terminal, { member, assignment, stop, ratePolicies, how: () => how });
    terminal.exitNow(0);
  } catch (error) {
    if (stop.signal.aborted) terminal.exitNow(0); // stopped while starting
    const message = describeFailure(error);
    if (message === null) throw error;
    await member.report({ kind: 'failed', message });
    terminal.exitNow(1);
  }
  return 0;
}

async function serveAssignment(
  terminal: Terminal,
  options: {
    readonly member: GroupMember;
    readonly assignment: Assignment;
    readonly stop: StopRequest;
    readonly ratePolicies: RatePolicies;
    readonly how: () => 'stop' | 'retire';
  },
): Promise<void> {
  const { member, assignment, stop, ratePolicies, how } = options;
  const own = loadConfig(terminal.environment);
  const config = assignment.role === 'api' ? own : { ...own, host: '127.0.0.1', port: 0 };
  const log = createServiceLogger(config.logLevel);
  redirectConsole(log);
  const service = await startService({
    config,
    role: assignment.role,
    log,
    print: (line) => terminal.stdout(`${line}\n`),
    announce: (started) => announce(terminal, assignment, started, config),
    signal: stop.signal,
    ratePolicies,
    group: {
      ...assignment,
      database: { ...assignment.database, stop: async () => undefined },
      renderMetrics: member.renderMetrics,
    },
  });
  member.answerMetrics(async () => {
    await readReadiness(service.services); // refreshes the gauges of the database and the jobs
    return service.services.metrics.readValues();
  });
  await member.report({ kind: 'ready', publicUrl: service.publicUrl });
  if (assignment.isLead) {
    saveCompiledCodeSoon();
    if (config.buildsDashboard) void service.services.dashboardFiles.buildIfStale(log);
  }
  await stop.requested;
  log.info({}, 'stopping');
  setTimeout(() => terminal.exitNow(1), stopLimitMs(config)).unref();
  await (how() === 'retire' ? service.retire() : service.stop());
  await member.report({ kind: 'last metrics', values: await service.services.metrics.readValues() });
}

function announce(
  terminal: Terminal,
  assignment: Assignment,
  service: RunningService,
  config: Parameters<typeof presentBanner>[0]['config'],
): void {
  if (!assignment.isLead || !assignment.isFirst) return;
  const seconds = (Date.now() - assignment.startedAtMs) / 1000;
  const note = `${assignment.apiProcesses} API processes${assignment.hasWorker ? ' and a worker' : ''}`;
  terminal.stdout(presentBanner({ service, config, role: 'api', seconds, note }));
}
