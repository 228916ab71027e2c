// Writes a backup: a folder with one compressed file per table and a manifest. It gets its name when everything is on the disk.
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import { DAY_MS } from '../../domain/time/durations.ts';
import { createFolder } from '../create-folder.ts';
import { renameDurably, syncPath } from '../embedded-postgres/durable-file.ts';
import { adviseOnFileError } from '../file-errors.ts';
import type { CopiedTable, CopySource } from './contents.ts';
import { CopyError } from './copy-error.ts';
import {
  FORMAT,
  formatManifest,
  formatSums,
  MANIFEST_NAME,
  type Manifest,
  type StoredTable,
  SUMS_NAME,
} from './manifest.ts';

type WrittenBackup = { readonly path: string; readonly manifest: Manifest };

const UNFINISHED_PREFIX = '.unfinished-';
const TABLES = 'tables';
/** Health data in clear: for the owner only. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
/** Nobody can ask another machine whether a process runs. No table takes this long. */
const ABANDONED_MS = DAY_MS;
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

/** Creates a folder named by the time of the snapshot in `parent`. */
export async function writeBackup(parent: string, source: CopySource): Promise<WrittenBackup> {
  const path = join(parent, nameBackup(source.contents.at));
  const unfinished = join(parent, `${UNFINISHED_PREFIX}${hostname()}-${process.pid}`);
  try {
    createFolder(parent, FOLDER_MODE);
    await removeUnfinished(parent);
    createFolder(join(unfinished, TABLES), FOLDER_MODE);
    const manifest = await writeFiles(unfinished, source);
    await renameDurably(unfinished, path);
    return { path, manifest };
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true }).catch(() => undefined);
    throw explain(error, path);
  }
}

/** For example tributary-20260309T101500Z. */
function nameBackup(at: string): string {
  return `tributary-${at.replaceAll(/[-:]|\.\d+/g, '')}`;
}

async function writeFiles(folder: string, source: CopySource): Promise<Manifest> {
  const tables: StoredTable[] = [];
  for (const table of source.contents.tables) tables.push(await writeTable(folder, source, table));
  const sequences = await source.listSequences();
  const manifest = { ...source.contents, format: FORMAT, tables, sequences };
  const text = formatManifest(manifest);
  const sums = [...tables, { file: MANIFEST_NAME, sha256: createHash('sha256').update(text).digest('hex') }];
  await writeFile(join(folder, MANIFEST_NAME), text, { mode: FILE_MODE });
  await writeFile(join(folder, SUMS_NAME), formatSums(sums), { mode: FILE_MODE });
  // Together, because the disk then needs fewer flushes.
  const files = [...sums.map(({ file }) => file), SUMS_NAME, TABLES, '.'];
  await Promise.all(files.map((file) => syncPath(join(folder, file))));
  return manifest;
}

async function writeTable(folder: string, source: CopySource, table: CopiedTable): Promise<StoredTable> {
  const file = join(TABLES, `${table.name.replaceAll(/[^\w.]/g, '_')}.copy.zst`);
  const hash = createHash('sha256');
  let bytes = 0;
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  const { stream, rows } = source.openTable(table);
  const target = createWriteStream(join(folder, file), { flags: 'wx', mode: FILE_MODE });
  await pipeline(stream, createZstdCompress(LEVEL), meter, target);
  return { ...table, file, rows: rows(), bytes, sha256: hash.digest('hex') };
}

/** Of backups that were killed. The name has machine and process, so that one in progress stays. */
async function removeUnfinished(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const [, host, pid] = /^\.unfinished-(?:(.+)-)?(\d+)$/.exec(name) ?? [];
    if (pid === undefined) continue;
    const isHere = host === undefined || host === hostname(); // earlier versions wrote no machine
    const isOver = isHere
      ? Number(pid) === process.pid || !isAlive(Number(pid))
      : await isAbandoned(join(parent, name));
    if (isOver) await rm(join(parent, name), { recursive: true, force: true });
  }
}

/** Each table is a new file of the folder. */
async function isAbandoned(folder: string): Promise<boolean> {
  const written = await stat(join(folder, TABLES)).catch(() => null);
  return written !== null && Date.now() - written.mtimeMs > ABANDONED_MS;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function explain(error: unknown, path: string): unknown {
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new CopyError(
      `The backup ${path} was not written: the disk is full. Free space, or name a folder on another disk.`,
    );
  if (code === 'ENOTEMPTY' || code === 'EEXIST')
    return new CopyError(`${path} exists already. Wait a second and run the backup again.`);
  if (syscall === undefined || syscall === 'connect' || syscall === 'read') return error;
  const advice = adviseOnFileError(error);
  const nextStep = advice === null ? 'Name another folder.' : `${advice}, or name another folder.`;
  return new CopyError(`The backup ${path} was not written: ${message}. ${nextStep}`, { cause: error });
}
