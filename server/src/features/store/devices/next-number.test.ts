import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DeviceNumber } from '../../../domain/tenancy.ts';
import { nextNumber } from './open-source.ts';

describe('the number of a new device', () => {
  const next = (...taken: number[]) => nextNumber(taken as DeviceNumber[]);

  it('is one more than the highest, starting at 1', () => {
    assert.equal(next(), 1);
    assert.equal(next(0, 0), 1, 'pending devices have no number yet');
    assert.equal(next(3, 7), 8);
    assert.equal(next(32_766), 32_767);
  });

  it('is the lowest free number once the highest is used', () => {
    assert.equal(next(32_767), 1);
    assert.equal(next(1, 2, 4, 32_767), 3);
    assert.equal(next(...Array.from({ length: 400 }, (_, index) => index + 1), 32_767), 401);
  });
});
