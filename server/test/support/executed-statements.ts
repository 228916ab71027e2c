// Loaded before the tests of another PostgreSQL: records which prepared statements of the source it executed.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { listStatementNames } from '../../tools/statement-names.ts';

const SOURCE = path.resolve(import.meta.dirname, '../../src');
const FILE = 'executed-statements';

/** For the process of a test. */
export function recordStatements(folder: string): void {
  const names = new Set<string>();
  const client = pg.Client.prototype as { query: (...args: unknown[]) => unknown };
  const { query } = client;
  client.query = function (this: unknown, ...args: unknown[]) {
    const [sent] = args;
    if (typeof sent === 'object' && sent !== null && 'name' in sent && typeof sent.name === 'string')
      names.add(sent.name);
    return query.apply(this, args);
  };
  process.on('exit', () => writeFileSync(path.join(folder, `${FILE}-${process.pid}`), [...names].join('\n')));
}

/** For the process that ran them. */
export function reportStatements(folder: string): string {
  const files = globSync(`${FILE}-*`, { cwd: folder }).map((file) => readFileSync(path.join(folder, file), 'utf8'));
  const executed = new Set(files.flatMap((text) => text.split('\n')));
  const names = listStatementNames(SOURCE);
  const missing = names.filter((name) => !executed.has(name));
  const rest = missing.length === 0 ? '' : `; not: ${missing.sort().join(', ')}`;
  return `\nexecuted ${names.length - missing.length} of ${names.length} prepared statements${rest}\n`;
}
