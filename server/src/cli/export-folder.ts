// An export into a folder. Only the user of the operating system can read its files.
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { chmod, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { UserId } from '../domain/tenancy.ts';
import { EXPORT_RESOURCES } from '../features/reads/exports/records.ts';
import { createFolder } from '../platform/create-folder.ts';
import { adviseOnFileError } from '../platform/file-errors.ts';
import { type ExportTarget, groupByOwner, ownerOf } from './export-target.ts';
import { isOtherProcess } from './is-other-process.ts';
import { CommandError } from './terminal.ts';

/** With the process that writes it, so that two exports at the same time do not write into one file. */
const PARTIAL = /^(.+?)(?:\.(\d+)-[\da-f]+)?\.partial$/;
/** Those of this process: containers give every run the same process id. */
const writing = new Set<string>();
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

export async function openExportFolder(to: string): Promise<ExportTarget> {
  await explain(to, async () => createFolder(to, PRIVATE_FOLDER));
  return {
    name: to,
    read: (name) => explain(to, () => readIfPresent(join(to, name))),
    write: (name, chunks) => explain(to, () => writeWhole(join(to, name), chunks)),
    create: (name, bytes) => explain(to, () => createFile(join(to, name), bytes)),
    async removeUnfinished() {
      for (const name of await listNames(to)) {
        const [, whole = '', pid] = PARTIAL.exec(name) ?? [];
        const isOurs = ownerOf(whole) !== null && !writing.has(join(to, name));
        if (isOurs && (pid === undefined || !isOtherProcess(Number(pid)))) await rm(join(to, name), { force: true });
      }
    },
    async find() {
      const found = new Map<UserId, string[]>();
      for (const name of await listNames(to)) {
        const [userId] = groupByOwner([PARTIAL.exec(name)?.[1] ?? name]).keys();
        if (userId !== undefined) found.set(userId, [...(found.get(userId) ?? []), name]);
      }
      return found;
    },
    async remove(names) {
      for (const name of names) await rm(join(to, name), { force: true });
    },
  };
}

/** Faults of the disk or folder are the same for every user, so the export ends. */
async function explain<Result>(to: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw describeFault(to, error);
  }
}

export function describeFault(to: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new CommandError(`The disk of ${to} is full. Free space and run the command again: it continues.`);
  if (code === 'ENOTDIR') return new CommandError(`${message}. Use another target.`);
  const advice = adviseOnFileError(error);
  return advice === null
    ? error
    : new CommandError(`${to} cannot be written: ${message}. ${advice}, or use another target.`, { cause: error });
}

async function writeWhole(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const partial = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.partial`;
  createFolder(dirname(path), PRIVATE_FOLDER);
  writing.add(partial);
  try {
    // Flushed, so that the state, which is written last, never names a file that a power failure has lost.
    await pipeline(chunks, createWriteStream(partial, { mode: PRIVATE_FILE, flags: 'wx', flush: true }));
    await chmod(partial, PRIVATE_FILE);
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  } finally {
    writing.delete(partial);
  }
}

async function createFile(path: string, bytes: Uint8Array): Promise<void> {
  try {
    await writeFile(path, bytes, { flag: 'wx', mode: PRIVATE_FILE });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Of the folder and of the folders of resources. */
async function listNames(to: string): Promise<string[]> {
  const names = await readNames(to);
  for (const resource of EXPORT_RESOURCES)
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
