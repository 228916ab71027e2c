// ARCHITECTURE.md lists every feature in its layer, and none that is gone.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';

const ROOT = path.resolve(import.meta.dirname, '../..');

it('ARCHITECTURE.md lists the features of each group', () => {
  const existing = new Set(
    globSync('server/src/features/*/*/*.ts', { cwd: ROOT }).map((file) => file.split(path.sep).slice(3, 5).join('/')),
  );
  assert.ok(existing.size > 40);
  assert.deepEqual([...readListed()].sort(), [...existing].sort());
});

/** The lines of the layers: a number, the name of a group and its features, which continue on the next lines. */
function readListed(): Set<string> {
  const page = readFileSync(path.join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  const layers = page.slice(page.indexOf('└ features'), page.indexOf('└ simulator'));
  const groups = layers.matchAll(/\d+ ([a-z]+) +([a-z, \n-]+)/g);
  return new Set(
    [...groups]
      .flatMap(([, group, names]) => names?.split(',').map((name) => `${group}/${name.trim()}`))
      .filter((name) => name !== undefined),
  );
}
