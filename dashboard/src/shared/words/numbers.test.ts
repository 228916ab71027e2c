import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listWords, number, plural, signed } from './numbers.ts';

describe('numbers in words', () => {
  it('distinguish zero from none, and have a real minus', () => {
    assert.deepEqual([number(0), number(null), number(undefined), number(-1234.5, 1)], ['0', '–', '–', '−1,234.5']);
  });

  it('have a sign, but not for zero', () => {
    assert.deepEqual([signed(3.72), signed(-15), signed(0), signed(-0.01)], ['+3.7', '−15.0', '0.0', '0.0']);
  });

  it('count in words', () => {
    assert.deepEqual(
      [plural(1, 'event'), plural(0, 'event'), plural(2, 'person', 'people')],
      ['1 event', '0 events', '2 people'],
    );
  });

  it('list with "and"', () => {
    assert.deepEqual([listWords([]), listWords(['a']), listWords(['a', 'b', 'c'])], ['', 'a', 'a, b and c']);
  });
});
