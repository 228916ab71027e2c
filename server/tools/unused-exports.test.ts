import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { scanSource } from './scan-source.ts';
import { findUnused } from './unused-exports.ts';

const find = (tree: Record<string, string>) =>
  findUnused(Object.entries(tree).map(([path, text]) => ({ path, tokens: scanSource(text).tokens }))).map(
    ({ file, line, message }) => `${file}:${line} ${message}`,
  );

describe('unused exports', () => {
  it('are those that no other file mentions, by line', () => {
    const tree = {
      'a.ts': 'export const used = 1;\nexport type Own = 1;\nexport async function* gone() {}\nconst x: Own = 1;',
      'b.ts': "import { used } from './a.ts';",
    };
    assert.deepEqual(find(tree), ['a.ts:2 Own is used in no other file', 'a.ts:3 gone is used in no other file']);
  });

  it('count no mention in a comment, a text or a list that passes names on', () => {
    const tree = {
      'x/a.ts': 'export const one = 1;',
      'x/index.ts': "export { one } from './a.ts';",
      'b.ts': "// one\nconst text = 'one';",
    };
    assert.deepEqual(find(tree), [
      'x/a.ts:1 one is used in no other file',
      'x/index.ts:1 one is used in no other file',
    ]);
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
