// A data folder with a migrated database and nothing else: created once per test run, copied for every test that starts its own
// service. A service that starts on the copy creates its master key and first account as on an empty folder.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { loadConfig } from '../../src/config.ts';
import { createLogger } from '../../src/platform/log.ts';
import { prepareDatabase, startDatabase } from '../../src/start-database.ts';

const isLinux = process.platform === 'linux';

/** Creates `dataDir` if needed and keeps its existing files. */
export async function copyTemplateFolder(dataDir: string): Promise<void> {
  const template = await ensureTemplateFolder();
  await mkdir(dataDir, { recursive: true });
  // Not fs.cp, which would change the owner: the cluster belongs to the user that PostgreSQL runs as.
  await promisify(execFile)('cp', ['-a', ...(isLinux ? ['--reflink=auto'] : []), join(template, 'postgres'), dataDir]);
}

async function ensureTemplateFolder(): Promise<string> {
  const runFolder = process.env.TEST_RUN_FOLDER;
  if (!runFolder) throw new Error('Run the tests with "npm test": it creates the folder that they share.');
  const template = join(runFolder, 'template');
  if (await exists(template)) return template;
  // Two test files may do this at once: the first one to finish creates the template, the other one drops its own.
  const draft = `${template}-${randomUUID()}`;
  await makeTemplate(draft);
  await rename(draft, template).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    await rm(draft, { recursive: true, force: true });
  });
  return template;
}

async function makeTemplate(dataDir: string): Promise<void> {
  await mkdir(dataDir);
  await chmod(dataDir, 0o755); // the database may run as another user
  const options = {
    config: loadConfig({ TRIBUTARY_DATA_DIR: dataDir }),
    log: createLogger('silent'),
    print: (line: string) => assert.fail(line),
  };
  const database = await startDatabase(options);
  try {
    await prepareDatabase(options, database, async () => undefined);
  } finally {
    await database.stop();
  }
}

async function exists(folder: string): Promise<boolean> {
  return stat(folder).then(
    () => true,
    () => false,
  );
}
