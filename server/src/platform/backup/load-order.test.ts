import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sortByReferences } from './load-order.ts';

describe('the order of loading', () => {
  it('puts referenced tables first and keeps the order of the others', () => {
    const references = [
      { from: 'a', to: 'c' },
      { from: 'c', to: 'd' },
      { from: 'b', to: 'b' },
      { from: 'b', to: 'unknown' },
    ];
    assert.deepEqual(sortByReferences(['a', 'b', 'c', 'd'], references), ['d', 'c', 'a', 'b']);
  });

  it('rejects tables that refer to each other', () => {
    const references = [
      { from: 'a', to: 'b' },
      { from: 'b', to: 'a' },
    ];
    assert.throws(() => sortByReferences(['a', 'b'], references), /refer to each other: a, b, a/);
  });
});
