import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createGrowthMeter } from './growth-meter.ts';

describe('a growth meter', () => {
  it('speaks once a step of a key, and counts keys apart', () => {
    const meter = createGrowthMeter(10);
    const said = [4, 4, 4, 4, 4].map((amount) => meter.add('one', amount));
    assert.deepEqual(said, [false, false, true, false, false]);
    assert.equal(meter.add('other', 9), false);
    assert.equal(meter.add('other', 100), true);
    assert.equal(meter.add('one', 2), true);
  });

  it('stays bounded', () => {
    const meter = createGrowthMeter(2);
    for (let key = 0; key < 50_001; key += 1) assert.equal(meter.add(`key ${key}`, 1), false);
    assert.equal(meter.add('key 0', 1), false, 'its count began anew');
    assert.equal(meter.add('key 50000', 1), true);
  });
});
