import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listRanges } from '../address-ranges.ts';
import {
  checkTarget,
  checkUrl,
  isAllowedAddress,
  isLocalTarget,
  MAX_URL_CHARACTERS,
  PUBLIC_ONLY,
} from './check-url.ts';

const STRICT = PUBLIC_ONLY;
const DEVELOPMENT = { ...STRICT, allowLoopback: true };
const NETWORKS = { ...STRICT, networks: listRanges(['10.0.0.0/8', 'fd00::/8']) };

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

  it('allows http and this machine in development, but no other private host', () => {
    const allowed = [
      ...[
        'http://localhost:3000/',
        'http://app.localhost:3000/',
        'https://localhost/',
        'http://127.1/',
        'http://127.9.9.9/',
      ],
      ...['http://[::1]:9/', 'http://[::ffff:127.0.0.1]/', 'http://hooks.example.com/', 'http://8.8.8.8/'],
    ];
    for (const text of allowed) assert.equal(checkUrl(text, DEVELOPMENT).ok, true, text);
    const literals = [
      ...['http://10.0.0.1/', 'https://192.168.1.1/', 'http://172.16.0.1/', 'http://100.64.0.1/', 'http://[fd00::1]/'],
      ...[
        'http://169.254.169.254/',
        'https://0xa9fea9fe/',
        'http://[fd00:ec2::254]/',
        'http://0/',
        'http://[fe80::1]/',
      ],
    ];
    for (const text of literals) assert.match(reasonOf(text, DEVELOPMENT), /private or reserved address/, text);
    for (const text of ['https://sink/', 'http://a.local/', 'http://db.internal/', 'http://localhost.localdomain/'])
      assert.match(reasonOf(text, DEVELOPMENT), /public host name/, text);
    assert.match(reasonOf('http://u@localhost/', DEVELOPMENT), /user name/);
    assert.match(reasonOf('ftp://localhost/', DEVELOPMENT), /must use https or http\./);
  });

  it('allows addresses of the networks over http, and every name, whose addresses are checked when connecting', () => {
    const allowed = [
      ...[
        'http://10.0.0.1/',
        'https://10.1/',
        'http://[fd12::1]:8080/',
        'http://[::ffff:10.0.0.1]/',
        'https://8.8.8.8/',
      ],
      ...['http://receiver/', 'http://receiver.internal/', 'https://receiver.local/', 'http://hooks.example.com/'],
    ];
    for (const text of allowed) assert.equal(checkUrl(text, NETWORKS).ok, true, text);
    for (const text of ['https://192.168.1.1/', 'https://127.0.0.1/', 'https://[fc00::1]/', 'https://[fd00:ec2::254]/'])
      assert.match(reasonOf(text, NETWORKS), /private or reserved address/, text);
    for (const text of ['http://8.8.8.8/', 'http://192.168.1.1/', 'http://127.0.0.1/'])
      assert.match(reasonOf(text, NETWORKS), /must use https\./, text);
    for (const text of ['https://localhost/', 'https://app.localhost/'])
      assert.match(reasonOf(text, NETWORKS), /public host name/, text);
    const loopback = { ...STRICT, networks: listRanges(['127.0.0.0/8']) };
    for (const text of ['http://localhost/', 'http://127.0.0.1/'])
      assert.equal(checkUrl(text, loopback).ok, true, text);
  });

  it('allows an exception only by its exact origin', () => {
    const rules = { ...STRICT, exceptions: new Set(['http://127.0.0.1:8080']) };
    assert.deepEqual(checkUrl('http://127.1:8080/sim', rules), { ok: true, url: 'http://127.0.0.1:8080/sim' });
    const others = ['http://127.0.0.1:8081/', 'https://127.0.0.1:8080/', 'http://127.0.0.2:8080/', 'http://127.0.0.1/'];
    for (const text of [...others, 'http://localhost:8080/', 'http://u@127.0.0.1:8080/'])
      assert.equal(checkUrl(text, rules).ok, false, text);
  });
});

describe('isAllowedAddress', () => {
  const allows = (url: string, address: string, rules = STRICT) => isAllowedAddress(address, new URL(url), rules);
  const PRIVATE = ['10.0.0.1', '192.168.1.1', '172.16.0.1', '100.64.0.1', 'fd00::1', '::ffff:10.0.0.1'];
  const NEVER = [
    '169.254.169.254',
    '168.63.129.16',
    'fd00:ec2::254',
    'fe80::1',
    '224.0.0.1',
    '0.0.0.0',
    '255.255.255.255',
  ];

  it('allows only public addresses over https by default', () => {
    assert.equal(allows('https://hooks.example.com/', '8.8.8.8'), true);
    assert.equal(allows('http://hooks.example.com/', '8.8.8.8'), false);
    for (const address of [...PRIVATE, ...NEVER, '127.0.0.1', '::1'])
      assert.equal(allows('https://hooks.example.com/', address), false, address);
  });

  it('allows loopback in development, and no other private address', () => {
    for (const address of ['127.0.0.1', '127.255.255.255', '::1', '::ffff:127.0.0.1'])
      for (const url of ['http://localhost/', 'https://a.localhost/', 'http://hooks.example.com/', 'http://127.0.0.1/'])
        assert.equal(allows(url, address, DEVELOPMENT), true, `${url} ${address}`);
    for (const address of [...PRIVATE, ...NEVER, '64:ff9b::127.0.0.1'])
      for (const url of ['http://localhost/', 'https://hooks.example.com/'])
        assert.equal(allows(url, address, DEVELOPMENT), false, `${url} ${address}`);
    assert.equal(allows('http://hooks.example.com/', '8.8.8.8', DEVELOPMENT), true);
    assert.equal(allows('http://localhost/', '8.8.8.8', DEVELOPMENT), false, 'localhost must be this machine');
    assert.equal(allows('http://receiver.internal/', '127.0.0.1', DEVELOPMENT), false);
  });

  it('allows the networks under every name and over http, and nothing else under an internal name', () => {
    const names = [
      'http://receiver/',
      'http://a.internal/',
      'https://a.local/',
      'http://hooks.example.com/',
      'http://localhost/',
    ];
    for (const url of names)
      for (const address of ['10.0.0.1', 'fd12::1', '::ffff:10.0.0.1'])
        assert.equal(allows(url, address, NETWORKS), true, `${url} ${address}`);
    for (const url of names)
      for (const address of ['192.168.1.1', '127.0.0.1', ...NEVER])
        assert.equal(allows(url, address, NETWORKS), false, `${url} ${address}`);
    assert.equal(allows('https://hooks.example.com/', '8.8.8.8', NETWORKS), true);
    for (const url of ['http://hooks.example.com/', 'https://receiver/', 'https://a.internal/'])
      assert.equal(allows(url, '8.8.8.8', NETWORKS), false, url);
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
