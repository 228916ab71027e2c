// The program as few files (bundle-program.ts), for tests that start it as a process.
import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { HOUR_MS } from '../../src/domain/time/durations.ts';
import { bundleProgram, isBundlerInstalled } from '../../tools/bundle-program.ts';

/** Packages are found from here. */
const FOLDER = path.resolve(import.meta.dirname, '../../../node_modules/.cache/bundled-program');

/**
 * Returns the main module. Its folder is named by its content, so that runs of the same sources share compiled code, and those of others
 * do not replace it. Null: there is no bundler.
 */
export async function prepareBundledProgram(): Promise<string | null> {
  if (!(await isBundlerInstalled())) return null;
  const draft = path.join(FOLDER, `draft-${randomUUID()}`);
  await bundleProgram(draft, 'repository');
  const name = await hashFiles(draft);
  const folder = path.join(FOLDER, name);
  await rename(draft, folder).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    await rm(draft, { recursive: true, force: true });
  });
  await removeOthers(name);
  return path.join(folder, 'main.js');
}

async function hashFiles(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const name of (await readdir(folder)).sort()) hash.update(name).update(await readFile(path.join(folder, name)));
  return hash.digest('hex').slice(0, 16);
}

/** Another run may still use one of the last hour. */
async function removeOthers(kept: string): Promise<void> {
  for (const name of await readdir(FOLDER)) {
    const folder = path.join(FOLDER, name);
    const found = await stat(folder).catch(() => null); // another run may have just renamed or removed it
    if (name !== kept && found !== null && found.mtimeMs < Date.now() - HOUR_MS)
      await rm(folder, { recursive: true, force: true });
  }
}
