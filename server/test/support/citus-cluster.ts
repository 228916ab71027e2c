// A Citus cluster on ports of loopback: a coordinator and two workers, with the tables of health data distributed.
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { CITUS_LAYOUT } from '../../src/distributed-tables.ts';
import { distribute } from '../../src/platform/db/distribute.ts';
import { loadMigrations, migrate } from '../../src/platform/db/migrate.ts';
import { migrateJobs } from '../../src/platform/jobs/worker.ts';
import { createLogger } from '../../src/platform/log.ts';
import type { Services } from '../../src/platform/services.ts';
import { createCluster, openCluster } from './replicated-postgres.ts';
import { waitFor } from './service-process.ts';
import { connectToDatabase } from './test-database.ts';

const WORKERS = 2;
const JOIN_LIMIT_MS = 10_000;
const SETTINGS = {
  shared_preload_libraries: 'citus',
  'citus.node_conninfo': 'sslmode=disable',
  max_prepared_transactions: '200',
};

/** With the binaries for a cluster, if the run has them: `TEST_POSTGRES=citus:FOLDER`, not the URL of a running server. */
export const CITUS_FOLDER = /^citus:(?!postgres(?:ql)?:)(.+)/.exec(process.env.TEST_POSTGRES ?? '')?.[1];

/** Until the service uses the nodes that have data. It asks them in the background. */
export async function joinNodes({ nodes }: Pick<Services, 'nodes'>): Promise<void> {
  for (const { node } of await nodes.shards())
    await waitFor('the nodes', JOIN_LIMIT_MS, async () => nodes.find(node) !== null);
}

export type ClusterNode = Awaited<ReturnType<typeof openCluster>>;

/** `reach` returns another port for that of a node, for the connections of the other nodes. */
type ClusterOptions = { readonly ofWorkers?: Record<string, string>; reach?(port: number): Promise<number> };

/** `bin` has the binaries of a PostgreSQL with Citus; `ofCoordinator` are further settings. */
export async function startCitusCluster(
  folder: string,
  bin: string,
  ofCoordinator: Record<string, string>,
  { ofWorkers = {}, reach = async (port) => port }: ClusterOptions = {},
) {
  await chmod(folder, 0o755);
  const open = async (name: string, settings: Record<string, string>) => {
    const data = join(folder, name);
    await createCluster(data, bin);
    const node = await openCluster(data, { ...SETTINGS, ...settings }, bin);
    await node.start();
    await node.query('create extension citus');
    return node;
  };
  const coordinator = await open('coordinator', ofCoordinator);
  const workers = await Promise.all(Array.from({ length: WORKERS }, (_, index) => open(`worker-${index}`, ofWorkers)));
  await coordinator.query(`select citus_set_coordinator_host('127.0.0.1', ${await reach(coordinator.port)})`);
  for (const { port } of workers) await coordinator.query(`select citus_add_node('127.0.0.1', ${await reach(port)})`);
  const db = connectToDatabase(coordinator.url, 1);
  await migrate(db, loadMigrations());
  await migrateJobs(db, createLogger('silent'));
  await distribute(db, CITUS_LAYOUT);
  await db.close();
  return {
    coordinator,
    workers,
    /** For a service that connects to the workers too. */
    nodeSettings: { TRIBUTARY_CITUS_NODES: workers.map(({ port }) => `127.0.0.1:${port}`).join() },
    async stop() {
      await Promise.all([coordinator, ...workers].map((node) => node.kill()));
    },
  };
}
