import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mergeNewer } from './merge-newer.ts';

const row = (id: string, state = 'old') => ({ id, state });

describe('rows of a list that follows time', () => {
  it('stay where they are, and newer ones are counted', () => {
    const { rows, newer } = mergeNewer([row('2'), row('1')], [row('4'), row('3'), row('2', 'new')]);
    assert.deepEqual(rows, [row('2', 'new'), row('1')]);
    assert.equal(newer, 2);
  });

  it('appear at once if there were none', () => {
    assert.deepEqual(mergeNewer([], [row('1')]), { rows: [row('1')], newer: 0 });
  });

  it('are all newer if more arrived than a page holds', () => {
    assert.equal(mergeNewer([row('1')], [row('9'), row('8')]).newer, 2);
  });

  it('are not newer if they were shown since', () => {
    assert.equal(mergeNewer([row('3'), row('2')], [row('2')]).newer, 0);
  });
});
