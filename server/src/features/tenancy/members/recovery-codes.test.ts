import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hashRecoveryCode, mintRecoveryCodes } from './recovery-codes.ts';

describe('recovery codes', () => {
  it('are ten different codes', () => {
    const codes = mintRecoveryCodes();
    assert.equal(new Set(codes).size, 10);
    for (const code of codes) assert.match(code, /^[a-z2-9]{5}-[a-z2-9]{5}$/);
  });

  it('have one hash, however they are typed', () => {
    const [code = '', other = ''] = mintRecoveryCodes();
    assert.deepEqual(hashRecoveryCode(` ${code.toUpperCase().replace('-', ' ')}`), hashRecoveryCode(code));
    assert.notDeepEqual(hashRecoveryCode(other), hashRecoveryCode(code));
  });
});
