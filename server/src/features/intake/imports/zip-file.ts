// Zip files: entries by name, read as streams. Refuses what no health export is: encrypted entries, and entries that unpack
// to far more than their size.
import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { type Entry, fromBuffer, open, type ZipFile } from 'yauzl';
import { isBomb, MAX_EXPANSION } from './expansion-limit.ts';
import { ImportError, importError, nothingImported } from './import-error.ts';

export type ZipEntry = {
  readonly name: string;
  readonly bytes: number;
  stream(): Promise<Readable>;
  /** Reads the whole entry: damaged bytes can be unpacked into other values. */
  verify(): Promise<void>;
};

type OpenedZip = { readonly entries: readonly ZipEntry[]; close(): void };

/** A Garmin account of many years has 100,000 activities at most. */
const MAX_ENTRIES = 500_000;
const MAX_ENTRY_BYTES = 64 * 1_073_741_824;
const ENCRYPTED = 1;

const OPTIONS = { lazyEntries: true, autoClose: false, strictFileNames: false } as const;

export async function openZip(file: string | Buffer): Promise<OpenedZip> {
  let zip: ZipFile;
  try {
    zip = await openDirectory(file);
  } catch (error) {
    throw importError(`The zip file is damaged or truncated (${shorten(error)}). Download or copy it again.`);
  }
  try {
    const entries = await listEntries(zip);
    return { entries, close: () => zip.close() };
  } catch (error) {
    zip.close();
    if (error instanceof ImportError) throw error;
    if (UNSAFE_NAME.test((error as Error).message))
      throw nothingImported(
        `The zip file has an entry whose name leads out of its folder (${shorten(error)}).`,
        'Pack the export again.',
      );
    throw importError(`The zip file is damaged (${shorten(error)}). Download or copy it again.`);
  }
}

const UNSAFE_NAME = /^(invalid relative path|absolute path|invalid characters in fileName)/;

/** The first sentence, and no long name. */
function shorten(error: unknown): string {
  return ((error as Error).message.split('. ')[0] ?? '').slice(0, 200);
}

function openDirectory(file: string | Buffer): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, zip: ZipFile) => (error ? reject(error) : resolve(zip));
    if (typeof file === 'string') open(file, OPTIONS, done);
    else fromBuffer(file, OPTIONS, done);
  });
}

function listEntries(zip: ZipFile): Promise<ZipEntry[]> {
  return new Promise((resolve, reject) => {
    const entries: ZipEntry[] = [];
    zip.on('error', reject);
    zip.on('end', () => resolve(entries));
    zip.on('entry', (entry: Entry) => {
      if (entries.length >= MAX_ENTRIES) return reject(importError('The zip file has too many entries.'));
      if (!entry.fileName.endsWith('/')) entries.push(describeEntry(zip, entry));
      zip.readEntry();
    });
    zip.readEntry();
  });
}

function describeEntry(zip: ZipFile, entry: Entry): ZipEntry {
  const { fileName: name, uncompressedSize: bytes, compressedSize: packedBytes } = entry;
  const stream = async () => {
    if ((entry.generalPurposeBitFlag & ENCRYPTED) !== 0)
      throw importError(`${name} is encrypted. Unpack the file first, and import what it contains.`);
    refuseBomb(name, bytes, packedBytes);
    return openEntry(zip, entry);
  };
  return { name, bytes, stream, verify: async () => verifyEntry(entry, await stream()) };
}

async function verifyEntry({ fileName, crc32: expected }: Entry, content: Readable): Promise<void> {
  let checksum = 0;
  try {
    for await (const chunk of content) checksum = crc32(chunk as Buffer, checksum);
  } catch (error) {
    throw damaged(fileName, shorten(error));
  }
  if (checksum !== expected) throw damaged(fileName, 'its checksum does not match');
}

function damaged(name: string, why: string): ImportError {
  return importError(`the file is damaged: ${why}. Download or copy the zip file again.`, name);
}

export function refuseBomb(name: string, bytes: number, packedBytes: number): void {
  if (bytes > MAX_ENTRY_BYTES || isBomb(bytes, packedBytes))
    throw importError(
      `${name} unpacks to ${bytes} bytes, more than ${MAX_EXPANSION} times its size. This is not a health export.`,
    );
}

function openEntry(zip: ZipFile, entry: Entry): Promise<Readable> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error)
        reject(importError(`${entry.fileName} cannot be read (${error.message}). Download the zip file again.`));
      else resolve(stream);
    });
  });
}
