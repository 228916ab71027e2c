// Recognizes the format of a file by its content and opens its reader.
import { closeSync, createReadStream, createWriteStream, openSync, readSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { findFitbitKind, isTakeout, readFitbit } from './account-exports/read-fitbit.ts';
import { isGarminExport, isGarminFile, readGarmin } from './account-exports/read-garmin.ts';
import { MAX_JSON_BYTES } from './account-exports/read-records.ts';
import { MAX_FIT_BYTES, readFit } from './activity-files/read-fit.ts';
import { readGpx } from './activity-files/read-gpx.ts';
import { readTcx } from './activity-files/read-tcx.ts';
import { readAppleHealth } from './apple-health/read-apple-health.ts';
import type { CsvMapping } from './csv/column-mapping.ts';
import { readCsvRows } from './csv/csv-rows.ts';
import { readCsv } from './csv/read-csv.ts';
import { whileSpaceLeft } from './free-space.ts';
import { readHealthConnect } from './health-connect/read-health-connect.ts';
import { ImportError, importError, nothingImported, truncatedError } from './import-error.ts';
import type { ImportSink } from './import-sink.ts';
import { createLocalTimes } from './local-times.ts';
import { findEncoding, notUtf8, readText } from './read-text.ts';
import { openZip, refuseBomb, type ZipEntry } from './zip-file.ts';

/** A bundle has a command of its own (import-bundle.ts). */
const IMPORT_FORMATS = ['apple-health', 'health-connect', 'fitbit', 'garmin', 'fit', 'tcx', 'gpx', 'csv'] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

export type ImportOptions = {
  /** Null: recognized. */
  readonly format: ImportFormat | null;
  /** Of times without an offset. */
  readonly timezone: string | null;
  readonly mapping: CsvMapping;
  /** For a part of an archive that has to be unpacked into a file. Absent: the one of the system. */
  readonly temporaryFolder?: string;
};

export type OpenedImport = {
  readonly format: ImportFormat;
  readonly totalBytes: number;
  /** Of `totalBytes`. */
  bytesRead(): number;
  read(sink: ImportSink): Promise<void>;
  close(): void;
};

/** Text of a larger chunk is allocated as a large object, which stays in memory until a full garbage collection. */
const CHUNK_BYTES = 65_536;
const HEAD_BYTES = 65_536;

export async function openImport(path: string, options: ImportOptions): Promise<OpenedImport> {
  const head = readHead(path);
  if (head.subarray(0, 4).equals(ZIP)) return openArchive(path, options);
  const format = options.format ?? detectFormat(head, path);
  const { size } = statSync(path);
  let count = 0;
  const name = basename(path);
  const open = () => createReadStream(path, { highWaterMark: CHUNK_BYTES });
  const bytes = () => readBytes(open, name, (read) => (count += read));
  return {
    format,
    totalBytes: size,
    bytesRead: () => count,
    async read(sink) {
      if (format === 'csv')
        await checkTable(
          readBytes(open, name, () => undefined),
          name,
        );
      return readFormat(format, { bytes: bytes(), name, size }, options, sink);
    },
    close: () => undefined,
  };
}

/** To the end, because the rows before a fault of the encoding would be stored otherwise. Takes a small part of the time of an import. */
async function checkTable(bytes: AsyncIterable<Uint8Array>, name: string): Promise<void> {
  for await (const _ of readCsvRows(readText(bytes, name, { isStrict: true })));
}

const ZIP = Buffer.from('PK\u0003\u0004');

function readHead(path: string): Buffer {
  let file: number;
  try {
    const stat = statSync(path);
    if (stat.isDirectory())
      throw importError(`${path} is a folder. Import a file of it, or pack the folder into a zip file.`);
    if (stat.size === 0) throw importError(`${path} is empty. Create or copy it again.`);
    file = openSync(path, 'r');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw importError(code === 'ENOENT' ? `${path} does not exist.` : `${path} cannot be read (${code}).`);
  }
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    return head.subarray(0, readSync(file, head, 0, HEAD_BYTES, 0));
  } finally {
    closeSync(file);
  }
}

