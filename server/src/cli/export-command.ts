// tributary export: writes the data of all users of an environment into a folder, and later only what changed since.
import { createWriteStream } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ServiceCallError, type ServiceClient } from '../platform/service-client.ts';
import { KEY_VARIABLE, openService, readServiceAccess } from './service-access.ts';
import { CommandError, printJson, type Terminal } from './terminal.ts';

export type ExportOptions = {
  to: string;
  format: 'ndjson' | 'csv' | 'parquet' | 'fhir' | 'omh' | 'bundle';
  environment?: 'live' | 'sandbox';
  resources?: string;
  user?: string;
  since?: string;
  json?: boolean;
};

const STATE_FILE = 'export-state.json';
const ALL_RESOURCES = ['daily', 'sleep', 'workouts', 'scores', 'samples'];
const EXTENSIONS = {
  ndjson: 'ndjson',
  csv: 'csv',
  parquet: 'parquet',
  fhir: 'fhir.ndjson',
  omh: 'omh.ndjson',
  bundle: 'bundle.ndjson',
} as const;
const NOT_FOUND = 404;

type State = { readonly format: string; readonly resources: string | null; readonly cursor: string };
type Outcome = { users: number; removed: number; files: number };

export async function exportCommand(terminal: Terminal, options: ExportOptions): Promise<void> {
  const access = readServiceAccess(terminal);
  if (options.environment !== undefined && !access.token.startsWith(`sk_${options.environment}_`))
    throw new CommandError(`${KEY_VARIABLE} is not a key of the environment ${options.environment}.`);
  const service = openService(access, 'export');
  await mkdir(options.to, { recursive: true });
  const outcome: Outcome = { users: 0, removed: 0, files: 0 };
  if (options.user === undefined) await exportEnvironment(service, options, outcome);
  else await exportUser(service, options, options.user, outcome);
  if (options.json) printJson(terminal, outcome);
  else terminal.stdout(`Exported ${outcome.users} users in ${outcome.files} files, removed ${outcome.removed}.\n`);
}

/** The cursor is stored last: an interrupted export repeats the users of its events. */
async function exportEnvironment(service: ServiceClient, options: ExportOptions, outcome: Outcome): Promise<void> {
  const since = options.since ?? (await readState(options))?.cursor ?? null;
  const changes = await readChanges(service, since);
  for (const userId of changes.removed) {
    outcome.removed += 1;
    for (const [file] of listFiles(options, userId)) await rm(join(options.to, file), { force: true });
  }
  if (since === null)
    for await (const userId of listUsers(service)) await exportUser(service, options, userId, outcome);
  else for (const userId of changes.changed) await exportUser(service, options, userId, outcome);
  const state = { format: options.format, resources: options.resources ?? null, cursor: changes.cursor };
  await writeWhole(join(options.to, STATE_FILE), (partial) => writeFile(partial, `${JSON.stringify(state)}\n`));
}

async function exportUser(
  service: ServiceClient,
  options: ExportOptions,
  userId: string,
  outcome: Outcome,
): Promise<void> {
  try {
    for (const [file, resources] of listFiles(options, userId)) {
      const query = { format: options.format, resources: resources ?? undefined };
      await writeWhole(join(options.to, file), async (partial) =>
        pipeline(await service.open(`/v1/users/${userId}/export`, query), createWriteStream(partial)),
      );
      outcome.files += 1;
    }
    outcome.users += 1;
  } catch (error) {
    const isDeleted = error instanceof ServiceCallError && error.status === NOT_FOUND && options.user === undefined;
    if (!isDeleted) throw error; // its event follows
  }
}

/** CSV and Parquet have one file per resource. */
function listFiles({ format, resources }: ExportOptions, userId: string): [file: string, resources: string | null][] {
  const extension = EXTENSIONS[format];
  if (format !== 'csv' && format !== 'parquet') return [[`${userId}.${extension}`, resources ?? null]];
  const names = resources?.split(',').map((name) => name.trim()) ?? ALL_RESOURCES;
  return names.map((name) => [join(name, `${userId}.${extension}`), name]);
}

/** A file has its name only once it is complete. */
async function writeWhole(path: string, write: (partial: string) => Promise<void>): Promise<void> {
  const partial = `${path}.partial`;
  await mkdir(dirname(path), { recursive: true });
  await write(partial);
  await rename(partial, path);
}

async function readState({ to, format, resources }: ExportOptions): Promise<State | null> {
  let text: string;
  try {
    text = await readFile(join(to, STATE_FILE), 'utf8');
  } catch {
    return null;
  }
  const state = JSON.parse(text) as State;
  if (state.format !== format || state.resources !== (resources ?? null))
    throw new CommandError(`${to} has an export with another format or other resources. Use another folder.`);
  return state;
}

type Event = { readonly event_type: string; readonly user_id?: string };
type Changes = {
  readonly changed: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
  readonly cursor: string;
};

/** Reads the feed to its end. */
async function readChanges(service: ServiceClient, since: string | null): Promise<Changes> {
  const changed = new Set<string>();
  const removed = new Set<string>();
  for (let cursor = since; ; ) {
    const page = (await service.read('/v1/events', { cursor: cursor ?? undefined, limit: '500' })) as {
      events: Event[];
      cursor: string;
      has_more: boolean;
    };
    for (const { event_type: type, user_id: userId } of page.events) {
      if (userId === undefined) continue;
      if (type === 'user.deleted') removed.add(userId);
      else changed.add(userId);
    }
    cursor = page.cursor;
    if (!page.has_more) return { changed: changed.difference(removed), removed, cursor };
  }
}

async function* listUsers(service: ServiceClient): AsyncGenerator<string> {
  for (let cursor: string | undefined; ; ) {
    const page = (await service.read('/v1/users', { cursor, limit: '100' })) as {
      data: { id: string }[];
      next_cursor: string | null;
    };
    yield* page.data.map(({ id }) => id);
    if (page.next_cursor === null) return;
    cursor = page.next_cursor;
  }
}
