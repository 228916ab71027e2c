// A list of what was erased or ended, in a file outside of the database. After a restore it is applied again, because the
// backup still has what was erased later. Ids are keyed hashes, so that the file names nobody.
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CliError } from './cli-error.ts';
import type { Clock } from './clock.ts';
import type { DerivedSecrets } from './crypto/derived-secret.ts';
import type { Logger } from './log.ts';

/** The last three: the person ended sharing, the account did, or the person shares again. */
export type TombstoneKind = 'user' | 'account' | 'api_key' | 'user_left' | 'user_removed' | 'user_returned';

export type Tombstone = { readonly at: string; readonly kind: TombstoneKind; readonly subject: string };

export type Tombstones = {
  /** Returns when it is on the disk. Call it once the erasure can no longer be undone. The same one twice does no harm. */
  add(kind: TombstoneKind, id: string, at?: Date): Promise<void>;
  /** For requests that have already succeeded: a failure is only logged. */
  tryToAdd(kind: TombstoneKind, id: string, at?: Date): Promise<void>;
};

export const TOMBSTONE_FILE = 'tombstones.jsonl';
const FILE_MODE = 0o600;

export function createTombstones(options: {
  readonly file: string;
  readonly derivedSecrets: DerivedSecrets;
  readonly clock: Clock;
  readonly log: Logger;
}): Tombstones {
  const { file, derivedSecrets, clock, log } = options;
  async function add(kind: TombstoneKind, id: string, at = clock.now()): Promise<void> {
    const line = { at: at.toISOString(), kind, subject: hashSubject(derivedSecrets, kind, id) };
    await appendLine(file, JSON.stringify(line));
  }
  return {
    add,
    tryToAdd: (kind, id, at) =>
      add(kind, id, at).catch((error: Error) =>
        log.error(
          { reason: error.message, file, kind },
          'cannot write a tombstone; check the folder and its free space',
        ),
      ),
  };
}

export const FIX_TOMBSTONES =
  'Allow the user that runs the service to write it (under systemd, name its folder in ReadWritePaths=), or set TRIBUTARY_TOMBSTONE_FILE to another file.';

/** Creates it if it does not exist. A service that cannot record an erasure would accept it and never finish it. */
export function requireTombstoneFile(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    closeSync(openSync(file, 'a', FILE_MODE));
  } catch (error) {
    throw new CliError(`The tombstones cannot be written to ${file}: ${(error as Error).message}. ${FIX_TOMBSTONES}`, {
      cause: error,
    });
  }
}

const PURPOSES: Readonly<Record<TombstoneKind, string>> = {
  user: 'erased user',
  account: 'erased account',
  api_key: 'ended api key',
  user_left: 'user left',
  user_removed: 'user removed',
  user_returned: 'user returned',
};

/** Proves the erasure to anyone who knows the id, without storing the id. */
export function hashSubject(derivedSecrets: DerivedSecrets, kind: TombstoneKind, id: string): string {
  return `sha256:${derivedSecrets.of(`${PURPOSES[kind]} ${id}`)}`;
}

/** Without repetitions: the newest of each kind and subject, because a job can write an older one later. A file that does not exist is empty. */
export async function readTombstones(file: string): Promise<Tombstone[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw new CliError(`The tombstones in ${file} cannot be read: ${error.message}.`, { cause: error });
  });
  const found = new Map<string, Tombstone>();
  const lines = text.split('\n');
  const last = lines.length - 1; // empty, or cut off by a kill
  for (const [index, line] of lines.entries()) {
    const tombstone = parseLine(line);
    if (tombstone) keepNewest(found, tombstone);
    else if (index < last && line.trim() !== '')
      throw new CliError(`Line ${index + 1} of ${file} is not a tombstone. Correct or remove the line, and try again.`);
  }
  return [...found.values()];
}

function keepNewest(found: Map<string, Tombstone>, tombstone: Tombstone): void {
  const name = `${tombstone.kind} ${tombstone.subject}`;
  if (tombstone.at >= (found.get(name)?.at ?? '')) found.set(name, tombstone);
}

/** A line that was cut off by a kill can be followed by one of another process. */
function parseLine(text: string): Tombstone | null {
  const line = text.slice(Math.max(0, text.lastIndexOf('{"at"')));
  try {
    const { at, kind, subject } = JSON.parse(line) as Partial<Tombstone>;
    const isComplete = typeof at === 'string' && typeof subject === 'string' && kind !== undefined && kind in PURPOSES;
    return isComplete ? { at, kind, subject } : null;
  } catch {
    return null;
  }
}

/** One write in append mode, so that lines of several processes do not mix. */
async function appendLine(path: string, line: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const file = await open(path, 'a', FILE_MODE);
  try {
    const bytes = Buffer.from(`${line}\n`);
    const { bytesWritten } = await file.write(bytes);
    if (bytesWritten < bytes.length)
      throw new Error(`only ${bytesWritten} of ${bytes.length} bytes could be written to ${path}`);
    await file.sync();
  } finally {
    await file.close();
  }
}
