import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertEvery } from './assert-every.ts';

describe('assertEvery', () => {
  it('accepts a list of which each item holds', () => {
    assertEvery([1, 2], (value, index) => value === index + 1);
  });

  it('refuses an empty list', () => {
    assert.throws(() => assertEvery([], () => true), /there is none/);
  });

  it('says which item does not hold', () => {
    assert.throws(
      () => assertEvery([{ a: 1 }, { a: 2 }], ({ a }) => a === 1, 'all'),
      /^AssertionError.*all: not so for number 2 of 2: \{"a":2\}/,
    );
  });
});
