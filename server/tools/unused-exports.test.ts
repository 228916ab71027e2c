import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'node:test';
import { readImports } from './read-imports.ts';
import { scanSource } from './scan-source.ts';
import { findUnused } from './unused-exports.ts';

function find(tree: Record<string, string>): string[] {
  const sources = Object.entries(tree).map(([file, text]) => {
    const { tokens } = scanSource(text);
    const targetOf = (specifier: string) => path.posix.join(path.posix.dirname(file), specifier);
    const imports = readImports(tokens).map((site) => ({ ...site, target: targetOf(site.specifier ?? '') }));
    return { path: file, tokens, imports };
  });
  return findUnused(sources).map(({ file, line, message }) => `${file}:${line} ${message}`);
}

describe('unused exports', () => {
  it('are those that no other file imports, by line', () => {
    const tree = {
      'a.ts': 'export const used = 1;\nexport type Own = 1;\nexport async function* gone() {}\nconst x: Own = 1;',
      'b.ts': "import { used } from './a.ts';",
    };
    assert.deepEqual(find(tree), ['a.ts:2 Own is used in no other file', 'a.ts:3 gone is used in no other file']);
  });

  it('count no mention in a comment, a text, a list that passes names on or code without the import', () => {
    const tree = {
      'x/a.ts': 'export const one = 1;',
      'x/index.ts': "export { one } from './a.ts';",
      'b.ts': "// one\nconst text = 'one';\nconst one = 2;",
      'c.ts': "import { one } from './b.ts';",
    };
    assert.deepEqual(find(tree), [
      'x/a.ts:1 one is used in no other file',
      'x/index.ts:1 one is used in no other file',
    ]);
  });

  it('are not those that a file imports under another name, from a list that renames them or from an index', () => {
    const tree = {
      'x/a.ts': 'export const one = 1;\nexport const two = 2;\nexport type Three = 3;',
      'x/index.ts': "export { one as first, two } from './a.ts';\nexport type * from './a.ts';",
      'b.ts': "import { first as one, two as second, type Three } from './x/index.ts';",
    };
    assert.deepEqual(find(tree), []);
  });

  it('are not those that a file reads from a whole module', () => {
    const tree = {
      'a.ts': 'export const one = 1;\nexport const gone = 2;',
      'b.ts': 'export const two = 1;',
      'c.ts': 'export interface Three {}',
      'd.ts': "import * as a from './a.ts';\na.one;\n(await import('./b.ts')).two;",
      'e.ts': "declare module './c.ts' { interface Three { x: 1 } }",
    };
    assert.deepEqual(find(tree), ['a.ts:2 gone is used in no other file']);
  });

  it('of an index are those that only its own folder uses', () => {
    const tree = {
      'x/a.ts': 'export const one = 1;\nexport type Two = 2;',
      'x/b.ts': "import { one, type Two } from './a.ts';",
      'x/index.ts': "export { one, type Two } from './a.ts';",
      'c.ts': "import { one } from './x/index.ts';",
    };
    assert.deepEqual(find(tree), ['x/index.ts:1 Two is used in no other file']);
  });
});
