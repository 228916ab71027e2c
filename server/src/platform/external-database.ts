// Marks in a data folder whose service uses another server, so that no service starts on an old or empty embedded database.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from './cli-error.ts';
import { writeFileDurably } from './embedded-postgres/durable-file.ts';
import { hasDatabaseFiles } from './embedded-postgres/survey-cluster.ts';

const MOVED = 'database-moved.json';
const EXTERNAL = 'external-database.json';
const FILE_MODE = 0o600;

/** `to` is shown to the operator and has no password. */
type Mark = { readonly to: string; readonly at: string };

/** After `tributary move`. */
export function markMoved(dataDir: string, to: string, at: Date): Promise<void> {
  return write(join(dataDir, MOVED), { to, at: at.toISOString() });
}

/**
 * After a start with DATABASE_URL. A folder that has an embedded database gets no mark: without DATABASE_URL the service shows the data of
 * that one, as before, and `markMoved` marks those that were moved.
 */
export async function markExternal(dataDir: string, to: string, at: Date): Promise<void> {
  if (hasDatabaseFiles(dataDir)) return;
  const file = join(dataDir, EXTERNAL);
  if (readIfThere(file)?.to !== to) await write(file, { to, at: at.toISOString() });
}

export function refuseEmbeddedDatabase(dataDir: string): void {
  const files = { moved: join(dataDir, MOVED), external: join(dataDir, EXTERNAL) };
  const moved = readIfThere(files.moved);
  const external = readIfThere(files.external);
  if (external !== null)
    throw new CliError(
      `The service of ${dataDir} has used the database at ${external.to} since ${external.at}, but DATABASE_URL is not set. ` +
        'Set it again. To start on the embedded database instead, without the data of the other one, ' +
        `delete ${moved === null ? files.external : `${files.external} and ${files.moved}`}.`,
    );
  if (moved !== null)
    throw new CliError(
      `The database of ${dataDir} was moved to ${moved.to} on ${moved.at}. Set DATABASE_URL to it. ` +
        `To go back to the old state of the embedded database instead, delete ${files.moved}.`,
    );
}

function write(file: string, mark: Mark): Promise<void> {
  return writeFileDurably(file, `${JSON.stringify(mark)}\n`, FILE_MODE);
}

function readIfThere(file: string): Mark | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new CliError(
      `${file} cannot be read (${code}), so it is unknown whether the service uses another database. Fix the cause and try again.`,
    );
  }
  try {
    return JSON.parse(text) as Mark;
  } catch {
    return { to: 'another server', at: 'an unknown date' }; // damaged, but there
  }
}
