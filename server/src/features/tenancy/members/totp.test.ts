import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { computeCode, describeTotp, findStep } from './totp.ts';

const secret = Buffer.from('12345678901234567890');
const stepAt = (seconds: number) => Math.floor(seconds / 30);

describe('computeCode', () => {
  it('returns the values of RFC 6238, appendix B', () => {
    const vectors: [number, string][] = [
      [59, '94287082'],
      [1111111109, '07081804'],
      [1111111111, '14050471'],
      [1234567890, '89005924'],
      [2000000000, '69279037'],
      [20000000000, '65353130'],
    ];
    for (const [seconds, code] of vectors) assert.equal(computeCode(secret, stepAt(seconds), 8), code);
  });

  it('returns the six digits of RFC 4226, appendix D', () => {
    const codes = ['755224', '287082', '359152', '969429', '338314', '254676', '287922', '162583', '399871', '520489'];
    codes.forEach((code, step) => {
      assert.equal(computeCode(secret, step), code);
    });
  });
});

describe('findStep', () => {
  const now = new Date('2026-03-01T12:00:00Z');
  const step = stepAt(now.getTime() / 1000);

  it('accepts the codes of this step, the one before and the one after', () => {
    for (const tolerated of [step - 1, step, step + 1])
      assert.equal(findStep(secret, computeCode(secret, tolerated), now, 0), tolerated);
    for (const far of [step - 2, step + 2]) assert.equal(findStep(secret, computeCode(secret, far), now, 0), null);
  });

  it('accepts each step once, and no earlier step after it', () => {
    assert.equal(findStep(secret, computeCode(secret, step), now, step), null);
    assert.equal(findStep(secret, computeCode(secret, step - 1), now, step), null);
    assert.equal(findStep(secret, computeCode(secret, step + 1), now, step), step + 1);
  });

  it('rejects other texts', () => {
    for (const text of ['', '000', '1234567', 'abcdef']) assert.equal(findStep(secret, text, now, 0), null);
  });
});

describe('describeTotp', () => {
  it('writes the secret in base 32 and a URI for authenticator apps', () => {
    assert.deepEqual(describeTotp(secret, 'ada@example.org'), {
      secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
      uri: 'otpauth://totp/Tributary%3Aada%40example.org?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Tributary',
    });
    assert.equal(describeTotp(Buffer.from('foob'), 'a').secret, 'MZXW6YQ');
  });
});
