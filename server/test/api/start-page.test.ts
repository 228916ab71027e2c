// The start page, the guides and the favicon.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { callRaw } from '../support/raw-http.ts';
import { startTestService } from '../support/test-service.ts';

const service = await startTestService();
after(() => service.stop());

const call = (path: string, headers: Record<string, string> = { accept: 'text/html' }) =>
  callRaw(`${service.url}${path}`, { method: 'GET', headers, body: '' });

describe('the start page', () => {
  it('leads a browser to dashboard, API reference and guides', async () => {
    const { status, text, headers } = await call('/');
    assert.equal(status, 200);
    assert.equal(headers.vary, 'Accept');
    assert.match(String(headers['content-security-policy']), /default-src 'none'/);
    const links = [...text.matchAll(/<a href="([^"]+)"/g)].map(([, url]) => url);
    assert.deepEqual(links, ['dashboard', 'docs', 'guides']);
    for (const link of ['docs', 'guides']) assert.equal((await call(`/${link}`)).status, 200);
  });

  it('is in the language of the visitor', async () => {
    const { text } = await call('/', { accept: 'text/html', 'accept-language': 'pt-BR,en;q=0.5' });
    assert.match(text, /<html lang="pt">.*Referência da API/s);
    assert.match((await call('/?lang=ja')).text, /<html lang="ja">.*ダッシュボード/s);
  });

  it('redirects a program to the API reference', async () => {
    const { status, headers } = await call('/', { accept: '*/*' });
    assert.equal(status, 302);
    assert.equal((await fetch(new URL(String(headers.location), `${service.url}/`))).status, 200);
  });
});

describe('the guides', () => {
  it('lists every guide, each with a page whose links work', async () => {
    const { text } = await call('/guides');
    const names = [...text.matchAll(/<a href="guides\/([\w-]+)"/g)].map(([, name]) => name ?? '');
    assert.ok(names.includes('connections') && names.length > 15);
    const pages = new Map<string, string>();
    for (const name of names) pages.set(name, (await call(`/guides/${name}`)).text);
    for (const [name, page] of pages) {
      assert.match(page, /<h1 id="/);
      for (const [, link = ''] of page.matchAll(/<a href="([a-z#][^":]*)"/g)) {
        const [target = '', part] = link.split('#');
        const found = pages.get(target || name) ?? assert.fail(`${name}: ${link}`);
        assert.ok(part === undefined || found.includes(`id="${part}"`), `${name}: ${link}`);
      }
    }
  });

  it('answers 404 for any other name', async () => {
    for (const name of ['nonsense', '..%2FREADME', 'openapi.json'])
      assert.equal((await call(`/guides/${name}`)).status, 404);
  });
});

it('serves the favicon as SVG and as ICO', async () => {
  for (const [path, type] of [
    ['/favicon.svg', 'image/svg+xml'],
    ['/favicon.ico', 'image/x-icon'],
  ] as const) {
    const { status, headers } = await call(path);
    assert.equal(status, 200);
    assert.equal(headers['content-type'], type);
  }
  assert.match((await call('/docs')).text, /<link rel="icon" href="favicon.svg"/);
});
