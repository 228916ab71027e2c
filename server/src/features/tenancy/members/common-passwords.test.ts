import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isCommonPassword } from './common-passwords.ts';

describe('isCommonPassword', () => {
  it('finds common passwords of 12 and more characters, and variants of them', () => {
    const common = [
      '123456789012',
      '1234567890123456',
      'qwertyuiop123',
      'qwertyuiopasdf',
      '1q2w3e4r5t6y',
      '1qaz2wsx3edc4rfv',
      'aaaaaaaaaaaa',
      'abcabcabcabc',
      '121212121212',
      'passwordpassword',
      'password1234',
      'Password2026!',
      'P@ssw0rd1234',
      'iloveyou1234',
      'administrator1',
      'welcome2tributary',
      'changeme12345',
      'letmeinplease',
      'summer-winter-2026',
      'football123456',
      'supersecretpassword',
      'abcdefghijklmnop',
    ];
    for (const password of common) assert.equal(isCommonPassword(password), true, password);
  });

  it('accepts other passwords', () => {
    const good = [
      'correct horse battery staple',
      'a long enough passphrase',
      'vxK3!mQp9#Lz',
      '839274610293',
      'purple otters sign leases',
      'my secret password for one open company server',
    ];
    for (const password of good) assert.equal(isCommonPassword(password), false, password);
  });

  it('finds the name and the address of the member', () => {
    assert.equal(isCommonPassword('lovelace-ada-1815'), false);
    assert.equal(isCommonPassword('lovelace-ada-1815', ['Ada Lovelace']), true);
    assert.equal(isCommonPassword('Analytical2026', ['ada@analytical.example']), true);
  });
});
