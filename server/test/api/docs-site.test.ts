// The docs site: guides, reference, search, Markdown.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { callRaw } from '../support/raw-http.ts';
import { startTestService } from '../support/test-service.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

const service = await startTestService();
after(() => service.stop());

const call = (address: string) =>
  callRaw(`${service.url}${address}`, { method: 'GET', headers: { accept: 'text/html' }, body: '' });

describe('the docs site', () => {
  const pages = new Map<string, string>();
  before(async () => {
    const { text } = await call('/docs');
    pages.set('/docs', text);
    const links = [...text.matchAll(/<a href="\.\/(docs[^"#]*)"/g)].map(([, link = '']) => `/${link}`);
    for (const link of new Set(links)) pages.set(link, (await call(link)).text);
  });

  it('has a page for every file of the folder docs', async () => {
    const files = (await readdir(path.join(ROOT, 'docs'))).filter((name) => /^[a-z].*\.md$/.test(name));
    assert.ok(files.length > 25);
    assert.deepEqual(
      files.filter((name) => !pages.has(`/docs/${name.slice(0, -3)}`)),
      [],
    );
  });

  it('has a page for every tag, with every operation', () => {
    const { paths } = service.running.services.openapi() as {
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    const ids = Object.values(paths).flatMap((operations) => Object.values(operations).map((it) => it.operationId));
    const reference = [...pages].filter(([link]) => link.startsWith('/docs/reference/')).map(([, page]) => page);
    assert.ok(ids.length > 40);
    for (const id of ids) assert.equal(reference.filter((page) => page.includes(`<h2 id="${id}">`)).length, 1, id);
  });

  it('shows both forms of a response side by side', () => {
    const page = pages.get('/docs/reference/data-reads') ?? '';
    const sleep = page.slice(page.indexOf('id="listSleep"'));
    assert.match(sleep, /<h4>Form 1<\/h4>.*<h4>Form 2<\/h4>/s);
    assert.match(sleep, /curl &#34;\$TRIBUTARY_URL\/v1\/users\/\$USER_ID\/sleep&#34;/);
  });

  it('has no broken link and no anchor twice', () => {
    for (const [link, page] of pages) {
      const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      assert.deepEqual(
        ids.filter((id, index) => ids.indexOf(id) !== index),
        [],
        link,
      );
      for (const [, target = ''] of page.matchAll(/ href="([^":]*)"/g)) {
        const url = new URL(target, `${service.url}${link}`);
        if (!url.pathname.startsWith('/docs')) continue;
        const found = url.pathname.match(/\.(css|js|md)$/)
          ? ''
          : (pages.get(url.pathname) ?? assert.fail(`${link}: ${target}`));
        assert.ok(
          url.hash === '' || found.includes(` id="${decodeURIComponent(url.hash.slice(1))}"`),
          `${link}: ${target}`,
        );
      }
    }
  });

  it('finds parts of guides and operations by search', async () => {
    const entries: { title: string; url: string; text: string }[] = JSON.parse((await call('/docs/search.json')).text);
    assert.ok(entries.some(({ url }) => url === 'docs/limits#rate-limits'));
    assert.ok(
      entries.some(({ url, text }) => url.endsWith('#listSleep') && text.includes('/v1/users/{user_id}/sleep')),
    );
    for (const { url } of entries) {
      const [page = '', part] = url.split('#');
      assert.ok(pages.get(`/${page}`)?.includes(` id="${part}"`), url);
    }
  });

  it('serves a guide as Markdown', async () => {
    const { text, headers } = await call('/docs/limits.md');
    assert.match(String(headers['content-type']), /^text\/markdown/);
    assert.equal(text, await readFile(path.join(ROOT, 'docs/limits.md'), 'utf8'));
  });

  it('shows limits and default of a parameter', () => {
    const page = pages.get('/docs/reference/users') ?? '';
    assert.ok(page.includes('<td>Form 1. 1 to 100, default 20</td>'), 'per_page');
    assert.ok(page.includes('<td>Form 2. 1 to 100, default 50</td>'), 'limit');
    const reads = pages.get('/docs/reference/data-reads') ?? '';
    assert.ok(reads.includes('<td>units of the values; default metric</td>'), 'unit_system');
  });

  it('answers 404 for any other name', async () => {
    for (const name of ['nonsense', '..%2FREADME', 'openapi.json', 'reference/nonsense', 'README.md'])
      assert.equal((await call(`/docs/${name}`)).status, 404, name);
  });

  it('redirects /docs/ to its first page, whose links are relative', async () => {
    const answer = await fetch(`${service.url}/docs/`, { redirect: 'manual' });
    assert.deepEqual([answer.status, answer.headers.get('location')], [308, '../docs']);
  });

  it('shows a browser an unknown address in the frame of the site', async () => {
    for (const [name, root] of [
      ['nonsense', '../'],
      ['reference/nonsense', '../../'],
    ] as const) {
      const { text } = await call(`/docs/${name}`);
      assert.match(text, /<h1>Page not found<\/h1>/);
      assert.ok(text.includes(`<a href="${root}docs">`), text);
    }
  });
});

it('uses the colors of the dashboard', async () => {
  const [site = '', dashboard = ''] = await Promise.all(
    ['server/src/features/operator/docs-site/site.css', 'dashboard/src/styles/tokens.css'].map((file) =>
      readFile(path.join(ROOT, file), 'utf8'),
    ),
  );
  const colors = [...site.matchAll(/(--[\w-]+): (light-dark\([^)]*\));/g)];
  assert.ok(colors.length > 12);
  for (const [, name = '', value] of colors) assert.ok(dashboard.includes(`${name}: ${value};`), name);
});
