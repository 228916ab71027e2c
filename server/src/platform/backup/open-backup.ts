// Opens a backup: checks that it is complete and unchanged, then reads its tables.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import type { CopySource } from './contents.ts';
import { CopyError } from './copy-error.ts';
import { MANIFEST_NAME, type Manifest, parseManifest, parseSums, SUMS_NAME } from './manifest.ts';

/** Reads every file once. */
export async function checkBackup(path: string): Promise<Manifest> {
  const sums = parseSums(await readPart(path, SUMS_NAME));
  const text = await readPart(path, MANIFEST_NAME);
  if (sums.get(MANIFEST_NAME) !== createHash('sha256').update(text).digest('hex')) throw changed(path, MANIFEST_NAME);
  const manifest = parseManifest(text, join(path, MANIFEST_NAME));
  for (const { file, sha256 } of manifest.tables)
    if ((await hashFile(join(path, file))) !== sha256 || sums.get(file) !== sha256) throw changed(path, file);
  return manifest;
}

export function openBackup(path: string, manifest: Manifest): CopySource {
  const stored = new Map(manifest.tables.map((table) => [table.name, table]));
  return {
    contents: manifest,
    openTable({ name }) {
      const table = stored.get(name);
      if (!table) throw new Error(`no table ${name} in the backup`);
      const unpacked = createZstdDecompress();
      pipeline(createReadStream(join(path, table.file)), unpacked, () => undefined); // a reader of `unpacked` gets the error
      return { stream: unpacked, rows: () => table.rows };
    },
    listSequences: async () => manifest.sequences,
  };
}

async function readPart(path: string, name: string): Promise<string> {
  try {
    return await readFile(join(path, name), 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR')
      throw new CopyError(
        `${path} cannot be read: ${message}. Correct its permissions, or use another copy of the backup.`,
      );
    throw new CopyError(
      `${path} is not a complete backup: it has no ${name}. Name the folder that "tributary backup" printed (tributary-…).`,
    );
  }
}

async function hashFile(path: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new CopyError(
      `${path} cannot be read: ${(error as Error).message}. Correct its permissions, or use another copy of the backup.`,
      { cause: error },
    );
  }
  return hash.digest('hex');
}

function changed(path: string, file: string): CopyError {
  return new CopyError(
    `${join(path, file)} is missing or differs from the file that was written. Nothing was restored. Copy the backup again, or use another one.`,
  );
}
