// Where an export is written: a folder or a bucket. Files have names relative to it: one per user, for CSV and Parquet one per user
// and resource.
import { parseUserId, type UserId } from '../domain/tenancy.ts';
import type { Format } from '../features/reads/exports/export-query.ts';
import { EXPORT_RESOURCES } from '../features/reads/exports/records.ts';
import { splitList } from './split-list.ts';
import { CommandError } from './terminal.ts';

const RESOURCES: readonly string[] = EXPORT_RESOURCES;

export type ExportTarget = {
  /** For messages. */
  readonly name: string;
  /** Null: there is no such file. */
  read(name: string): Promise<string | null>;
  /** A file has its name only once it is complete. */
  write(name: string, chunks: AsyncIterable<Uint8Array>): Promise<void>;
  /** Changes nothing if there is such a file. */
  create(name: string, bytes: Uint8Array): Promise<void>;
  /** Users with a file of any format, complete or not, and the names of their files. */
  find(): Promise<Map<UserId, string[]>>;
  remove(names: readonly string[]): Promise<void>;
  /** Removes what a killed export has left. Only once it is certain that the target is our own. */
  removeUnfinished?(): Promise<void>;
};

type ExportFile = { readonly name: string; readonly resources: string | undefined };
type Selection = { readonly format: Format; readonly resources?: string };

const EXTENSIONS: Readonly<Record<Format, string>> = {
  ndjson: 'ndjson',
  csv: 'csv',
  parquet: 'parquet',
  fhir: 'fhir.ndjson',
  omh: 'omh.ndjson',
  bundle: 'bundle.ndjson',
};

/** Ids become file names, so a text that is not a UUID must not reach a path. */
export function parseExportId(text: string): UserId {
  const id = parseUserId(text);
  if (id === null) throw new CommandError(`${JSON.stringify(text)} is not the ID of a user.`);
  return id;
}

export function listFiles({ format, resources }: Selection, userId: UserId): ExportFile[] {
  const name = `${userId}.${EXTENSIONS[format]}`;
  if (format !== 'csv' && format !== 'parquet') return [{ name, resources }];
  return parseResources(resources).map((resource) => ({ name: `${resource}/${name}`, resources: resource }));
}

function parseResources(text: string | undefined): readonly string[] {
  const names = text === undefined ? RESOURCES : splitList(text);
  if (names.every((name) => RESOURCES.includes(name))) return names;
  throw new CommandError(`--resources must be a list of ${RESOURCES.join(', ')}.`);
}

/** Null: not a file of an export. */
export function ownerOf(name: string): UserId | null {
  const parts = name.split('/');
  const [id = '', ...rest] = (parts.at(-1) ?? '').split('.');
  if (parts.length > 2 || (parts.length === 2 && !RESOURCES.includes(parts[0] ?? ''))) return null;
  return Object.values(EXTENSIONS).includes(rest.join('.')) ? parseUserId(id) : null;
}

export function groupByOwner(names: readonly string[]): Map<UserId, string[]> {
  const found = new Map<UserId, string[]>();
  for (const name of names) {
    const userId = ownerOf(name);
    if (userId !== null) found.set(userId, [...(found.get(userId) ?? []), name]);
  }
  return found;
}
