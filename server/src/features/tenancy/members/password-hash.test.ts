import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hashPassword, isOutdated, isPassword } from './password-hash.ts';

describe('hashPassword', () => {
  it('stores the parameters, and a different salt each time', async () => {
    const [one, two] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')]);
    assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    assert.notEqual(one, two);
    assert.equal(await isPassword(one, 'correct horse'), true);
    assert.equal(await isPassword(one, 'correct horse '), false);
  });

  it('accepts a password whose characters are composed differently', async () => {
    assert.equal(await isPassword(await hashPassword('caf\u00e9 au lait'), 'cafe\u0301 au lait'), true);
  });

  it('checks a hash with its own parameters', async () => {
    // From the tests of the reference implementation of argon2.
    const known = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';
    assert.equal(await isPassword(known, 'password'), true);
    assert.equal(isOutdated(known), true);
    assert.equal(isOutdated(await hashPassword('x')), false);
    assert.equal(await isPassword(known, 'another password'), false);
  });
});
