// How many database connections a process opens at most, and what for. The sum over all processes must fit into max_connections.
import type { Config } from './config.ts';

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

export function planConnections(
  config: Pick<Config, 'citusNodes' | 'readConnections' | 'writeConnections' | 'workerConnections'>,
  role: 'all' | 'api' | 'worker',
): ConnectionPlan {
  const { reads, writes } =
    role === 'worker' ? WORKER_OWN : { reads: config.readConnections, writes: config.writeConnections };
  const worker = role === 'api' ? 0 : config.workerConnections;
  const jobs = Math.floor(worker / 2);
  const nodes = role === 'worker' ? 0 : config.citusNodes.length * writes;
  return { reads, writes, nodes, jobs, loops: worker - jobs, total: reads + writes + nodes + worker };
}
