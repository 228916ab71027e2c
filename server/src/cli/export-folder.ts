// The files of an export: one per user, for CSV and Parquet one per user and resource. Only the user of the operating system can read them.
import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseUserId, type UserId } from '../domain/tenancy.ts';
import { CommandError } from './terminal.ts';

export type ExportFormat = 'ndjson' | 'csv' | 'parquet' | 'fhir' | 'omh' | 'bundle';
type ExportFile = { readonly path: string; readonly resources: string | undefined };
type Selection = { readonly to: string; readonly format: ExportFormat; readonly resources?: string };

const RESOURCES = ['daily', 'sleep', 'workouts', 'scores', 'samples'];
const EXTENSIONS: Readonly<Record<ExportFormat, string>> = {
  ndjson: 'ndjson',
  csv: 'csv',
  parquet: 'parquet',
  fhir: 'fhir.ndjson',
  omh: 'omh.ndjson',
  bundle: 'bundle.ndjson',
};
const PARTIAL = '.partial';
const PRIVATE_FOLDER = 0o700;
export const PRIVATE_FILE = 0o600;

/** Ids become file names, so a text that is not a UUID must not reach a path. */
export function parseExportId(text: string): UserId {
  const id = parseUserId(text);
  if (id === null) throw new CommandError(`${JSON.stringify(text)} is not the ID of a user.`);
  return id;
}

export function listFiles({ to, format, resources }: Selection, userId: UserId): ExportFile[] {
  const name = `${userId}.${EXTENSIONS[format]}`;
  if (format !== 'csv' && format !== 'parquet') return [{ path: join(to, name), resources }];
  return parseResources(resources).map((resource) => ({ path: join(to, resource, name), resources: resource }));
}

function parseResources(text: string | undefined): string[] {
  const names = text?.split(',').map((name) => name.trim()) ?? RESOURCES;
  if (names.every((name) => RESOURCES.includes(name))) return names;
  throw new CommandError(`--resources must be a list of ${RESOURCES.join(', ')}.`);
}

export async function createFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: PRIVATE_FOLDER });
}

/** A file has its name only once it is complete. */
export async function writeWhole(path: string, write: (partial: string) => Promise<void>): Promise<void> {
  const partial = `${path}${PARTIAL}`;
  await createFolder(dirname(path));
  await rm(partial, { force: true }); // an existing file would keep its permissions
  try {
    await write(partial);
    await chmod(partial, PRIVATE_FILE);
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** Users with a file of any format, complete or not, and the paths of their files. */
export async function findFiles(to: string): Promise<Map<UserId, string[]>> {
  const found = new Map<UserId, string[]>();
  for (const folder of [to, ...RESOURCES.map((resource) => join(to, resource))])
    for (const name of await listNames(folder)) {
      const userId = ownerOf(name);
      if (userId !== null) found.set(userId, [...(found.get(userId) ?? []), join(folder, name)]);
    }
  return found;
}

/** Null: not a file of an export. */
function ownerOf(name: string): UserId | null {
  const [id = '', ...rest] = (name.endsWith(PARTIAL) ? name.slice(0, -PARTIAL.length) : name).split('.');
  return Object.values(EXTENSIONS).includes(rest.join('.')) ? parseUserId(id) : null;
}

async function listNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

export async function removeFiles(paths: readonly string[]): Promise<void> {
  for (const path of paths) await rm(path, { force: true });
}
