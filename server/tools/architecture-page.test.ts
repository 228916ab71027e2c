// ARCHITECTURE.md lists every feature in its layer, none that is gone, and only files that exist.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { listFiles } from './check-words.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

it('ARCHITECTURE.md lists the features of each group', () => {
  const existing = new Set(
    globSync('server/src/features/*/*/*.ts', { cwd: ROOT }).map((file) => file.split(path.sep).slice(3, 5).join('/')),
  );
  assert.ok(existing.size > 40);
  assert.deepEqual([...readListed()].sort(), [...existing].sort());
});

it('ARCHITECTURE.md names only files and folders that exist', () => {
  const paths = listNamedPaths();
  assert.ok(paths.length > 80);
  const known = new Set(listFiles(ROOT).flatMap(pathsAbove));
  const missing = paths.filter((named) => !known.has(named) && ![...known].some((file) => file.endsWith(`/${named}`)));
  assert.deepEqual(missing, []);
});

/** Code in backticks that has a slash or the extension of a file, and the files of src/ in the tree. Routes begin with a slash. */
function listNamedPaths(): string[] {
  const page = readFileSync(path.join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  const code = [...page.matchAll(/`([\w./@-]+)`|^ {6}(src\/\S+)/gm)].map(([, named, inTree]) => named ?? inTree ?? '');
  return code
    .filter((named) => !named.startsWith('/') && named !== 'NAME-store.ts' && /\/|\.(ts|sql|js)$/.test(named))
    .map((named) => named.replace(/\/$/, ''));
}

/** The file and every folder that it is in. */
function pathsAbove(file: string): string[] {
  const parts = file.split('/');
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

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
