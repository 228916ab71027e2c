// Creates, checks and locks the data folder, and reads and writes the small files in it.

import { randomBytes } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CliError } from './cli-error.ts';
import { createFolder } from './create-folder.ts';
import { formatMasterKey, generateMasterKey, type MasterKey, parseMasterKey } from './crypto/master-key.ts';
import { writeFileDurably } from './embedded-postgres/durable-file.ts';

export class DataFolderError extends CliError {}

/** How the CLI finds the running service. */
export type ServiceAddress = {
  readonly pid: number;
  readonly operatorSocket: string;
  /** Generated at every start, so that a leaked token is valid only until the process ends. */
  readonly operatorToken: string;
  readonly publicUrl: string;
  /** Earlier versions did not write it. */
  readonly listenUrl?: string;
  readonly role: string;
};

const SECRET_MODE = 0o600;
const LOCK_FILE = 'service.lock';
const MASTER_KEY_FILE = 'master.key';
const FORMER_TOKEN_FILE = 'operator.token';
const ADDRESS_FILE = 'service.json';
const WORKER_ADDRESS_FILE = 'worker.json'; // a worker must not replace the address of an API process that shares its folder

export function openDataFolder(path: string): void {
  // Only the owner can list it. If the service runs as root, the database runs as another user that must pass through, so the
  // folder is 0711. Every secret in it is 0600.
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  try {
    createFolder(path, mode);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    tryToWrite(path);
  } catch (error) {
    throw new DataFolderError(
      `The data folder ${path} cannot be used: ${reason(error)}. Allow the user that runs the service to create files there, or set TRIBUTARY_DATA_DIR to another folder.`,
    );
  }
}

/** Writes a file, because permissions are not enough: a read-only or virtual file system rejects root too. */
function tryToWrite(path: string): void {
  const file = join(path, `.write-test-${process.pid}`);
  writeFileSync(file, '', { mode: SECRET_MODE });
  rmSync(file);
}

const LOCK_WAIT_MS = 500; // doctor holds it for an instant, which must not refuse a start

/** Takes an operating-system file lock (through SQLite), which ends with the process. Null: another process holds it. */
export function lockDataFolder(path: string): { release(): void } | null {
  let database: DatabaseSync | null = null;
  try {
    const file = join(path, LOCK_FILE);
    closeSync(openSync(file, 'a', 0o600)); // owner only: anyone who can open the file could hold the lock
    database = new DatabaseSync(file);
    database.exec(`pragma busy_timeout = ${LOCK_WAIT_MS}; pragma locking_mode = exclusive; begin exclusive`);
    const held = database;
    return { release: () => held.close() };
  } catch (error) {
    database?.close();
    if (error instanceof Error && /locked|busy/i.test(error.message)) return null;
    throw new DataFolderError(
      `The data folder ${path} cannot be locked: ${reason(error)} (${LOCK_FILE}). ` +
        'Make the user that runs the service the owner of all files in it (chown -R), and check the free space.',
    );
  }
}

/** Whether a process holds the lock. Takes it for an instant if not, for which a start waits. */
export function isDataFolderLocked(path: string): boolean {
  if (!existsSync(join(path, LOCK_FILE))) return false;
  const lock = lockDataFolder(path);
  lock?.release();
  return lock === null;
}

export function loadOrMakeMasterKey(path: string): MasterKey {
  const file = join(path, MASTER_KEY_FILE);
  return parseOrThrow(
    file,
    readOrMake(file, () => formatMasterKey(generateMasterKey())),
  );
}

/** Before the database is there. A missing file is created later if the database is new. */
export function refuseDamagedMasterKey(path: string): void {
  const file = join(path, MASTER_KEY_FILE);
  const text = readIfThere(file);
  if (text !== null) parseOrThrow(file, text);
}

/** Never creates a key: a new one could not decrypt anything. */
export function readMasterKeyFile(path: string): MasterKey {
  const file = join(path, MASTER_KEY_FILE);
  const text = readIfThere(file);
  if (text === null)
    throw new DataFolderError(`${path} has no master key. Set TRIBUTARY_DATA_DIR to the folder that has it.`);
  return parseOrThrow(file, text);
}

