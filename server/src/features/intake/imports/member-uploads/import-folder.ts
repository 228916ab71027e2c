// The folder of an account's uploaded file and of the state of its import. `mkdir` decides which of two imports comes first, so
// that several processes of one machine agree. Files outlive a crash: `continue-imports.ts` continues imports, and
// `sweepFolders` removes what nobody works on.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS, MINUTE_MS } from '../../../../domain/time/durations.ts';
import type { UserHandle } from '../../../tenancy/user-core/index.ts';
import type { ImportPosition } from '../run-import.ts';
import type { MemberImport, MemberImportOptions } from './member-import.ts';

const ACTIVE = 'active';
const LAST = 'last.json';
const STATE = 'state.json';
const OPTIONS = 'options.json';
const POSITION = 'position.json';
const ATTEMPTS = 'attempts.json';
const CANCEL = 'cancel';
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

/** How often processes have begun with the file at this batch. */
type Attempts = { readonly batches: number; readonly count: number };

/** A part of the file or a batch takes seconds, so after this time nobody works on the import any more. */
const ABANDONED_MS = 10 * MINUTE_MS;
/** The result of an import can be read for this long. */
const RESULT_MS = DAY_MS;

export type ImportFolder = ReturnType<typeof openImportFolder>;

export function openImportFolder(root: string, accountId: string) {
  const home = join(root, accountId);
  const active = join(home, ACTIVE);
  const write = (path: string, content: MemberImport | MemberImportOptions | ImportPosition | Attempts) => {
    writeFileSync(`${path}.new`, JSON.stringify(content), { mode: PRIVATE_FILE });
    renameSync(`${path}.new`, path);
  };
  const readActive = () => readJson<MemberImport>(join(active, STATE));
  const isActive = ({ id }: MemberImport) => readActive()?.id === id;
  return {
    /** False: another import is under way. */
    claim(state: MemberImport, options: MemberImportOptions): boolean {
      mkdirSync(home, { recursive: true, mode: PRIVATE_FOLDER });
      try {
        mkdirSync(active, { mode: PRIVATE_FOLDER });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
        throw error;
      }
      mkdirSync(join(active, 'file'), { mode: PRIVATE_FOLDER });
      write(join(active, OPTIONS), options);
      write(join(active, STATE), state);
      return true;
    },
    path: (fileName: string) => join(active, 'file', fileName),
    readActive,
    readOptions: () => readJson<MemberImportOptions>(join(active, OPTIONS)),
    savePosition(state: MemberImport, position: ImportPosition): void {
      if (isActive(state)) write(join(active, POSITION), position);
    },
    /** Null: nothing of the file is stored yet. */
    readPosition: () => readJson<ImportPosition>(join(active, POSITION)),
    /** How many processes, this one included, continued since something was stored. */
    countAttempt(state: MemberImport): number {
      const batches = readJson<ImportPosition>(join(active, POSITION))?.counts.batches ?? 0;
      const last = readJson<Attempts>(join(active, ATTEMPTS));
      const count = last?.batches === batches ? last.count + 1 : 1;
      if (isActive(state)) write(join(active, ATTEMPTS), { batches, count });
      return count;
    },
    readLast: () => readJson<MemberImport>(join(home, LAST)),
    /** A crash left the folder without a state. `before`: a process that has just claimed it is about to write one. */
    dropStateless(before: number): void {
      const claimed = statSync(active, { throwIfNoEntry: false });
      if (claimed !== undefined && claimed.mtimeMs < before) rmSync(active, { recursive: true, force: true });
    },
    save(state: MemberImport): void {
      if (isActive(state)) write(join(active, STATE), state);
    },
    requestCancel: () => writeFileSync(join(active, CANCEL), '', { mode: PRIVATE_FILE }),
    /** Also true after the user was erased. */
    isCancelled: (state: MemberImport) => existsSync(join(active, CANCEL)) || !isActive(state),
    /** Deletes the file and keeps the result, unless the user was erased. */
    finish(state: MemberImport): void {
      if (!isActive(state)) return;
      write(join(home, LAST), state);
      rmSync(active, { recursive: true, force: true });
    },
    forgetLast: () => rmSync(join(home, LAST), { force: true }),
    forgetActive: () => rmSync(active, { recursive: true, force: true }),
    makeHome(): string {
      mkdirSync(home, { recursive: true, mode: PRIVATE_FOLDER });
      return home;
    },
  };
}

const INTERRUPTED = 'The upload did not continue. Upload the file again: records that are stored are not stored twice.';

export function listAccountsWithImports(root: string): string[] {
  if (!existsSync(root)) return [];
  // The command line keeps the positions of its imports beside the folders.
  return readdirSync(root, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}

/** Removes files that nobody works on. `isStart`: no process is about to write a state. */
export function sweepFolders(root: string, now: Date, { isStart = false } = {}): void {
  for (const accountId of listAccountsWithImports(root)) {
    const folder = openImportFolder(root, accountId);
    const state = folder.readActive();
    if (state === null) folder.dropStateless(isStart ? Number.POSITIVE_INFINITY : now.getTime() - ABANDONED_MS);
    else if (now.getTime() - Date.parse(state.updated_at) > ABANDONED_MS && !(isStart && state.status === 'running'))
      folder.finish({ ...state, status: 'failed', error: INTERRUPTED, updated_at: now.toISOString() });
    const last = folder.readLast();
    if (last !== null && now.getTime() - Date.parse(last.updated_at) > RESULT_MS) folder.forgetLast();
  }
}

/** Everything of an erased user. An import that still runs stops before its next batch. */
export function removeImportsOfUser(root: string, { userId, tenant }: Pick<UserHandle, 'tenant' | 'userId'>): void {
  const folder = openImportFolder(root, tenant.accountId);
  if (folder.readActive()?.user_id === userId) folder.forgetActive();
  if (folder.readLast()?.user_id === userId) folder.forgetLast();
}

export function removeImportsOfAccount(root: string, accountId: string): void {
  rmSync(join(root, accountId), { recursive: true, force: true });
}

/** Null: there is none, or a crash of the machine left it incomplete. */
function readJson<Content>(path: string): Content | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Content;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
