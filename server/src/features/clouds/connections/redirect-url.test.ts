import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addOutcome, checkRedirectUrl } from './redirect-url.ts';

describe('checkRedirectUrl', () => {
  it('accepts https and the schemes that the account registered', () => {
    assert.deepEqual(checkRedirectUrl('https://app.example/done?x=1', []), { url: 'https://app.example/done?x=1' });
    assert.deepEqual(checkRedirectUrl('myapp://done', ['myapp']), { url: 'myapp://done' });
    assert.deepEqual(checkRedirectUrl('com.example.app:/done', ['com.example.app']), { url: 'com.example.app:/done' });
  });

  const refused = [
    'http://app.example/done',
    'otherapp://done',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    '//app.example/done',
    '/done',
    'app.example',
    '',
    'https://',
    'https://user@app.example/',
    'https://user:secret@app.example/',
    'https://:@app.example/',
    'https://app.example/#x',
    'https://app.example\\@evil.example/',
    'https:\\\\evil.example',
    'java\nscript:alert(1)',
    ' https://app.example/',
    'https://app.example/\u0000',
    `https://app.example/${'x'.repeat(2_048)}`,
    `https://app.example/${'ü'.repeat(1_000)}`,
  ];
  for (const text of refused)
    it(`rejects ${JSON.stringify(text.slice(0, 50))}`, () => {
      assert.ok('problem' in checkRedirectUrl(text, ['myapp']));
    });
});

describe('addOutcome', () => {
  const outcome = { deviceId: 'D', status: 'active' } as const;

  it('appends to the query and leaves the rest of it unchanged', () => {
    assert.equal(addOutcome('https://a.example/', outcome), 'https://a.example/?device_id=D&status=active');
    assert.equal(
      addOutcome('https://a.example/x?q=a%20b&flag', outcome),
      'https://a.example/x?q=a%20b&flag&device_id=D&status=active',
    );
    assert.equal(addOutcome('myapp://done', outcome), 'myapp://done?device_id=D&status=active');
  });

  it('replaces an outcome that the URL already has', () => {
    assert.equal(
      addOutcome('https://a.example/?status=active&x=1&device_id=other', { deviceId: 'D', status: 'failed' }),
      'https://a.example/?x=1&device_id=D&status=failed',
    );
  });
});
