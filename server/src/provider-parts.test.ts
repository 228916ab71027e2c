import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findParts } from './provider-parts.ts';

const providers = [
  { id: 'oura', unconfirmed: [{ part: 'naps', reason: 'Invented.' }] },
  { id: 'polar', unconfirmed: [{ part: 'hrv', reason: 'Invented.' }] },
  { id: 'whoop' },
] as const;

describe('findParts', () => {
  it('returns the enabled parts by provider', () => {
    assert.deepEqual(findParts(new Set(['polar.hrv']), providers), new Map([['polar', new Set(['hrv'])]]));
    assert.deepEqual(findParts(new Set(), providers), new Map());
  });

  it('rejects a name that no connector has, and lists the known ones', () => {
    for (const name of ['oura.hrv', 'naps', 'oura', 'whoop.naps'])
      assert.throws(() => findParts(new Set(['oura.naps', name]), providers), {
        message: new RegExp(`"${name}".*Known parts: oura\\.naps, polar\\.hrv\\.`),
      });
  });
});
