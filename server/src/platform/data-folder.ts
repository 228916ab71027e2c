// The data folder: made, checked and locked before anything else happens, and the small files that live in it.

import { randomBytes } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CliError } from './cli-error.ts';
import { formatMasterKey, generateMasterKey, type MasterKey, parseMasterKey } from './crypto/master-key.ts';
import { writeFileDurably } from './embedded-postgres/durable-file.ts';

export class DataFolderError extends CliError {}

/** How the CLI finds the running service. */
export type ServiceAddress = {
  readonly pid: number;
  readonly operatorSocket: string;
  /** Made at every start: one that leaked ends with its process. */
  readonly operatorToken: string;
  readonly publicUrl: string;
  readonly role: string;
};

const SECRET_MODE = 0o600;
const LOCK_FILE = 'service.lock';
const MASTER_KEY_FILE = 'master.key';
const FORMER_TOKEN_FILE = 'operator.token';
const ADDRESS_FILE = 'service.json';

export function openDataFolder(path: string): void {
  // Only the owner may list it. Root's database runs under another uid that must pass through, so root's folder is 0711;
  // every secret in it is 0600.
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  try {
    makeFolders(path, mode);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    tryToWrite(path);
  } catch (error) {
    throw new DataFolderError(
      `The data folder ${path} cannot be used: ${reason(error)}. Let the user that runs the service create files there, or set TRIBUTARY_DATA_DIR to a folder where it can.`,
    );
  }
}

/** Node's recursive mkdir repeats itself for ever where the kernel refuses a folder with ENOENT, as /proc does. */
function makeFolders(path: string, mode: number): void {
  if (!existsSync(path)) {
    makeFolders(dirname(path), mode);
    try {
      mkdirSync(path, { mode });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // another process made it meanwhile
    }
  }
  if (!statSync(path).isDirectory()) throw new Error(`${path} is not a folder`);
}

/** Permissions do not say everything: a read-only or virtual file system refuses root too. */
function tryToWrite(path: string): void {
  const file = join(path, `.write-test-${process.pid}`);
  writeFileSync(file, '', { mode: SECRET_MODE });
  rmSync(file);
}

/** An operating-system file lock (through SQLite): gone with its process however that ends. Null: another process holds it. */
export function lockDataFolder(path: string): { release(): void } | null {
  let database: DatabaseSync | null = null;
  try {
    const file = join(path, LOCK_FILE);
    closeSync(openSync(file, 'a', 0o600)); // ours alone: whoever can open it could hold it
    database = new DatabaseSync(file);
    database.exec('pragma busy_timeout = 0; pragma locking_mode = exclusive; begin exclusive');
    const held = database;
    return { release: () => held.close() };
  } catch (error) {
    database?.close();
    if (error instanceof Error && /locked|busy/i.test(error.message)) return null;
    throw new DataFolderError(
      `The data folder ${path} cannot be locked: ${reason(error)} (${LOCK_FILE}). ` +
        'Give it with all its files to the user that runs the service (chown -R), and check the free space.',
    );
  }
}

export function loadOrMakeMasterKey(path: string): MasterKey {
  const file = join(path, MASTER_KEY_FILE);
  return parseOrThrow(
    file,
    readOrMake(file, () => formatMasterKey(generateMasterKey())),
  );
}

/** Unlike the above never makes one: where a key was lost, another would open nothing. */
export function readMasterKey(path: string): MasterKey {
  const file = join(path, MASTER_KEY_FILE);
  const text = readIfThere(file);
  if (text === null)
    throw new DataFolderError(`There is no master key in ${path}. Set TRIBUTARY_DATA_DIR to the folder that has it.`);
  return parseOrThrow(file, text);
}

/** All or nothing, even if the power fails; its owner stays whoever it was. */
export async function replaceMasterKey(path: string, key: MasterKey): Promise<void> {
  const file = join(path, MASTER_KEY_FILE);
  try {
    removeUnfinished(path, MASTER_KEY_FILE);
    const owner = process.getuid?.() === 0 ? statSync(file) : undefined;
    await writeFileDurably(file, `${formatMasterKey(key)}\n`, SECRET_MODE, owner);
  } catch (error) {
    throw new DataFolderError(
      `The new master key could not be written to ${file}: ${reason(error)}. The old one is still there and in force; mend the cause and try again.`,
    );
  }
}

/** What a replacement left behind that was killed: a key that was never in force. */
function removeUnfinished(path: string, name: string): void {
  for (const other of readdirSync(path))
    if (other.startsWith(`${name}.`) && other.endsWith('.tmp')) rmSync(join(path, other), { force: true });
}

function parseOrThrow(file: string, text: string): MasterKey {
  const key = parseMasterKey(text);
  if (!key)
    throw new DataFolderError(
      `${file} does not hold a master key (32 bytes in base64 or hex). Restore it from a backup.`,
    );
  return key;
}

export function makeOperatorToken(): string {
  return `op_${randomBytes(32).toString('base64url')}`;
}

export function serviceAddressFile(path: string): string {
  return join(path, ADDRESS_FILE);
}

export function writeServiceAddress(path: string, address: ServiceAddress): void {
  const file = serviceAddressFile(path);
  const temporary = `${file}.${process.pid}`;
  rmSync(temporary, { force: true });
  writeFileSync(temporary, JSON.stringify(address), { mode: SECRET_MODE });
  renameSync(temporary, file);
  rmSync(join(path, FORMER_TOKEN_FILE), { force: true }); // earlier versions kept one token for ever
}

/** Only our own: another process that shares the folder may have written its address since. */
export function removeServiceAddress(path: string): void {
  if (readServiceAddress(path)?.pid === process.pid) rmSync(serviceAddressFile(path), { force: true });
}

/** Null when no service has left its address here. */
export function readServiceAddress(path: string): ServiceAddress | null {
  try {
    const address = JSON.parse(readFileSync(serviceAddressFile(path), 'utf8')) as Partial<ServiceAddress>;
    return address.operatorSocket === undefined ? null : (address as ServiceAddress); // earlier versions had a port
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EACCES') return null;
    throw new DataFolderError(`${path} belongs to another user. Run this as the user that runs the service.`);
  }
}

/** Several processes may start at once on one folder: the first writes, the others read what it wrote. */
function readOrMake(file: string, make: () => string): string {
  const there = readIfThere(file);
  if (there !== null) return there;
  const temporary = `${file}.${process.pid}`;
  try {
    writeFileSync(temporary, `${make()}\n`, { mode: SECRET_MODE, flush: true });
    linkSync(temporary, file); // unlike a rename, never replaces what another process has just written
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw new DataFolderError(
        `${file} cannot be written: ${reason(error)}. Check the folder's owner and the free space.`,
      );
    }
  } finally {
    rmSync(temporary, { force: true });
  }
  return readFileSync(file, 'utf8').trim();
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