/** Replaces the file atomically, even if the power fails, and keeps its owner. */
export async function replaceMasterKey(path: string, key: MasterKey): Promise<void> {
  const file = join(path, MASTER_KEY_FILE);
  try {
    removeUnfinished(path, MASTER_KEY_FILE);
    const owner = process.getuid?.() === 0 ? statSync(existsSync(file) ? file : path) : undefined;
    await writeFileDurably(file, `${formatMasterKey(key)}\n`, SECRET_MODE, owner);
  } catch (error) {
    throw new DataFolderError(
      `The new master key could not be written to ${file}: ${reason(error)}. The key in force is still valid. Fix the cause and try again.`,
    );
  }
}

/** Removes the unused key of a replacement that was killed. */
function removeUnfinished(path: string, name: string): void {
  for (const other of readdirSync(path))
    if (other.startsWith(`${name}.`) && other.endsWith('.tmp')) rmSync(join(path, other), { force: true });
}

function parseOrThrow(file: string, text: string): MasterKey {
  const key = parseMasterKey(text);
  if (!key)
    throw new DataFolderError(
      `${file} does not contain a master key (32 bytes in base64 or hex). Restore it from a backup.`,
    );
  return key;
}

export function makeOperatorToken(): string {
  return `op_${randomBytes(32).toString('base64url')}`;
}

export function serviceAddressFile(path: string, role: string): string {
  return join(path, role === 'worker' ? WORKER_ADDRESS_FILE : ADDRESS_FILE);
}

export function writeServiceAddress(path: string, address: ServiceAddress): void {
  const file = serviceAddressFile(path, address.role);
  const temporary = `${file}.${process.pid}`;
  rmSync(temporary, { force: true });
  writeFileSync(temporary, JSON.stringify(address), { mode: SECRET_MODE });
  renameSync(temporary, file);
  rmSync(join(path, FORMER_TOKEN_FILE), { force: true }); // earlier versions kept one token permanently
}

/** Removes only our own address: another process that shares the folder may have written its address since. */
export function removeServiceAddress(path: string, role: string): void {
  const file = serviceAddressFile(path, role);
  if (readAddressFile(path, file)?.pid === process.pid) rmSync(file, { force: true });
}

/** Of the API process that started last. Null: none has written its address. */
export function readServiceAddress(path: string): ServiceAddress | null {
  return readAddressFile(path, join(path, ADDRESS_FILE));
}

/** Of the worker that started last. Its operator API has only what `tributary doctor` reads. */
export function readWorkerAddress(path: string): ServiceAddress | null {
  return readAddressFile(path, join(path, WORKER_ADDRESS_FILE));
}

function readAddressFile(path: string, file: string): ServiceAddress | null {
  try {
    const address = JSON.parse(readFileSync(file, 'utf8')) as Partial<ServiceAddress>;
    return address.operatorSocket === undefined ? null : (address as ServiceAddress); // earlier versions had a port
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EACCES') return null;
    throw new DataFolderError(`${path} belongs to another user. Run this as the user that runs the service.`);
  }
}

/** Several processes can start at once: the first one writes the file, the others read it. */
function readOrMake(file: string, make: () => string): string {
  const there = readIfThere(file);
  if (there !== null) return there;
  const temporary = `${file}.${process.pid}`;
  try {
    writeFileSync(temporary, `${make()}\n`, { mode: SECRET_MODE, flush: true });
    linkSync(temporary, file); // unlike a rename, never replaces a file that another process has just written
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw new DataFolderError(
        `${file} cannot be written: ${reason(error)}. Check the folder's owner and the free space.`,
      );
    }
  } finally {
    rmSync(temporary, { force: true });
  }
  return readIfThere(file) ?? fail(`${file} cannot be read: it is a link to a file that does not exist.`);
}

function fail(message: string): never {
  throw new DataFolderError(message);
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new DataFolderError(`${file} cannot be read: ${reason(error)}.`);
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
