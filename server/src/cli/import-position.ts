// Where an interrupted import continues: a small file in the data folder per user and imported file. The position counts
// batches, which are the same for the same file, program and options.
import { createHash, randomUUID } from 'node:crypto';
import {
  chownSync,
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '../domain/time/durations.ts';
import {
  type CsvMapping,
  type ImportFormat,
  type ImportPosition,
  type Positions,
  startPosition,
} from '../features/intake/imports/index.ts';
import { createFolder } from '../platform/create-folder.ts';
import { adviseOnFileError } from '../platform/file-errors.ts';
import { VERSION } from '../version.ts';
import { CommandError } from './terminal.ts';

const FOLDER = 'imports';
const SAMPLED_BYTES = 1_048_576;
/** An import that was not continued for this long is not continued any more. */
const KEPT_MS = 30 * DAY_MS;
const OWNER_ONLY = 0o600;

export type SavedPosition = Positions & { readonly from: ImportPosition; readonly isContinued: boolean };

/** Whatever changes the batches of a file: with another value, an import starts again. */
type BatchSettings = {
  readonly userId: string;
  readonly format: ImportFormat | 'bundle';
  readonly mapping: CsvMapping;
  readonly timezone: string | null;
};

export function openPosition(dataDir: string, path: string, settings: BatchSettings): SavedPosition {
  const folder = join(dataDir, FOLDER);
  explain(folder, () => {
    createFolder(folder, 0o700);
    keepOwner(folder, dataDir);
    removeOld(folder);
  });
  const file = join(folder, `${fingerprint(path, settings)}.json`);
  const saved = readPosition(file);
  return {
    from: saved ?? startPosition(randomUUID()),
    isContinued: saved !== null,
    save: (position) =>
      explain(folder, () => {
        writeFileSync(`${file}.new`, JSON.stringify(position), { mode: OWNER_ONLY });
        renameSync(`${file}.new`, file);
      }),
    remove: () => explain(folder, () => rmSync(file, { force: true })),
  };
}

/** An import that was stored without its position can be run again: its records are duplicates then. */
function explain(folder: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    const advice = adviseOnFileError(error);
    if (advice === null) throw error;
    const { message } = error as Error;
    throw new CommandError(
      `The position of the import cannot be kept in ${folder}: ${message}. ${advice}, and run the command again.`,
      { cause: error },
    );
  }
}

/** The service reads the folder too, and could neither start nor erase users if it belonged to root. */
function keepOwner(folder: string, dataDir: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dataDir);
  chownSync(folder, uid, gid);
}

function readPosition(file: string): ImportPosition | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as ImportPosition;
  } catch {
    return null; // none, or not written to its end
  }
}

function removeOld(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isFile()) continue; // the uploads of the dashboard
    const path = join(folder, entry.name);
    if (Date.now() - statSync(path).mtimeMs > KEPT_MS) rmSync(path, { force: true });
  }
}

/** The size, the beginning and the end identify the file; reading all of it would take as long as importing it. */
function fingerprint(path: string, { userId, format, mapping, timezone }: BatchSettings): string {
  const { size } = statSync(path);
  const hash = createHash('sha256').update(JSON.stringify([VERSION, userId, format, mapping, timezone, size]));
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(SAMPLED_BYTES);
    hash.update(bytes.subarray(0, readSync(file, bytes, 0, SAMPLED_BYTES, 0)));
    hash.update(bytes.subarray(0, readSync(file, bytes, 0, SAMPLED_BYTES, Math.max(0, size - SAMPLED_BYTES))));
  } finally {
    closeSync(file);
  }
  return hash.digest('hex').slice(0, 32);
}
