// tributary export: writes the data of all users of an environment into a folder or bucket, and later only what changed since.
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { UserId } from '../domain/tenancy.ts';
import type { Format } from '../features/reads/exports/export-query.ts';
import { S3Error } from '../platform/s3/index.ts';
import { ServiceCallError, type ServiceClient } from '../platform/service-client.ts';
import { countOf } from './count-of.ts';
import { isBucket, openBucket } from './export-bucket.ts';
import { openExportFolder } from './export-folder.ts';
import { withExportLock } from './export-lock.ts';
import { type ExportTarget, listFiles, parseExportId } from './export-target.ts';
import { printError } from './report-error.ts';
import { KEY_VARIABLE, openService, readServiceAccess } from './service-access.ts';
import { CommandError, printJson, printNote, restate, type Terminal } from './terminal.ts';

export type ExportOptions = {
  to: string;
  endpoint?: string;
  format: Format;
  environment?: 'live' | 'sandbox';
  resources?: string;
  user?: string;
  since?: string;
  json?: boolean;
};

const STATE_FILE = 'export-state.json';
const NOT_FOUND = 404;
/** Data that arrives while a bundle is written ends its download. */
const RETRY_PAUSES_MS = [500, 2_000];
/** Then the service or the disk has failed, not a user. */
const MAX_FAILED_IN_A_ROW = 10;

type State = {
  readonly format: string;
  readonly resources: string | null;
  readonly environment: string | null;
  /** A cursor of the feed from which the export began. Only the account and environment that it belongs to accept it. */
  readonly owner?: string;
  /** Null: no export was finished yet. */
  readonly cursor: string | null;
  /** Users that the next run exports again. */
  readonly failed?: readonly string[];
};
type ExportCounts = {
  users: number;
  removed: number;
  files: number;
  failed: number;
  /** Files without the data of a provider whose terms forbid the export. */
  restricted_files: number;
};
type Export = {
  readonly terminal: Terminal;
  readonly service: ServiceClient;
  readonly target: ExportTarget;
  readonly options: ExportOptions;
  /** Of the key. */
  readonly environment: string | null;
  readonly counts: ExportCounts;
};

export async function exportCommand(terminal: Terminal, options: ExportOptions): Promise<void> {
  const access = readServiceAccess(terminal);
  if (options.environment !== undefined && !access.token.startsWith(`sk_${options.environment}_`))
    throw new CommandError(
      `${KEY_VARIABLE} is not a key of the environment ${options.environment}. Set it to one, or omit --environment.`,
    );
  const environment = /^sk_(live|sandbox)_/.exec(access.token)?.[1] ?? null;
  const counts: ExportCounts = { users: 0, removed: 0, files: 0, failed: 0, restricted_files: 0 };
  const userId = options.user === undefined ? null : parseExportId(options.user);
  const { to, endpoint } = options;
  if (to === '') throw new CommandError('The target is empty. Name a folder, or s3://BUCKET/FOLDER.');
  const target = isBucket(to) ? await openBucket(terminal, to, endpoint) : await openExportFolder(to);
  const run = { terminal, service: openService(access, 'export'), target, options, environment, counts };
  const found = await readState(run);
  if (found !== null) await requireOwner(run, found.owner ?? found.cursor);
  await withExportLock(target, async (requireLock) => {
    if (userId === null) await exportEnvironment(run, await readState(run), requireLock);
    else await exportOne(run, userId);
  });
  const { users, files, removed, failed } = counts;
  if (options.json) printJson(terminal, counts);
  else terminal.stdout(`Exported ${countOf(users, 'user')} in ${countOf(files, 'file')}, removed ${removed}.\n`);
  if (failed > 0)
    throw new CommandError(`The export of ${countOf(failed, 'user')} failed. Run the command again to repeat them.`);
}

