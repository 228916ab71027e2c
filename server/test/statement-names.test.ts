// PostgreSQL refuses a prepared statement whose name another text already has on the same connection.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';

const SOURCE = path.resolve(import.meta.dirname, '../src');
const STATEMENT = /\bstatement\(\s*'([^']+)'/g;

it('every prepared statement has a name of its own', () => {
  const names = globSync('**/*.ts', { cwd: SOURCE }).flatMap((file) =>
    [...readFileSync(path.join(SOURCE, file), 'utf8').matchAll(STATEMENT)].map(([, name]) => name),
  );
  assert.ok(names.length > 20);
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  );
});
