// A browser without scripts for hosted pages that also checks the rules for every page.
import assert from 'node:assert/strict';

type Page = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly title: string;
  /** The absolute URL of the redirect; null if there is none. */
  readonly location: string | null;
};

export async function openPage(url: string): Promise<Page> {
  return readPage(url, await fetch(url, { redirect: 'manual' }));
}

export async function submitForm(url: string, fields: Record<string, string>): Promise<Page> {
  const body = new URLSearchParams(fields);
  return readPage(url, await fetch(url, { method: 'POST', body, redirect: 'manual' }));
}

async function readPage(url: string, response: Response): Promise<Page> {
  const { status, headers } = response;
  const text = await response.text();
  assert.equal(headers.get('set-cookie'), null, 'a page sets no cookie');
  assert.equal(headers.get('cache-control'), 'no-store');
  const relative = headers.get('location');
  const location = relative === null ? null : new URL(relative, url).href;
  if (headers.get('content-type')?.startsWith('text/html')) checkHtml(text, headers);
  return { status, headers, text, location, title: /<title>(.*)<\/title>/s.exec(text)?.[1] ?? '' };
}

function checkHtml(text: string, headers: Headers): void {
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*frame-ancestors 'none'/);
  assert.equal(headers.get('referrer-policy'), 'no-referrer');
  assert.doesNotMatch(text, /<script|<link(?! rel="icon" href="data:)|<iframe| on\w+="/i, 'no scripts, nothing loaded');
  for (const [, source = ''] of text.matchAll(/<img[^>]* src="([^"]*)"/g))
    assert.match(source, /^\/(logos|providers)\//, 'images of this service only');
  assert.match(text, /<html lang="en">/);
  assert.equal(text.match(/<h1>/g)?.length, 1, 'one heading');
}