function detectFormat(head: Buffer, path: string): ImportFormat {
  const text = decodeHead(head);
  if (/<HealthData\b/.test(text)) return 'apple-health';
  if (/<TrainingCenterDatabase\b/.test(text)) return 'tcx';
  if (/<gpx\b/i.test(text)) return 'gpx';
  if (head.subarray(8, 12).toString('latin1') === '.FIT') return 'fit';
  if (head.subarray(0, 15).toString('latin1') === 'SQLite format 3') return 'health-connect';
  if (isTable(text)) return 'csv';
  if (isTable(head.toString('latin1'))) throw notUtf8(basename(path), 0, text);
  if (isTable(head.toString('utf16le')))
    throw importError('the text is UTF-16 without a byte order mark. Save the file as UTF-8.', basename(path));
  throw unknownFormat(path, head);
}

/** A first line of text with several cells. */
function isTable(text: string): boolean {
  const [line = ''] = text.split('\n', 1);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they distinguish text from other files
  return /[,;\t]/.test(line) && !/[\u0000-\u0008\ufffd<{]/.test(line);
}

function decodeHead(head: Buffer): string {
  return new TextDecoder(findEncoding(head)).decode(head);
}

function unknownFormat(path: string, head: Buffer) {
  const what = head.subarray(0, 5).toString('latin1') === '%PDF-' ? ' It is a PDF document.' : '';
  return importError(
    `${path} has no format that can be imported.${what} Formats: ${IMPORT_FORMATS.join(', ')}, bundle; see docs/imports.md.`,
  );
}

async function openArchive(path: string, options: ImportOptions): Promise<OpenedImport> {
  const zip = await openZip(path);
  let parts: Part[];
  try {
    parts = selectParts(listParts(zip.entries), options.format);
    if (parts.length === 0) throw unknownFormat(path, Buffer.alloc(0));
    // Entries can share their packed bytes, so each of them can be harmless.
    refuseBomb('The zip file', sumBytes(parts), statSync(path).size);
  } catch (error) {
    zip.close();
    throw error;
  }
  let count = 0;
  return {
    format: parts[0]?.format as ImportFormat,
    totalBytes: sumBytes(parts),
    bytesRead: () => count,
    async read(sink) {
      for (const { entry, format } of parts) {
        const bytes = readBytes(entry.stream, entry.name, (read) => (count += read));
        const read = async () => {
          await entry.verify();
          await readFormat(format, { bytes, name: entry.name, size: entry.bytes }, options, sink);
        };
        await readPart(entry.name, read, sink, parts.length > 1);
      }
    },
    close: zip.close,
  };
}

type Part = { readonly entry: ZipEntry; readonly format: ImportFormat };
const HEALTH_CONNECT = /(^|\/)health_connect_export\.db$/;
const ACTIVITY_FILE = /\.(fit|tcx|gpx)$/i;

/** What an archive contains: the files of one service, or any number of activity files. */
function listParts(entries: readonly ZipEntry[]): Part[] {
  const apple = findAppleExport(entries);
  const names = entries.map(({ name }) => name);
  const of = (format: ImportFormat, isPart: (name: string) => boolean) =>
    entries.filter(({ name }) => isPart(name)).map((entry) => ({ entry, format }));
  const exports: Part[][] = [
    apple === null ? [] : [{ entry: apple, format: 'apple-health' as const }],
    of('health-connect', (name) => HEALTH_CONNECT.test(name)),
    isTakeout(names) ? of('fitbit', (name) => findFitbitKind(name) !== null) : [],
    isGarminExport(names) ? of('garmin', isGarminFile) : [],
  ].filter((parts) => parts.length > 0);
  if (exports.length > 1)
    throw nothingImported(
      `The zip file has exports of several services (${exports.map(([part]) => part?.format).join(', ')}).`,
      'Import each of them separately.',
    );
  if (exports[0] !== undefined) return exports[0];
  return entries.flatMap((entry) => {
    const extension = ACTIVITY_FILE.exec(entry.name)?.[1]?.toLowerCase();
    return extension === undefined ? [] : [{ entry, format: extension as ImportFormat }];
  });
}

function selectParts(parts: readonly Part[], format: ImportFormat | null): Part[] {
  const selected = parts.filter((part) => format === null || part.format === format);
  if (selected.length > 0 || parts.length === 0) return selected;
  const found = [...new Set(parts.map((part) => part.format))];
  throw nothingImported(`The zip file has no file of the format ${format}, but of ${found.join(', ')}.`);
}

function sumBytes(parts: readonly Part[]): number {
  return parts.reduce((sum, { entry }) => sum + entry.bytes, 0);
}

/** Of several files, one that cannot be read does not stop the others. */
async function readPart(
  name: string,
  read: () => Promise<void>,
  sink: ImportSink,
  isOneOfMany: boolean,
): Promise<void> {
  try {
    await read();
  } catch (error) {
    if (!isOneOfMany || !(error instanceof ImportError)) throw error;
    if (error.at?.startsWith(name)) sink.reject(error.problem, error.at);
    else sink.reject(error.message, name);
  }
  if (sink.isFull()) await sink.drain();
}

/** The name of the XML file is translated; it is the largest that is not a clinical document. */
function findAppleExport(entries: readonly ZipEntry[]): ZipEntry | null {
  const candidates = entries.filter(({ name }) => isXmlOfTopFolder(name) && !/_cda\.xml$/i.test(name));
  if (!entries.some(({ name }) => name.startsWith('apple_health_export/')) && candidates.length !== 1) return null;
  const folders = new Set(candidates.map(({ name }) => name.slice(0, name.lastIndexOf('/') + 1)));
  if (folders.size > 1)
    throw nothingImported(
      `The zip file has several Apple Health exports (${candidates
        .map(({ name }) => name)
        .join(', ')
        .slice(0, 200)}).`,
      'Import each of them separately.',
    );
  return candidates.toSorted((a, b) => b.bytes - a.bytes)[0] ?? null;
}

/** In no folder or in one. Without a pattern, which would take quadratic time for a long name. */
function isXmlOfTopFolder(name: string): boolean {
  const [last = '', ...folders] = name.split('/').reverse();
  return folders.length <= 1 && last.length > '.xml'.length && last.toLowerCase().endsWith('.xml');
}

type Input = { readonly bytes: AsyncIterable<Uint8Array>; readonly name: string; readonly size: number };

async function readFormat(
  format: ImportFormat,
  { bytes, name, size }: Input,
  options: ImportOptions,
  sink: ImportSink,
): Promise<void> {
  switch (format) {
    case 'apple-health':
      return readAppleHealth(readText(bytes, name, { isStrict: false }), sink);
    case 'tcx':
      return readTcx(readText(bytes, name, { isStrict: true }), name, createLocalTimes(options.timezone), sink);
    case 'gpx':
      return readGpx(readText(bytes, name, { isStrict: true }), name, sink);
    case 'csv':
      return readCsv(readText(bytes, name, { isStrict: true }), options, sink);
    case 'health-connect':
      return readInFile(bytes, options, (path) => readHealthConnect(path, sink));
    case 'fitbit':
      return readFitbit(
        await readAll(bytes, name, size, MAX_JSON_BYTES),
        name,
        createLocalTimes(options.timezone),
        sink,
      );
    case 'garmin':
      return readGarmin(await readAll(bytes, name, size, MAX_JSON_BYTES), name, sink);
    case 'fit':
      return readFit(await readAll(bytes, name, size, MAX_FIT_BYTES), name, sink);
  }
}

/** SQLite reads only files. */
async function readInFile(
  bytes: AsyncIterable<Uint8Array>,
  { temporaryFolder = tmpdir() }: ImportOptions,
  read: (path: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(temporaryFolder, 'tributary-import-'));
  try {
    const path = join(folder, 'export.db');
    await pipeline(whileSpaceLeft(bytes, folder), createWriteStream(path, { mode: 0o600 }));
    await read(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The whole file; only for formats whose files are small. */
async function readAll(bytes: AsyncIterable<Uint8Array>, name: string, size: number, max: number): Promise<Buffer> {
  if (size > max) throw importError(`has ${size} bytes; at most ${max} are read`, name);
  return Buffer.concat(await Array.fromAsync(bytes));
}

/** Opens the stream when it is read. One that fails is damaged or truncated. */
async function* readBytes(
  open: () => Readable | Promise<Readable>,
  name: string,
  onBytes: (count: number) => void,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of await open()) {
      onBytes((chunk as Buffer).length);
      yield chunk as Buffer;
    }
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw truncatedError(name);
  }
}
