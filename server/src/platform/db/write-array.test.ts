import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { writeArray } from './write-array.ts';

const ID = '019a8c5e-0b7a-7c3e-9d55-3f6a2b1c4d5e';

describe('an array parameter', () => {
  it('is written if its elements need no escapes', () => {
    assert.equal(writeArray([]), '{}');
    assert.equal(writeArray([1, -2.5, 0]), '{1,-2.5,0}');
    assert.equal(writeArray([ID]), `{${ID}}`);
    assert.equal(writeArray([ID, ID]), `{${ID},${ID}}`);
  });

  it('is left to the driver otherwise', () => {
    const others = [
      [null],
      [1, null],
      [1, 'a'],
      [Number.NaN],
      ['a,b'],
      ['null'],
      [`${ID},${ID}`],
      [`${ID},${ID}`, ''],
      [[1], [2]],
      [ID, null],
    ];
    for (const value of [...others, 'text', 5, null, Buffer.of(1)]) assert.equal(writeArray(value), value);
  });
});
