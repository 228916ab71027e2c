// How many database connections a process opens at most, and what for. The sum over all processes must fit into max_connections.
import type { Config } from './config.ts';

type ConnectionSettings = Pick<Config, 'citusNodes' | 'readConnections' | 'writeConnections' | 'workerConnections'>;
export type Role = 'all' | 'api' | 'worker';

/** A process and how many connections it opens at most. */
export type PlannedProcess = { readonly role: Role; readonly connections: number };

/** The processes of `serve --processes`. */
export type GroupSize = { readonly apiProcesses: number; readonly hasWorker: boolean };

export type ConnectionPlan = {
  /** Of the API: statements that only read. */
  readonly reads: number;
  /** Of the API: transactions and single statements that write. */
  readonly writes: number;
  /** On Citus, what the nodes open to the coordinator: one for each connection that the API opens to them. */
  readonly nodes: number;
  readonly jobs: number;
  readonly loops: number;
  readonly total: number;
};

/** A worker also answers health checks, and saves its keys and heartbeat. */
const WORKER_OWN = { reads: 2, writes: 2 };

export function planConnections(config: ConnectionSettings, role: Role): ConnectionPlan {
  const { reads, writes } =
    role === 'worker' ? WORKER_OWN : { reads: config.readConnections, writes: config.writeConnections };
  const worker = role === 'api' ? 0 : config.workerConnections;
  const jobs = Math.floor(worker / 2);
  const nodes = role === 'worker' ? 0 : config.citusNodes.length * writes;
  return { reads, writes, nodes, jobs, loops: worker - jobs, total: reads + writes + nodes + worker };
}

/** `successor`: of the API process that a rolling restart starts before the former one ends. */
export function sumConnections(processes: readonly PlannedProcess[]): { running: number; successor: number } {
  return {
    running: processes.reduce((sum, { connections }) => sum + connections, 0),
    successor: Math.max(0, ...processes.filter(({ role }) => role === 'api').map(({ connections }) => connections)),
  };
}

const SMALLEST_SERVER = 100; // the default of PostgreSQL
const RESERVED = 20; // 3 of superusers; backup, doctor and other commands; your own sessions
const POOLS_OF_PROCESS = 4; // at most; each may ask over one more connection whether the server still answers

/** `max_connections` of the embedded server. Null: a single process does everything. */
export function sizeEmbeddedServer(config: ConnectionSettings, group: GroupSize | null): number {
  const processes = listProcesses(config, group);
  const { running, successor } = sumConnections(processes);
  return Math.max(SMALLEST_SERVER, running + successor + RESERVED + POOLS_OF_PROCESS * (processes.length + 1));
}

function listProcesses(config: ConnectionSettings, group: GroupSize | null): PlannedProcess[] {
  const plan = (role: Role) => ({ role, connections: planConnections(config, role).total });
  if (group === null) return [plan('all')];
  const api = Array.from({ length: group.apiProcesses }, () => plan('api'));
  return group.hasWorker ? [...api, plan('worker')] : api;
}
