// Rejects edits to merged migrations, because databases that applied them would refuse to start. `checksums.txt` lists the
// merged files; `npm run generate` adds new files to it and changes no existing line.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { loadMigrations, type Migration } from '../src/platform/db/migrate.ts';
import { VERSION } from '../src/version.ts';
import { type Problem, reportProblems } from './report-problems.ts';

const FOLDER = path.resolve(import.meta.dirname, '../migrations');
const FILE = 'checksums.txt';

const RELEASES = 'releases.txt';

export function checkMigrations(folder: string, treeVersion: string): Problem[] {
  return [...checkMerged(folder), ...checkReleased(folder, treeVersion)];
}

/** One line per release: version, number of its migrations, and a checksum of all of them. */
export function formatRelease(version: string, migrations: readonly Pick<Migration, 'checksum'>[]): string {
  return `${version} ${migrations.length} ${digestOf(migrations)}\n`;
}

/** Does not depend on checksums.txt, which can be generated again. */
function checkReleased(folder: string, treeVersion: string): Problem[] {
  const file = path.join(folder, RELEASES);
  if (!existsSync(file)) return [];
  const migrations = loadMigrations(folder);
  const lines = readFileSync(file, 'utf8').trim().split('\n').filter(Boolean);
  return lines.flatMap((line, index) => {
    const [version = '', count = '', digest = ''] = line.split(' ');
    const problem = { file: `server/migrations/${RELEASES}`, line: index + 1, rule: 'released' };
    const released = migrations.slice(0, Number(count));
    if (released.length !== Number(count) || digestOf(released) !== digest) {
      const message = `a migration of release ${version} was changed: restore it and put the change into a new migration`;
      return { ...problem, message };
    }
    if (version !== treeVersion || migrations.length === released.length) return [];
    const message = `release ${version} has ${count} migrations and this tree has ${migrations.length}: set the next version (CONTRIBUTING.md, "Make a release")`;
    return { ...problem, message };
  });
}

function digestOf(migrations: readonly Pick<Migration, 'checksum'>[]): string {
  return createHash('sha256')
    .update(migrations.map(({ checksum }) => checksum).join('\n'))
    .digest('hex');
}

function checkMerged(folder: string): Problem[] {
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

if (import.meta.main) reportProblems(checkMigrations(FOLDER, VERSION));
