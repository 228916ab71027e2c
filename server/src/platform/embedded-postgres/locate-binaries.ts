// Finds the PostgreSQL binaries that npm installed for this machine.

import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

export type PackagedBinaries = {
  /** The folder with bin, lib and share. */
  readonly nativeDir: string;
  /** Version of the npm package, for example 18.4.0-beta.17. */
  readonly version: string;
  readonly major: string;
};

export async function locateBinaries(): Promise<PackagedBinaries> {
  // Node cannot connect to a Unix socket on Windows, and PostgreSQL must not listen on the network without a password,
  // so the Windows build is not used. Nothing in this folder is tested on Windows.
  if (process.platform === 'win32') {
    throw new EmbeddedPostgresError(
      'The bundled PostgreSQL does not run on Windows. Use WSL, or set DATABASE_URL to your own PostgreSQL server.',
    );
  }
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
  const packageDir = resolvePackageDir(packageName);
  const manifest: unknown = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8'));
  const version = typeof manifest === 'object' && manifest && 'version' in manifest ? String(manifest.version) : '';
  return { nativeDir: join(packageDir, 'native'), version, major: version.split('.')[0] ?? '' };
}

function resolvePackageDir(packageName: string): string {
  try {
    // The package exports only dist/index.js.
    return dirname(dirname(fileURLToPath(import.meta.resolve(packageName))));
  } catch (error) {
    throw new EmbeddedPostgresError(
      `The bundled PostgreSQL (${packageName}) is not installed. Run "npm ci --include=optional" with Node 16.20 or newer, ` +
        'or set DATABASE_URL to your own PostgreSQL server.',
      { cause: error },
    );
  }
}
