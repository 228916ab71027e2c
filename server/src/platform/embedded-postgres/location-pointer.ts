// The file in the data folder with the location of its relocated cluster. It moves with a renamed data folder.

import { readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { writeFileDurably } from './durable-file.ts';
import { EmbeddedPostgresError, readErrorCode } from './embedded-postgres-error.ts';

export const POINTER_NAME = 'postgres-location.json';

/** `initialized` distinguishes an interrupted first start (continue) from missing data (stop). */
export type LocationPointer = { readonly home: string; readonly initialized: boolean };

export async function readLocationPointer(dataDir: string): Promise<LocationPointer | null> {
  const path = join(dataDir, POINTER_NAME);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (readErrorCode(error) === 'ENOENT') return null;
    throw new EmbeddedPostgresError(
      `${path} has the location of the PostgreSQL data, but cannot be read (${readErrorCode(error)}). ` +
        'Run this as the user that runs the service, or as root.',
      { cause: error },
    );
  }
  const pointer = parsePointer(text);
  if (pointer) return pointer;
  throw new EmbeddedPostgresError(
    `${path} is damaged. It must contain {"home": "<folder of your cluster>", "initialized": true}; ` +
      'look for that folder in /var/lib/tributary.',
  );
}

export async function writeLocationPointer(dataDir: string, pointer: LocationPointer): Promise<void> {
  await writeFileDurably(join(dataDir, POINTER_NAME), `${JSON.stringify(pointer)}\n`, 0o600);
}

function parsePointer(text: string): LocationPointer | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('home' in value) || !('initialized' in value)) return null;
    const { home, initialized } = value;
    if (typeof home !== 'string' || !isAbsolute(home) || typeof initialized !== 'boolean') return null;
    return { home, initialized };
  } catch {
    return null;
  }
}
