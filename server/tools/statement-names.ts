// The names of the prepared statements in the source.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const STATEMENT = /\bstatement\(\s*'([^']+)'/g;

/** In order of the files; a name that is used twice is listed twice. */
export function listStatementNames(source: string): string[] {
  return globSync('**/*.ts', { cwd: source, exclude: ['**/*.test.ts'] })
    .sort()
    .flatMap((file) =>
      [...readFileSync(path.join(source, file), 'utf8').matchAll(STATEMENT)].map(([, name = '']) => name),
    );
}
