import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readableOn } from './readable-on.ts';

describe('readableOn', () => {
  it('chooses white on dark colours and ink on light ones', () => {
    assert.equal(readableOn('#0b6a8f'), '#ffffff');
    assert.equal(readableOn('#000'), '#ffffff');
    assert.equal(readableOn('#ffd400'), '#14222e');
    assert.equal(readableOn('#fff'), '#14222e');
  });
});
