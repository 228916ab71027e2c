// Starts one PostgreSQL for a whole test run in a temporary folder: the bundled one or the system's.
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { formatUrl } from '../src/platform/embedded-postgres/format-url.ts';
import { createLogger } from '../src/platform/log.ts';
import { openCitusServer } from './open-citus-server.ts';
import { findBinaries, type RunningPostgres, startSystemPostgres } from './start-system-postgres.ts';
import { findTemporaryFolder } from './temporary-folder.ts';

/** `folder` is removed with the server; tests keep files there that the whole run shares. */
export type TestPostgres = { url: string; folder: string; stop: () => Promise<void> };

/** Test data need not survive a power cut; two test files at a time open one or two pools each. */
const TEST_SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
};

/** One node that is coordinator and worker: the statements are planned as in a cluster. Few shards, as each is a table. */
const CITUS_SETTINGS = {
  ...TEST_SETTINGS,
  shared_preload_libraries: 'citus',
  'citus.shard_count': '4',
  'citus.local_hostname': '', // set to the folder of the socket: nothing listens on the network
  'citus.node_conninfo': 'sslmode=disable',
  max_prepared_transactions: '300',
  // It begins with a connection to each node, and `drop database` right after a short test waits for Citus, which waits for that connection.
  'citus.recover_2pc_interval': '-1',
};

const URL_SCHEME = /^postgres(ql)?:/;

/**
 * `kind` is the value of TEST_POSTGRES: nothing or `embedded`, `system` (the newest installed), `system:15`, `citus:FOLDER` with the
 * binaries of a PostgreSQL that has Citus, or `citus:URL` of a running one.
 */
export async function startTestPostgres(kind: string): Promise<TestPostgres> {
  const [where, which] = kind.split(/:(.*)/);
  if (where !== 'embedded' && where !== 'system' && (where !== 'citus' || !which))
    throw new Error(`TEST_POSTGRES=${kind}: use embedded, system, system:15, citus:FOLDER or citus:URL`);
  const folder = await mkdtemp(path.join(findTemporaryFolder(), 'tributary-test-'));
  // As root, the server runs as another user, which must be able to reach its files.
  await chmod(folder, 0o755);
  try {
    const { url, stop } = await provideServer(where, which, folder);
    return { url, folder, stop: () => stop().finally(() => removeFolder(folder)) };
  } catch (error) {
    await removeFolder(folder);
    throw error;
  }
}

async function provideServer(where: string, which: string | undefined, folder: string) {
  if (where === 'citus' && which !== undefined && URL_SCHEME.test(which))
    return { url: which, ...(await openCitusServer(which)) };
  const { connection, stop } = await startServer(where, which, folder);
  return { url: formatUrl(connection), stop };
}

function startServer(where: string, which: string | undefined, folder: string): Promise<RunningPostgres> {
  if (where === 'system') return startSystemPostgres(folder, TEST_SETTINGS, findBinaries(which));
  if (where !== 'citus') return startBundled(folder);
  const settings = { ...CITUS_SETTINGS, 'citus.local_hostname': path.join(folder, 'socket') };
  return startSystemPostgres(folder, settings, which);
}

/** Imported only when used: the system's server must be testable where the bundled one does not run. */
async function startBundled(folder: string): Promise<RunningPostgres> {
  const { startEmbeddedPostgres } = await import('../src/platform/embedded-postgres/index.ts');
  const dataDir = path.join(folder, 'data');
  await mkdir(dataDir);
  const print = (line: string) => process.stdout.write(`${line}\n`);
  // Silent, because tests cause database errors on purpose.
  return startEmbeddedPostgres({ dataDir, print: print, log: createLogger('silent'), settings: TEST_SETTINGS });
}

async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
