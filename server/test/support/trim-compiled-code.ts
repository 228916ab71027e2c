// Node adds to its compile cache with every change of a file and never removes entries, so the test run deletes a cache of
// another Node or above a size.
import { type Dirent, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';

const MEGABYTE = 1_000_000;

/** Returns a line with the reason for each folder that was removed. */
export function trimCompiledCode(cache: string, maxBytes = 200 * MEGABYTE): string[] {
  return list(cache)
    .filter((folder) => folder.isDirectory())
    .flatMap(({ name }) => {
      const folder = path.join(cache, name);
      const reason = explainRemoval(folder, maxBytes);
      if (reason === null) return [];
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 }); // another run may be writing to it
      return [`removed compiled code of earlier runs: ${reason}`];
    });
}

function explainRemoval(folder: string, maxBytes: number): string | null {
  const node = `${process.version}-${process.arch}`;
  const name = path.basename(folder);
  if (!name.startsWith(`${node}-`)) return `${name} is not of ${node}`;
  const bytes = list(folder).reduce((sum, file) => sum + sizeOf(path.join(folder, file.name)), 0);
  return bytes > maxBytes ? `${toMegabytes(bytes)} MB is more than ${toMegabytes(maxBytes)}` : null;
}

function list(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function toMegabytes(bytes: number): number {
  return Math.round(bytes / MEGABYTE);
}