/** The cursor is stored last: an interrupted export repeats the users of its events. */
async function exportEnvironment(run: Export, state: State | null, requireLock: () => Promise<void>): Promise<void> {
  const { service, options, environment } = run;
  if (state !== null) requireSameExport(run, state);
  const { since, changes } = await readDue(run, state);
  const listed = await listUsers(service); // after the events: a user with events that is not listed is gone
  const owner = state?.owner ?? state?.cursor ?? changes.cursor;
  const { format, resources = null } = options;
  if (state === null) {
    await requireOwnFiles(run, listed);
    await writeState(run, { format, resources, environment, owner, cursor: null });
  }
  await run.target.removeUnfinished?.();
  const stored = await removeOthers(run, listed);
  // A user who shares again may have no event, but has no file either.
  const isMissing = (userId: UserId) =>
    options.since === undefined && listFiles(options, userId).some(({ name }) => !stored.has(name));
  const due = new Set<string>([...changes.users, ...(state?.failed ?? [])]);
  const isDue = (userId: UserId) => since === null || due.has(userId) || isMissing(userId);
  const failed = await exportUsers(run, [...listed].filter(isDue));
  await requireLock();
  await writeState(run, { format, resources, environment, owner, cursor: changes.cursor, failed });
}

/** Without a state nobody knows whose files these are, and an export removes files of users that it does not list. */
async function requireOwnFiles({ target }: Export, listed: ReadonlySet<UserId>): Promise<void> {
  for (const userId of (await target.find()).keys())
    if (!listed.has(userId))
      throw new CommandError(
        `${target.name} has files of users that this account does not have. Use another target, or remove the files first.`,
      );
}

/** Removes the files of users who were deleted or stopped sharing, which has no event. Returns the names of all other files. */
async function removeOthers({ target, counts }: Export, listed: ReadonlySet<UserId>): Promise<ReadonlySet<string>> {
  const files = await target.find();
  for (const [userId, names] of files) {
    if (listed.has(userId)) continue;
    await target.remove(names);
    files.delete(userId);
    counts.removed += 1;
  }
  return new Set([...files.values()].flat());
}

/** Returns the users that failed. */
async function exportUsers(run: Export, userIds: readonly UserId[]): Promise<UserId[]> {
  const failed: UserId[] = [];
  let inARow = 0;
  for (const userId of userIds)
    try {
      await exportUser(run, userId);
      inARow = 0;
    } catch (error) {
      inARow += 1;
      if (isRefused(error) || inARow === MAX_FAILED_IN_A_ROW) throw toCommandError(userId, error);
      printError(run.terminal, toCommandError(userId, error));
      failed.push(userId);
      run.counts.failed += 1;
    }
  return failed;
}

/** A key or an option is not valid: the same for every user. */
function isRefused(error: unknown): boolean {
  if (error instanceof CommandError) return true;
  return (error instanceof ServiceCallError || error instanceof S3Error) && error.status >= 400 && error.status < 500;
}

function toCommandError(userId: UserId, error: unknown): CommandError {
  if (error instanceof CommandError) return error;
  return restate(error, `The export of user ${userId} failed: ${(error as Error).message}`);
}

async function exportOne(run: Export, userId: UserId): Promise<void> {
  const isFound = await exportUser(run, userId).catch((error: unknown) => {
    throw toCommandError(userId, error);
  });
  if (!isFound)
    throw new CommandError(
      `User ${userId} does not exist or no longer shares. Check --user, and that the key is of its environment.`,
    );
}

/** False: the user was deleted or stopped sharing. */
async function exportUser({ terminal, service, target, options, counts }: Export, userId: UserId): Promise<boolean> {
  try {
    for (const { name, resources } of listFiles(options, userId)) {
      const query = { format: options.format, resources };
      let excluded: string | null = null;
      await withRetries(async () => {
        const body = await service.open(`/v1/users/${userId}/export`, query);
        excluded = body.headers['tributary-excluded']?.toString() ?? null;
        await target.write(name, body);
      });
      counts.files += 1;
      if (excluded === null) continue;
      counts.restricted_files += 1;
      printNote(terminal, `${name} is without data that its provider's terms exclude: ${excluded}\n`);
    }
  } catch (error) {
    if (!(error instanceof ServiceCallError && error.status === NOT_FOUND)) throw error;
    const names = (await target.find()).get(userId) ?? [];
    await target.remove(names);
    if (names.length > 0) counts.removed += 1;
    return false;
  }
  counts.users += 1;
  return true;
}

