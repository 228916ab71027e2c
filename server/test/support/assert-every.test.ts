import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertEvery } from './assert-every.ts';

describe('assertEvery', () => {
  it('accepts a list whose items all satisfy the condition', () => {
    assertEvery([1, 2], (value, index) => value === index + 1);
  });

  it('fails on an empty list', () => {
    assert.throws(() => assertEvery([], () => true), /the list is empty/);
  });

  it('names the item that fails', () => {
    assert.throws(
      () => assertEvery([{ a: 1 }, { a: 2 }], ({ a }) => a === 1, 'all'),
      /^AssertionError.*all: fails for item 2 of 2: \{"a":2\}/,
    );
  });
});
