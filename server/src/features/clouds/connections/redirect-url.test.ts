import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DeviceId } from '../../../domain/tenancy.ts';
import { addOutcome, checkRedirectUrl, originOf } from './redirect-url.ts';

const live = (...schemes: string[]) => ({ schemes, environment: 'live' }) as const;
const sandbox = { schemes: [], environment: 'sandbox' } as const;
const deviceId = 'D' as DeviceId;

describe('checkRedirectUrl', () => {
  it('accepts https and the schemes that the account registered', () => {
    assert.deepEqual(checkRedirectUrl('https://app.example/done?x=1', live()), { url: 'https://app.example/done?x=1' });
    assert.deepEqual(checkRedirectUrl('myapp://done', live('myapp')), { url: 'myapp://done' });
    assert.deepEqual(checkRedirectUrl('com.example.app:/done', live('com.example.app')), {
      url: 'com.example.app:/done',
    });
  });

  it('accepts http on the developer’s own machine, in the sandbox only', () => {
    for (const url of ['http://localhost:3000/done', 'http://127.0.0.1:3000/done', 'http://[::1]/done']) {
      assert.deepEqual(checkRedirectUrl(url, sandbox), { url });
      assert.ok('problem' in checkRedirectUrl(url, live()), url);
    }
    for (const url of ['http://localhost.evil.example/', 'http://127.0.0.1.evil.example/', 'http://app.example/'])
      assert.ok('problem' in checkRedirectUrl(url, sandbox), url);
    const check = checkRedirectUrl('http://app.example/', sandbox);
    assert.match('problem' in check ? check.problem : '', /http:\/\/localhost/);
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
      assert.ok('problem' in checkRedirectUrl(text, live('myapp')));
    });
});

describe('addOutcome', () => {
  const outcome = { deviceId, status: 'active' } as const;

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
      addOutcome('https://a.example/?status=active&x=1&device_id=other&failure_reason=none&reason=none', {
        deviceId,
        status: 'failed',
        reason: 'declined',
      }),
      'https://a.example/?x=1&device_id=D&status=failed&failure_reason=declined&reason=declined',
    );
  });
});

describe('originOf', () => {
  it('is the origin of a page, and null for an app', () => {
    assert.equal(originOf('https://app.example/done?x=1'), 'https://app.example');
    assert.equal(originOf('http://localhost:3000/done'), 'http://localhost:3000');
    assert.equal(originOf('myapp://done'), null);
    assert.equal(originOf(null), null);
  });
});
