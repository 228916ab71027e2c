// Prometheus metrics of the connection pools, read from the pools at each scrape.
import type pg from 'pg';
import { Gauge, type Registry } from 'prom-client';

export type PoolMetrics = {
  /** A pool whose database is not attached yet counts as empty. */
  watchPool(name: string, pool: () => pg.Pool, maxConnections: number): void;
};

type PoolUse = { readonly in_use: number; readonly idle: number; readonly waiting: number };
const EMPTY: PoolUse = { in_use: 0, idle: 0, waiting: 0 };

export function registerPoolMetrics(registry: Registry): PoolMetrics {
  const registers = [registry];
  const pools = new Map<string, () => pg.Pool>();
  const limits = new Gauge({
    name: 'tributary_database_pool_max_connections',
    help: 'Largest number of database connections, by pool (this process)',
    labelNames: ['pool'],
    registers,
  });
  new Gauge({
    name: 'tributary_database_pool_connections',
    help: 'Open database connections, by pool and state (this process)',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const [name, pool] of pools) {
        const { in_use, idle } = readUse(pool);
        this.labels(name, 'in_use').set(in_use);
        this.labels(name, 'idle').set(idle);
      }
    },
  });
  new Gauge({
    name: 'tributary_database_pool_waiting',
    help: 'Operations that wait for a database connection, by pool (this process)',
    labelNames: ['pool'],
    registers,
    collect() {
      for (const [name, pool] of pools) this.labels(name).set(readUse(pool).waiting);
    },
  });
  return {
    watchPool: (name, pool, maxConnections) => {
      pools.set(name, pool);
      limits.labels(name).set(maxConnections);
    },
  };
}

function readUse(pool: () => pg.Pool): PoolUse {
  try {
    const { totalCount, idleCount, waitingCount } = pool();
    return { in_use: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
  } catch {
    return EMPTY;
  }
}