async function withRetries(write: () => Promise<void>): Promise<void> {
  for (const pauseMs of RETRY_PAUSES_MS)
    try {
      return await write();
    } catch (error) {
      if (isRefused(error)) throw error;
      await delay(pauseMs);
    }
  return write();
}

async function readState({ target }: Export): Promise<State | null> {
  const text = await target.read(STATE_FILE);
  if (text === null) return null;
  try {
    return JSON.parse(text) as State;
  } catch {
    throw new CommandError(`${STATE_FILE} in ${target.name} is damaged. Remove it, or use another target.`);
  }
}

function requireSameExport({ options: { format, resources }, environment, target }: Export, state: State): void {
  if (state.format !== format || state.resources !== (resources ?? null))
    throw new CommandError(`${target.name} has an export with another format or other resources. Use another folder.`);
  if ((state.environment ?? environment) !== environment)
    throw new CommandError(`${target.name} has an export of the environment ${state.environment}. Use another folder.`);
}

/** A cursor of another account or environment is invalid; an old one of the same is only expired. */
async function requireOwner({ service, target }: Export, cursor: string | null): Promise<void> {
  if (cursor === null) return;
  try {
    await service.read('/v1/events', { cursor, limit: '1' });
  } catch (error) {
    if (!(error instanceof ServiceCallError)) throw error;
    if (error.code === 'invalid_cursor')
      throw restate(
        error,
        `${target.name} has an export of another account, environment or deployment. Use another folder. Nothing was changed.`,
      );
    if (error.code !== 'cursor_expired') throw error;
  }
}

function writeState({ target }: Export, state: State): Promise<void> {
  return target.write(STATE_FILE, Readable.from([Buffer.from(`${JSON.stringify(state)}\n`)]));
}

type Event = { readonly user_id?: string };
type Changes = {
  /** Users with events; some may be deleted by now. */
  readonly users: ReadonlySet<UserId>;
  readonly cursor: string;
};

/** `since` null: all users are due. */
async function readDue({ terminal, service, options }: Export, state: State | null) {
  const since = options.since ?? state?.cursor ?? null;
  try {
    return { since, changes: await readChanges(service, since) };
  } catch (error) {
    const isExpired = error instanceof ServiceCallError && error.code === 'cursor_expired';
    if (!isExpired || options.since !== undefined) throw error;
    printNote(terminal, 'The events since the last export are no longer kept. All users are exported again.\n');
    return { since: null, changes: await readChanges(service, null) };
  }
}

/** Reads the feed to its end. */
async function readChanges(service: ServiceClient, since: string | null): Promise<Changes> {
  const users = new Set<UserId>();
  for (let cursor = since; ; ) {
    const page = (await service.read('/v1/events', { cursor: cursor ?? undefined, limit: '500' })) as {
      events: Event[];
      cursor: string;
      has_more: boolean;
    };
    for (const { user_id: userId } of page.events) if (userId !== undefined) users.add(parseExportId(userId));
    cursor = page.cursor;
    if (!page.has_more) return { users, cursor };
  }
}

/** Users that are neither deleted nor unshared. */
async function listUsers(service: ServiceClient): Promise<Set<UserId>> {
  const users = new Set<UserId>();
  for (let cursor: string | undefined; ; ) {
    const page = (await service.read('/v1/users', { cursor, limit: '100' })) as {
      data: { id: string }[];
      next_cursor: string | null;
    };
    for (const { id } of page.data) users.add(parseExportId(id));
    if (page.next_cursor === null) return users;
    cursor = page.next_cursor;
  }
}
