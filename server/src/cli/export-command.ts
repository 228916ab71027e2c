// tributary export: writes the data of all users of an environment into a folder, and later only what changed since.
import { createWriteStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { UserId } from '../domain/tenancy.ts';
import { ServiceCallError, type ServiceClient } from '../platform/service-client.ts';
import {
  createFolder,
  type ExportFormat,
  findFiles,
  listFiles,
  PRIVATE_FILE,
  parseExportId,
  removeFiles,
  writeWhole,
} from './export-folder.ts';
import { KEY_VARIABLE, openService, readServiceAccess } from './service-access.ts';
import { CommandError, printJson, type Terminal } from './terminal.ts';

export type ExportOptions = {
  to: string;
  format: ExportFormat;
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
  readonly cursor: string;
  /** Users that the next run exports again. */
  readonly failed?: readonly string[];
};
type Outcome = {
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
  readonly options: ExportOptions;
  /** Of the key. */
  readonly environment: string | null;
  readonly outcome: Outcome;
};

export async function exportCommand(terminal: Terminal, options: ExportOptions): Promise<void> {
  const access = readServiceAccess(terminal);
  if (options.environment !== undefined && !access.token.startsWith(`sk_${options.environment}_`))
    throw new CommandError(`${KEY_VARIABLE} is not a key of the environment ${options.environment}.`);
  const environment = /^sk_(live|sandbox)_/.exec(access.token)?.[1] ?? null;
  const outcome: Outcome = { users: 0, removed: 0, files: 0, failed: 0, restricted_files: 0 };
  const run = { terminal, service: openService(access, 'export'), options, environment, outcome };
  const userId = options.user === undefined ? null : parseExportId(options.user);
  await createFolder(options.to);
  if (userId === null) await exportEnvironment(run);
  else await exportOne(run, userId);
  if (options.json) printJson(terminal, outcome);
  else terminal.stdout(`Exported ${outcome.users} users in ${outcome.files} files, removed ${outcome.removed}.\n`);
  if (outcome.failed > 0)
    throw new CommandError(`The export of ${outcome.failed} users failed. Run the command again to repeat them.`);
}

/** The cursor is stored last: an interrupted export repeats the users of its events. */
async function exportEnvironment(run: Export): Promise<void> {
  const { service, options, environment } = run;
  const state = await readState(run);
  const since = options.since ?? state?.cursor ?? null;
  const changes = await readChanges(service, since);
  const listed = await listUsers(service); // after the events: a user with events that is not listed is gone
  const stored = await removeOthers(run, listed);
  // A user who shares again may have no event, but has no file either.
  const isMissing = (userId: UserId) =>
    options.since === undefined && listFiles(options, userId).some(({ path }) => !stored.has(path));
  const due = new Set<string>([...changes.users, ...(state?.failed ?? [])]);
  const isDue = (userId: UserId) => since === null || due.has(userId) || isMissing(userId);
  const failed = await exportUsers(run, [...listed].filter(isDue));
  const next: State = {
    format: options.format,
    resources: options.resources ?? null,
    environment,
    cursor: changes.cursor,
    failed,
  };
  await writeWhole(join(options.to, STATE_FILE), (partial) => writeFile(partial, `${JSON.stringify(next)}\n`));
}

/** Removes the files of users who were deleted or stopped sharing, which has no event. Returns the paths of all other files. */
async function removeOthers({ options, outcome }: Export, listed: ReadonlySet<UserId>): Promise<ReadonlySet<string>> {
  const files = await findFiles(options.to);
  for (const [userId, paths] of files) {
    if (listed.has(userId)) continue;
    await removeFiles(paths);
    files.delete(userId);
    outcome.removed += 1;
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
      run.terminal.stderr(`${toCommandError(userId, error).message}\n`);
      failed.push(userId);
      run.outcome.failed += 1;
    }
  return failed;
}

/** The key or an option is not valid: the same for every user. */
function isRefused(error: unknown): boolean {
  if (error instanceof CommandError) return true;
  return error instanceof ServiceCallError && error.status >= 400 && error.status < 500;
}

function toCommandError(userId: UserId, error: unknown): CommandError {
  if (error instanceof CommandError) return error;
  return new CommandError(`The export of user ${userId} failed: ${(error as Error).message}`);
}

async function exportOne(run: Export, userId: UserId): Promise<void> {
  const isFound = await exportUser(run, userId).catch((error: unknown) => {
    throw toCommandError(userId, error);
  });
  if (!isFound) throw new CommandError(`User ${userId} does not exist or no longer shares.`);
}

/** False: the user was deleted or stopped sharing. */
async function exportUser({ terminal, service, options, outcome }: Export, userId: UserId): Promise<boolean> {
  try {
    for (const { path, resources } of listFiles(options, userId)) {
      const query = { format: options.format, resources };
      let excluded: string | null = null;
      await withRetries(() =>
        writeWhole(path, async (partial) => {
          excluded = await download(service, userId, query, partial);
        }),
      );
      outcome.files += 1;
      if (excluded === null) continue;
      outcome.restricted_files += 1;
      terminal.stderr(`${path} is without data that its provider's terms exclude: ${excluded}\n`);
    }
  } catch (error) {
    if (!(error instanceof ServiceCallError && error.status === NOT_FOUND)) throw error;
    const paths = (await findFiles(options.to)).get(userId) ?? [];
    await removeFiles(paths);
    if (paths.length > 0) outcome.removed += 1;
    return false;
  }
  outcome.users += 1;
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

/** Returns what the file does not contain because of the terms of a provider. */
async function download(
  service: ServiceClient,
  userId: UserId,
  query: { readonly format: string; readonly resources: string | undefined },
  path: string,
): Promise<string | null> {
  const body = await service.open(`/v1/users/${userId}/export`, query);
  const excluded = body.headers['tributary-excluded'];
  await pipeline(body, createWriteStream(path, { mode: PRIVATE_FILE }));
  return excluded === undefined ? null : String(excluded);
}

async function readState({ options: { to, format, resources }, environment }: Export): Promise<State | null> {
  let text: string;
  try {
    text = await readFile(join(to, STATE_FILE), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const state = JSON.parse(text) as State;
  if (state.format !== format || state.resources !== (resources ?? null))
    throw new CommandError(`${to} has an export with another format or other resources. Use another folder.`);
  if ((state.environment ?? environment) !== environment)
    throw new CommandError(`${to} has an export of the environment ${state.environment}. Use another folder.`);
  return state;
}

type Event = { readonly user_id?: string };
type Changes = {
  /** Users with events; some may be deleted by now. */
  readonly users: ReadonlySet<UserId>;
  readonly cursor: string;
};

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
