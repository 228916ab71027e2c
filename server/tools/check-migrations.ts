// Rejects edits to merged migrations, because databases that applied them would refuse to start. `checksums.txt` lists the
// merged files; `npm run generate` adds new files to it and changes no existing line.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { loadMigrations } from '../src/platform/db/migrate.ts';
import { type Problem, reportProblems } from './report-problems.ts';

const FOLDER = path.resolve(import.meta.dirname, '../migrations');
const FILE = 'checksums.txt';

export function checkMigrations(folder: string): Problem[] {
  const merged = readChecksums(folder);
  const present = new Map(loadMigrations(folder).map(({ name, checksum }) => [name, checksum]));
  const edited = [...merged].flatMap(([name, checksum]) => {
    if (present.get(name) === checksum) return [];
    return `${name} was ${present.has(name) ? 'edited' : 'removed'}: restore it and put the change into a new migration`;
  });
  const missing = [...present.keys()].filter((name) => !merged.has(name));
  const added = missing.map((name) => `${name} is not in ${FILE}: run npm run generate`);
  return [...edited, ...added].map((message) => ({ file: 'server/migrations', line: 0, rule: 'merged', message }));
}

/** In the format of sha256sum. */
export function listChecksums(folder = FOLDER): string {
  const merged = readChecksums(folder);
  for (const { name, checksum } of loadMigrations(folder)) if (!merged.has(name)) merged.set(name, checksum);
  return [...merged].map(([name, checksum]) => `${checksum}  ${name}\n`).join('');
}

function readChecksums(folder: string): Map<string, string> {
  const file = path.join(folder, FILE);
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  return new Map(
    lines.map((line) => {
      const [checksum = '', name = ''] = line.split('  ');
      return [name, checksum];
    }),
  );
}

if (import.meta.main) reportProblems(checkMigrations(FOLDER));
