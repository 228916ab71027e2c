// Starts the processes of the group, starts them again when they end, restarts them one after the other, and stops them.
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../platform/log.ts';
import type { DatabaseFacts } from '../start-database.ts';
import { createGroupMetrics } from './group-metrics.ts';
import { type MemberProcess, startMember } from './member-process.ts';
import type { Assignment } from './messages.ts';
import {
  cannotStart,
  countEnd,
  countFailedStart,
  type Failures,
  NO_FAILURES,
  restartDelayMs,
} from './restart-delay.ts';

export type Supervisor = {
  /** Resolves once all processes are ready. Rejects if one cannot start. */
  start(): Promise<void>;
  /** Replaces one process after the other, once more if a restart is already under way, because the code may have changed. */
  restart(): Promise<void>;
  /** Stops all processes, and kills those that have not ended within the limit. */
  stop(): Promise<void>;
  /** Rejects with the reason if a process cannot be started any more. */
  readonly broken: Promise<never>;
};

type Slot = {
  readonly role: Assignment['role'];
  readonly isLead: boolean;
  member: MemberProcess | null;
  /** Is replaced on purpose, so its end is not an accident. */
  leaving: MemberProcess | null;
  /** While a process that ended is being started again. */
  restarting: Promise<void> | null;
  failures: Failures;
};

export function createSupervisor(options: {
  /** What all processes are handed. */
  readonly group: Omit<Assignment, 'database' | 'role' | 'isFirst' | 'isLead' | 'publicUrl'>;
  /** Processes load their code while it starts. */
  readonly database: Promise<DatabaseFacts>;
  readonly log: Logger;
  /** Time in which a process must have stopped. */
  readonly stopLimitMs: number;
}): Supervisor {
  const { group, database, log, stopLimitMs } = options;
  const slots: Slot[] = Array.from({ length: group.apiProcesses }, (_, index) => newSlot('api', index === 0));
  if (group.hasWorker) slots.push(newSlot('worker', false));
  const running = new Set<MemberProcess>();
  const metrics = createGroupMetrics(group.startedAtMs);
  const broken = Promise.withResolvers<never>();
  broken.promise.catch(() => undefined);
  let publicUrl: string | null = null;
  let isStarted = false;
  const stopping = new AbortController();
  const isStopping = () => stopping.signal.aborted;
  let isRestarting = false;
  let isRestartWanted = false;

  /** Starts a process that begins after `after`. Resolves when it is ready and watched. */
  async function fill(slot: Slot, after: Promise<unknown>): Promise<void> {
    const { role, isLead } = slot;
    const isFirst = !isStarted;
    const assign = async () => {
      await after;
      return {
        ...group,
        role,
        isLead,
        isFirst,
        database: await database,
        publicUrl: role === 'api' ? null : publicUrl,
      };
    };
    const member = startMember(role, assign(), metrics.render);
    running.add(member);
    void member.exited.then(() => running.delete(member));
    const url = await member.ready;
    metrics.add(member);
    void member.closed.then(() => metrics.remove(member));
    if (role === 'api') publicUrl = url;
    slot.member = member;
    void member.exited.then((reason) => {
      if (slot.member !== member || slot.leaving === member || isStopping() || !isStarted) return;
      slot.failures = countEnd(slot.failures, performance.now() - member.startedMs);
      return refill(slot, reason);
    });
  }

  /** Starts the process again, later after each failure. */
  async function refill(slot: Slot, reason: string): Promise<void> {
    const afterMs = restartDelayMs(slot.failures);
    log.error({ role: slot.role, reason, after_ms: afterMs }, 'a process ended and is started again');
    await delay(afterMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    if (isStopping()) return;
    metrics.countRestart();
    slot.restarting = fill(slot, database).finally(() => {
      slot.restarting = null;
    });
    try {
      await slot.restarting;
      log.info({ role: slot.role, pid: slot.member?.pid }, 'the process is ready again');
    } catch (error) {
      slot.failures = countFailedStart(slot.failures);
      if (cannotStart(slot.failures)) broken.reject(error);
      else if (!isStopping()) await refill(slot, (error as Error).message);
    }
  }

  /** An API process serves until its successor does. There is only one worker at a time, so it ends first. */
  async function replace(slot: Slot): Promise<void> {
    await slot.restarting?.catch(() => undefined); // it may have loaded the former code
    const former = slot.member;
    if (!former?.isReady()) return; // it is started later
    slot.leaving = former;
    try {
      if (slot.role === 'worker') await end(former, 'stop');
      if (isStopping()) return;
      await fill(slot, database);
      if (slot.role === 'api') await end(former, 'retire');
    } catch (error) {
      if (!former.isReady() && !isStopping()) void refill(slot, (error as Error).message);
      throw error;
    } finally {
      slot.leaving = null;
    }
  }

  async function restart(): Promise<void> {
    isRestartWanted = true;
    if (isRestarting || !isStarted) return;
    isRestarting = true;
    while (isRestartWanted && !isStopping()) {
      isRestartWanted = false;
      await replaceAll();
    }
    isRestarting = false;
  }

  async function replaceAll(): Promise<void> {
    log.info({}, 'restarting one process after the other');
    try {
      for (const slot of slots) if (!isStopping()) await replace(slot);
      if (!isStopping()) log.info({}, 'all processes were restarted');
    } catch (error) {
      if (!isStopping())
        log.error({ reason: (error as Error).message }, 'rolling restart aborted; running processes continue');
    }
  }

  async function end(member: MemberProcess, how: 'stop' | 'retire'): Promise<void> {
    member.send({ kind: how });
    const limit = setTimeout(() => {
      log.error({ pid: member.pid }, 'stopping took too long');
      member.kill();
    }, stopLimitMs);
    await member.exited;
    clearTimeout(limit);
  }

  return {
    broken: broken.promise,
    async start() {
      const [lead, ...others] = slots;
      const leads = lead ? fill(lead, database) : database;
      const rest = Promise.all(others.map((slot) => fill(slot, leads))); // the banner with the first keys comes before they serve
      rest.catch(() => undefined);
      await Promise.all([database, leads, rest]);
      isStarted = true;
      if (isStopping()) return;
      for (const slot of slots)
        if (!slot.member?.isReady()) void refill(slot, 'The process ended while others were starting.');
      log.info({ api: group.apiProcesses, worker: group.hasWorker ? 1 : 0 }, 'all processes are ready');
      if (isRestartWanted) void restart();
    },
    restart,
    async stop() {
      stopping.abort();
      await Promise.all([...running].map((member) => end(member, 'stop')));
    },
  };
}

function newSlot(role: Slot['role'], isLead: boolean): Slot {
  return { role, isLead, member: null, leaving: null, restarting: null, failures: NO_FAILURES };
}
