import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkTarget, checkUrl, isLocalTarget, MAX_URL_CHARACTERS } from './check-url.ts';

const STRICT = { allowPrivate: false, exceptions: new Set<string>() };
const DEVELOPMENT = { ...STRICT, allowPrivate: true };

function reasonOf(text: string, rules = STRICT): string {
  const check = checkUrl(text, rules);
  return check.ok ? 'accepted' : check.reason;
}

describe('checkUrl', () => {
  it('returns a valid URL in normalized form', () => {
    const cases: Record<string, string> = {
      'https://hooks.example.com/in?x=1': 'https://hooks.example.com/in?x=1',
      'HTTPS://Hooks.Example.COM:443': 'https://hooks.example.com/',
      'https://hooks.example.com:8443/a/../b': 'https://hooks.example.com:8443/b',
      'https://hooks.example.com./': 'https://hooks.example.com/',
      'https://bücher.example/ü': 'https://xn--bcher-kva.example/%C3%BC',
      'https://8.8.8.8/': 'https://8.8.8.8/',
      'https://134744072/': 'https://8.8.8.8/',
      'https://[2606:4700:4700:0::1111]/': 'https://[2606:4700:4700::1111]/',
      'https://localhost.example.com/': 'https://localhost.example.com/',
      'https://mylocalhost.com/': 'https://mylocalhost.com/',
    };
    for (const [text, url] of Object.entries(cases)) assert.deepEqual(checkUrl(text, STRICT), { ok: true, url });
  });

  it('rejects everything but plain https URLs, with the reason', () => {
    for (const text of ['', 'hooks.example.com', '/in', 'https://', 'https://exa mple.com', 'https://h:99999/'])
      assert.equal(reasonOf(text), 'The URL is not valid.', text);
    for (const text of ['http://hooks.example.com/', 'ftp://hooks.example.com/', 'file:///etc/passwd', 'data:,x'])
      assert.match(reasonOf(text), /must use https/, text);
    for (const text of ['https://a:b@hooks.example.com/', 'https://a@hooks.example.com/', 'https://:b@127.0.0.1/'])
      assert.match(reasonOf(text), /user name or a password/, text);
    for (const text of ['https://hooks.example.com/#', 'https://hooks.example.com/#part'])
      assert.match(reasonOf(text), /fragment/, text);
    assert.match(reasonOf('https://hooks.example.com:0/'), /port 0/);
  });

  it('rejects more than 2,048 characters, before and after encoding', () => {
    const base = 'https://hooks.example.com/';
    assert.equal(checkUrl(base.padEnd(MAX_URL_CHARACTERS, 'a'), STRICT).ok, true);
    assert.match(reasonOf(base.padEnd(MAX_URL_CHARACTERS + 1, 'a')), /longer than 2,048/);
    assert.match(reasonOf(base.padEnd(MAX_URL_CHARACTERS, 'ü')), /longer than 2,048/);
    assert.equal(checkTarget(base.padEnd(MAX_URL_CHARACTERS + 1, 'a'), STRICT).ok, true);
  });

  it('allows http and private hosts in development, but never metadata addresses', () => {
    for (const text of [
      'http://localhost:3000/',
      'http://127.1/',
      'http://[::1]:9/',
      'https://sink/',
      'http://a.local/',
    ])
      assert.equal(checkUrl(text, DEVELOPMENT).ok, true, text);
    for (const text of ['http://169.254.169.254/', 'https://0xa9fea9fe/', 'http://[fd00:ec2::254]/', 'http://0/'])
      assert.match(reasonOf(text, DEVELOPMENT), /private or reserved address/, text);
    assert.match(reasonOf('http://u@localhost/', DEVELOPMENT), /user name/);
    assert.match(reasonOf('ftp://localhost/', DEVELOPMENT), /must use https or http\./);
  });

  it('allows an exception only by its exact origin', () => {
    const rules = { allowPrivate: false, exceptions: new Set(['http://127.0.0.1:8080']) };
    assert.deepEqual(checkUrl('http://127.1:8080/sim', rules), { ok: true, url: 'http://127.0.0.1:8080/sim' });
    const others = ['http://127.0.0.1:8081/', 'https://127.0.0.1:8080/', 'http://127.0.0.2:8080/', 'http://127.0.0.1/'];
    for (const text of [...others, 'http://localhost:8080/', 'http://u@127.0.0.1:8080/'])
      assert.equal(checkUrl(text, rules).ok, false, text);
  });
});

describe('isLocalTarget', () => {
  it('is true for this machine and private networks, and false for public and invalid URLs', () => {
    for (const url of ['http://localhost:3000/hook', 'https://127.0.0.1/', 'http://10.0.0.5/', 'https://box.local/'])
      assert.equal(isLocalTarget(url), true, url);
    for (const url of ['http://hooks.example.com/', 'https://hooks.example.com/', 'ftp://localhost/', 'nonsense'])
      assert.equal(isLocalTarget(url), false, url);
  });
});
