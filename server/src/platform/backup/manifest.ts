// The list of what a backup contains, written last. A folder without it is not a backup.
import type { Contents, CopiedTable, SequenceValue } from './contents.ts';
import { CopyError } from './copy-error.ts';

/** Increases when older programs could no longer read a backup. */
export const FORMAT = 1;
export const MANIFEST_NAME = 'manifest.json';
/** In the format of sha256sum, for all files of the backup. */
export const SUMS_NAME = 'SHA256SUMS';

export type StoredTable = CopiedTable & {
  /** Path inside the backup. */
  readonly file: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
};

export type Manifest = Omit<Contents, 'tables'> & {
  readonly format: number;
  readonly tables: readonly StoredTable[];
  readonly sequences: readonly SequenceValue[];
};

export function formatManifest(manifest: Manifest): string {
  return `${JSON.stringify(manifest, null, 1)}\n`;
}

export function parseManifest(text: string, path: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new CopyError(`${path} is damaged. Use another backup.`);
  }
  const { format } = (value ?? {}) as Partial<Manifest>;
  if (typeof format === 'number' && format > FORMAT)
    throw new CopyError(`${path} was written by a newer version of Tributary. Restore it with that version.`);
  if (format !== FORMAT) throw new CopyError(`${path} is not the manifest of a backup of Tributary.`);
  return value as Manifest;
}

export function formatSums(sums: readonly { readonly file: string; readonly sha256: string }[]): string {
  return sums.map(({ file, sha256 }) => `${sha256}  ${file}\n`).join('');
}

export function parseSums(text: string): Map<string, string> {
  const lines = text.split('\n').filter((line) => line !== '');
  return new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
}
