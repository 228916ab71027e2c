import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readSessionCookie, requireOwnPage, writeSessionCookie } from './session-cookie.ts';

const OWN = 'https://health.example';

describe('readSessionCookie', () => {
  const read = (cookie?: string) => readSessionCookie({ headers: cookie === undefined ? {} : { cookie } });

  it('finds the session among other cookies', () => {
    assert.equal(read('theme=dark; tributary=abc'), 'abc');
    assert.equal(read('tributary=old; __Host-tributary=new'), 'new');
    assert.equal(read('tributary=a=b'), 'a=b');
  });

  it('refuses a request without one', () => {
    for (const cookie of [undefined, '', 'tributary=', 'xtributary=abc', ';;='])
      assert.throws(() => read(cookie), { code: 'missing_token' }, String(cookie));
  });
});

describe('writeSessionCookie', () => {
  it('binds the cookie to the host where HTTPS allows it', () => {
    assert.equal(
      writeSessionCookie(OWN, 'abc', 60),
      '__Host-tributary=abc; Path=/; Max-Age=60; HttpOnly; SameSite=Strict; Secure',
    );
    assert.equal(
      writeSessionCookie('http://127.0.0.1:1', null, 60),
      'tributary=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict',
    );
  });
});

describe('requireOwnPage', () => {
  const marked = { 'x-tributary': 'dashboard', host: 'localhost:8080' };
  const check = (method: string, headers: Record<string, string>) => () => requireOwnPage({ method, headers }, OWN);

  it('accepts reads, and changes by pages of this service', () => {
    check('GET', {})();
    check('POST', { ...marked, origin: OWN })();
    check('DELETE', { ...marked, origin: 'http://localhost:8080' })();
  });

  it('refuses changes by other pages', () => {
    const cases = [
      {},
      { origin: OWN, host: 'localhost:8080' },
      marked,
      { ...marked, origin: 'null' },
      { ...marked, origin: 'https://evil.example' },
      { ...marked, origin: 'http://localhost:8081' },
      { ...marked, 'x-tributary': 'yes', origin: OWN },
    ];
    for (const headers of cases)
      assert.throws(check('POST', headers), { code: 'foreign_page' }, JSON.stringify(headers));
  });
});
