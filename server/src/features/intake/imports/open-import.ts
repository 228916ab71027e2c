// Recognizes the format of a file by its content and opens its reader.
import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { readAppleHealth } from './apple-health/read-apple-health.ts';
import { importError } from './import-error.ts';
import type { ImportSink } from './import-sink.ts';
import { readText } from './read-text.ts';
import { openZip, type ZipEntry } from './zip-file.ts';

export const IMPORT_FORMATS = ['apple-health'] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

export type ImportOptions = {
  readonly format: ImportFormat | null;
};

export type OpenedImport = {
  readonly format: ImportFormat;
  readonly totalBytes: number;
  /** Of `totalBytes`. */
  bytesRead(): number;
  read(sink: ImportSink): Promise<void>;
  close(): void;
};

const CHUNK_BYTES = 262_144;
const HEAD_BYTES = 65_536;

export async function openImport(path: string, options: ImportOptions): Promise<OpenedImport> {
  const head = readHead(path);
  if (head.subarray(0, 4).equals(ZIP)) return openArchive(path, options);
  const format = options.format ?? detectFormat(head, path);
  const { size } = statSync(path);
  let count = 0;
  const bytes = () => counted(createReadStream(path, { highWaterMark: CHUNK_BYTES }), (read) => (count += read));
  return {
    format,
    totalBytes: size,
    bytesRead: () => count,
    read: (sink) => readFormat(format, bytes(), path, sink),
    close: () => undefined,
  };
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
  throw unknownFormat(path, head);
}

function decodeHead(head: Buffer): string {
  const isUtf16 = head[0] === 0xff && head[1] === 0xfe;
  return isUtf16 ? head.toString('utf16le') : head.toString('utf8');
}

function unknownFormat(path: string, head: Buffer) {
  const what = head.subarray(0, 5).toString('latin1') === '%PDF-' ? ' It is a PDF document.' : '';
  return importError(
    `${path} has no format that can be imported.${what} Formats: ${IMPORT_FORMATS.join(', ')}; see docs/imports.md.`,
  );
}

async function openArchive(path: string, options: ImportOptions): Promise<OpenedImport> {
  const zip = await openZip(path);
  const apple = findAppleExport(zip.entries);
  if (apple === null) {
    zip.close();
    throw unknownFormat(path, Buffer.alloc(0));
  }
  let count = 0;
  return {
    format: options.format ?? 'apple-health',
    totalBytes: apple.bytes,
    bytesRead: () => count,
    read: async (sink) => {
      const bytes = counted(await apple.stream(), (read) => (count += read));
      await readFormat('apple-health', bytes, apple.name, sink);
    },
    close: zip.close,
  };
}

/** The name of the XML file is translated; it is the largest that is not a clinical document. */
function findAppleExport(entries: readonly ZipEntry[]): ZipEntry | null {
  const candidates = entries.filter(({ name }) => /^[^/]*\/?[^/]+\.xml$/i.test(name) && !/_cda\.xml$/i.test(name));
  if (!entries.some(({ name }) => name.startsWith('apple_health_export/')) && candidates.length !== 1) return null;
  return candidates.toSorted((a, b) => b.bytes - a.bytes)[0] ?? null;
}

async function readFormat(
  format: ImportFormat,
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  sink: ImportSink,
): Promise<void> {
  switch (format) {
    case 'apple-health':
      return readAppleHealth(readText(bytes, name, { isStrict: false }), sink);
  }
}

async function* counted(stream: Readable, onBytes: (count: number) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) {
    onBytes((chunk as Buffer).length);
    yield chunk as Buffer;
  }
}
