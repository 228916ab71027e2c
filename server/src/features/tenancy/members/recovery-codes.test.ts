import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hashRecoveryCode, mintRecoveryCodes, useRecoveryCode } from './recovery-codes.ts';

describe('recovery codes', () => {
  it('are ten different codes', () => {
    const codes = mintRecoveryCodes();
    assert.equal(new Set(codes).size, 10);
    for (const code of codes) assert.match(code, /^[a-z2-9]{5}-[a-z2-9]{5}$/);
  });

  it('are good once, however they are typed', () => {
    const codes = mintRecoveryCodes();
    const hashes = codes.map(hashRecoveryCode);
    const typed = ` ${(codes[3] ?? '').toUpperCase().replace('-', ' ')}`;
    const left = useRecoveryCode(hashes, typed) ?? assert.fail('accepted');
    assert.equal(left.length, 9);
    assert.equal(useRecoveryCode(left, typed), null);
    assert.equal(useRecoveryCode(left, 'aaaaa-aaaaa'), null);
  });
});
