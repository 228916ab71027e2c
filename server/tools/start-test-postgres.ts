// Starts one PostgreSQL for a whole test run in a temporary folder: the bundled one or the system's.
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { formatUrl } from '../src/platform/embedded-postgres/format-url.ts';
import { createLogger } from '../src/platform/log.ts';
import { type RunningPostgres, startSystemPostgres } from './start-system-postgres.ts';

/** `folder` is removed with the server; tests keep files there that the whole run shares. */
export type TestPostgres = { url: string; folder: string; stop: () => Promise<void> };

/** Test data need not survive a power cut; two test files at a time open one or two pools each. */
const TEST_SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
};

/** `kind` is the value of TEST_POSTGRES: nothing or `embedded`, `system` (the newest installed), or `system:15`. */
export async function startTestPostgres(kind: string): Promise<TestPostgres> {
  const [where, major] = kind.split(':');
  if (where !== 'embedded' && where !== 'system')
    throw new Error(`TEST_POSTGRES=${kind}: use embedded, system or system:15`);
  const folder = await mkdtemp(path.join(tmpdir(), 'tributary-test-'));
  // As root, the server runs as another user, which must be able to reach its files.
  await chmod(folder, 0o755);
  try {
    const server =
      where === 'system' ? await startSystemPostgres(folder, TEST_SETTINGS, major) : await startBundled(folder);
    const stop = async () => {
      await server.stop().finally(() => removeFolder(folder));
    };
    return { url: formatUrl(server.connection), folder, stop };
  } catch (error) {
    await removeFolder(folder);
    throw error;
  }
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
