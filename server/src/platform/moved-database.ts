// The mark in a data folder whose database was moved to another server, so that no service starts on the old copy.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from './cli-error.ts';
import { writeFileDurably } from './embedded-postgres/durable-file.ts';

const MARK = 'database-moved.json';
const FILE_MODE = 0o600;

/** `to` is shown to the operator and has no password. */
export async function markMoved(dataDir: string, to: string, at: Date): Promise<void> {
  await writeFileDurably(join(dataDir, MARK), `${JSON.stringify({ to, at: at.toISOString() })}\n`, FILE_MODE);
}

export function refuseMovedDatabase(dataDir: string): void {
  const file = join(dataDir, MARK);
  const mark = readIfThere(file);
  if (mark === null) return;
  throw new CliError(
    `The database of ${dataDir} was moved to ${mark.to} on ${mark.at}. Set DATABASE_URL to it. ` +
      `To go back to the old state of the embedded database instead, delete ${file}.`,
  );
}

function readIfThere(file: string): { to: string; at: string } | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new CliError(
      `${file} cannot be read (${code}), so it is unknown whether the database was moved. Fix the cause and try again.`,
    );
  }
  try {
    return JSON.parse(text) as { to: string; at: string };
  } catch {
    return { to: 'another server', at: 'an unknown date' }; // damaged, but there
  }
}
