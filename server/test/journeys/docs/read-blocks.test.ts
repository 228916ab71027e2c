import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readBlocks } from './read-blocks.ts';
import { assertShows, parseSample } from './sample-json.ts';

it('finds fenced and indented blocks, also within lists', () => {
  const text = ['```sh', 'a', '```', 'text', '', '    b', '    c', '', '1. item', '', '   ```js', '   d', '   ```', ''];
  const blocks = readBlocks(text.join('\n')).map(({ language, code, line }) => [language, code, line]);
  assert.deepEqual(blocks, [
    ['sh', 'a\n', 1],
    ['', 'b\nc\n', 6],
    ['js', 'd\n', 11],
  ]);
});

it('numbers blocks with the same first line', () => {
  const names = readBlocks('```sh\na\n```\n\n```sh\na\nb\n```\n').map(({ name }) => name);
  assert.deepEqual(names, ['a', 'a (2)']);
});

it('compares a sample with a response by fields and types', () => {
  const sample = parseSample('{"dates":[…,"2026-03-09"],"rows":[{"id":"…", …}, …], …}');
  assert.deepEqual(sample, { dates: ['2026-03-09'], rows: [{ id: '…' }] });
  assertShows(sample, { dates: ['2026-03-10'], rows: [{ id: 'x', other: 1 }], more: 1 });
  assert.throws(() => assertShows(sample, { dates: ['2026-03-10'], rows: [{ name: 'x' }] }), /rows\[\]\.id/);
  assert.throws(() => assertShows(sample, { dates: [1], rows: [{ id: 'x' }] }), /dates/);
});
