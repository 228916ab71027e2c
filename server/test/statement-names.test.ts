// PostgreSQL refuses a prepared statement whose name another text already has on the same connection.
import assert from 'node:assert/strict';
import path from 'node:path';
import { it } from 'node:test';
import { listStatementNames } from '../tools/statement-names.ts';

it('every prepared statement has a name of its own', () => {
  const names = listStatementNames(path.resolve(import.meta.dirname, '../src'));
  assert.ok(names.length > 20);
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  );
});
