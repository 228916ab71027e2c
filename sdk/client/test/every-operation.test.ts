// A new operation of the API gets a method, or a reason why it has none.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { OPERATIONS } from '../src/operations.gen.ts';

it('every operation of the API is called by a resource', () => {
  const folder = join(import.meta.dirname, '../src/resources');
  const texts = globSync('*.ts', { cwd: folder }).map((file) => readFileSync(join(folder, file), 'utf8'));
  const missing = Object.keys(OPERATIONS).filter((operation) => !texts.some((text) => text.includes(`'${operation}'`)));
  assert.deepEqual(missing, [], 'add a method to src/resources');
});
