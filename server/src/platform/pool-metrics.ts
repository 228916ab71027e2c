// Prometheus metrics of the connection pools, read from the pools at each scrape.
import { Gauge, type Registry } from 'prom-client';
import type { Database } from './db/database.ts';

export type PoolMetrics = {
  /** A pool whose database is not attached yet counts as empty. */
  watchPool(name: string, db: Pick<Database, 'pool'>, maxConnections: number): void;
};

type PoolUse = { readonly in_use: number; readonly idle: number; readonly waiting: number };
const EMPTY: PoolUse = { in_use: 0, idle: 0, waiting: 0 };

export function registerPoolMetrics(registry: Registry): PoolMetrics {
  const registers = [registry];
  const pools = new Map<string, Pick<Database, 'pool'>>();
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
      for (const [name, db] of pools) {
        const { in_use, idle } = readUse(db);
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
      for (const [name, db] of pools) this.labels(name).set(readUse(db).waiting);
    },
  });
  return {
    watchPool: (name, db, maxConnections) => {
      pools.set(name, db);
      limits.labels(name).set(maxConnections);
    },
  };
}

function readUse(db: Pick<Database, 'pool'>): PoolUse {
  try {
    const { totalCount, idleCount, waitingCount } = db.pool();
    return { in_use: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
  } catch {
    return EMPTY;
  }
}
