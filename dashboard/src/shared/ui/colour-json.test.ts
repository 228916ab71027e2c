import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { colourJson } from './colour-json.ts';

describe('colourJson', () => {
  it('names keys, strings, numbers and words, and keeps every character', () => {
    const json = JSON.stringify({ a: 'x: 1', n: -1.5e3, ok: true, none: null, list: [1, 'two'] }, null, 2);
    const pieces = colourJson(json);

    assert.equal(pieces.map(({ text }) => text).join(''), json);
    const named = pieces.filter(({ kind }) => kind !== 'plain').map(({ kind, text }) => `${kind} ${text}`);
    assert.deepEqual(named, [
      'key "a"',
      'string "x: 1"',
      'key "n"',
      'number -1500',
      'key "ok"',
      'word true',
      'key "none"',
      'word null',
      'key "list"',
      'number 1',
      'string "two"',
    ]);
  });

  it('does not mistake an escaped quote for the end of a text', () => {
    assert.deepEqual(colourJson('"a\\"b"'), [{ kind: 'string', text: '"a\\"b"' }]);
  });
});
