// An export into a folder. Only the user of the operating system can read its files.
import { createWriteStream } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type ExportTarget, groupByOwner, ownerOf, RESOURCES } from './export-target.ts';

const PARTIAL = '.partial';
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

export async function openFolder(to: string): Promise<ExportTarget> {
  await createFolder(to);
  return {
    name: to,
    read: (name) => readIfPresent(join(to, name)),
    write: (name, chunks) => writeWhole(join(to, name), chunks),
    async find() {
      const names = (await listNames(to)).map((name) => ({ name, whole: name.replace(/\.partial$/, '') }));
      const partial = names.filter(({ name, whole }) => name !== whole && ownerOf(whole) !== null);
      const found = groupByOwner(names.map(({ name }) => name));
      for (const { name, whole } of partial)
        for (const [userId] of groupByOwner([whole])) found.set(userId, [...(found.get(userId) ?? []), name]);
      return found;
    },
    async remove(names) {
      for (const name of names) await rm(join(to, name), { force: true });
    },
  };
}

async function createFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: PRIVATE_FOLDER });
}

async function writeWhole(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const partial = `${path}${PARTIAL}`;
  await createFolder(dirname(path));
  await rm(partial, { force: true }); // an existing file would keep its permissions
  try {
    await pipeline(chunks, createWriteStream(partial, { mode: PRIVATE_FILE }));
    await chmod(partial, PRIVATE_FILE);
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** Of the folder and of the folders of resources. */
async function listNames(to: string): Promise<string[]> {
  const names = await readNames(to);
  for (const resource of RESOURCES)
    names.push(...(await readNames(join(to, resource))).map((name) => `${resource}/${name}`));
  return names;
}

async function readNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function readIfPresent(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
