import assert from 'node:assert/strict';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { it } from 'node:test';
import { listStatementNames } from '../../tools/statement-names.ts';
import { reportStatements } from './executed-statements.ts';

it('counts the prepared statements that a process executed, and names the others', async () => {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'tributary-statements-'));
  const [first = '', second = '', third = '', ...others] = listStatementNames(
    path.resolve(import.meta.dirname, '../../src'),
  );
  await writeFile(path.join(folder.path, 'executed-statements-1'), [first, 'unknown'].join('\n'));
  await writeFile(path.join(folder.path, 'executed-statements-2'), others.join('\n'));
  const all = others.length + 3;
  assert.equal(
    reportStatements(folder.path),
    `\nexecuted ${all - 2} of ${all} prepared statements; not: ${[second, third].sort().join(', ')}\n`,
  );
});
