// The start page and the favicon.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { callRaw } from '../support/raw-http.ts';
import { startTestService } from '../support/test-service.ts';

const service = await startTestService();
after(() => service.stop());

const call = (path: string, headers: Record<string, string> = { accept: 'text/html' }) =>
  callRaw(`${service.url}${path}`, { method: 'GET', headers, body: '' });

describe('the start page', () => {
  it('leads a browser to the dashboard and the docs', async () => {
    const { status, text, headers } = await call('/');
    assert.equal(status, 200);
    assert.equal(headers.vary, 'Accept');
    assert.match(String(headers['content-security-policy']), /default-src 'none'/);
    const links = [...text.matchAll(/<a href="([^"]+)"/g)].map(([, url]) => url);
    assert.deepEqual(links, ['dashboard', 'docs']);
    assert.equal((await call('/docs')).status, 200);
  });

  it('is in the language of the visitor', async () => {
    const { text } = await call('/', { accept: 'text/html', 'accept-language': 'pt-BR,en;q=0.5' });
    assert.match(text, /<html lang="pt">.*Documentação/s);
    assert.match((await call('/?lang=ja')).text, /<html lang="ja">.*ダッシュボード/s);
  });

  it('redirects a program to the docs', async () => {
    const { status, headers } = await call('/', { accept: '*/*' });
    assert.equal(status, 302);
    assert.equal((await fetch(new URL(String(headers.location), `${service.url}/`))).status, 200);
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
  assert.match((await call('/docs')).text, /<link rel="icon" href=".\/favicon.svg"/);
});
