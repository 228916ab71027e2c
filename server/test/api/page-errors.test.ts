// Errors on hosted pages: a browser gets a page, a program gets JSON, from the same URL.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { SECOND_MS } from '../../src/domain/time/durations.ts';
import { callRaw, type RawAnswer } from '../support/raw-http.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { startTestService } from '../support/test-service.ts';

const clock = createFrozenClock();
const service = await startTestService({ clock, realLimits: true });
after(() => service.stop());

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const PROGRAM = { accept: '*/*' };
const PAGES = ['/connect/nonsense', '/connect/callback/oura', '/invitations/nonsense', '/my-data/nonsense'];

type Call = { readonly method?: string; readonly headers?: Record<string, string>; readonly body?: string };

function call(path: string, { method = 'GET', headers = BROWSER, body = '' }: Call = {}): Promise<RawAnswer> {
  return callRaw(`${service.url}${path}`, { method, headers, body });
}

function checkPage({ status, headers, text }: RawAnswer, wanted: number, words: RegExp): void {
  assert.equal(status, wanted);
  assert.equal(headers['content-type'], 'text/html; charset=utf-8');
  assert.match(String(headers['content-security-policy']), /default-src 'none'.*frame-ancestors 'none'/);
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(headers['api-form'], undefined);
  assert.equal(headers.vary, 'Accept');
  assert.match(text, words);
  assert.match(text, /<html lang="en">/);
  assert.ok(text.includes(String(headers['x-request-id'])));
  assert.doesNotMatch(text, /[{}]"|rate_limited|not_found/, 'no code, no JSON');
}

function checkJson({ status, headers, text }: RawAnswer, wanted: number, code: string): void {
  assert.equal(status, wanted);
  assert.equal(headers['content-type'], 'application/json; charset=utf-8');
  assert.equal(JSON.parse(text).error, code);
}

describe('an error on a hosted page', () => {
  it('429 is a page that says when to try again, with Retry-After', async () => {
    clock.advance(60 * SECOND_MS);
    for (let count = 0; count < 200; count += 1) await call('/version', { headers: PROGRAM });
    for (const path of PAGES) {
      const page = await call(path);
      checkPage(page, 429, /Try again in a second\./);
      assert.equal(page.headers['retry-after'], '1');
      assert.match(String(page.headers.ratelimit), /^"requests";r=0;t=\d+$/);
      checkPage(await call(path, { headers: { accept: 'application/json;q=0.9, text/html' } }), 429, /<h1>/);
      const reported = await call(path, { headers: PROGRAM });
      checkJson(reported, 429, 'rate_limited');
      assert.equal(reported.headers['retry-after'], '1');
    }
  });

  it('429 after too many guessed links, with the longer wait', async () => {
    clock.advance(60 * SECOND_MS);
    const guess = () => call('/connect/nonsense');
    const answers: RawAnswer[] = [];
    for (let count = 0; count < 101; count += 1) answers.push(await guess());
    assert.equal(answers[99]?.status, 404);
    const last = answers[100];
    assert.ok(last);
    checkPage(last, 429, new RegExp(`Try again in ${last.headers['retry-after']} seconds\\.`));
  });

  it('413 and 400 are pages too', async () => {
    clock.advance(3_600 * SECOND_MS);
    const form = { ...BROWSER, 'content-type': 'application/x-www-form-urlencoded' };
    const body = `decision=${'x'.repeat(10_000)}`;
    checkPage(await call('/invitations/nonsense', { method: 'POST', headers: form, body }), 413, /Invalid request/);
    checkPage(await call('/connect/%zz'), 400, /Invalid request/);
    checkJson(await call('/connect/%zz', { headers: PROGRAM }), 400, 'invalid_parameter');
  });

  it('404 and 405 where a link is not complete', async () => {
    checkPage(await call('/invitations'), 404, /Page not found/);
    const refused = await call('/connect/nonsense', { method: 'DELETE' });
    checkPage(refused, 405, /Invalid request/);
    assert.equal(refused.headers.allow, 'GET, POST, HEAD');
    checkJson(await call('/invitations', { headers: PROGRAM }), 404, 'not_found');
  });
});

describe('an error of the API', () => {
  it('is JSON, also for a browser: under /v1 and on operational paths', async () => {
    checkJson(await call('/v1/users'), 401, 'missing_token');
    checkJson(await call('/v1/nonsense'), 404, 'not_found');
    checkJson(await call('/version?nonsense=1'), 400, 'invalid_parameter');
  });

  it('is not a page for a provider webhook', async () => {
    const { status, headers } = await call('/provider-webhooks/oura/sandbox/wrong', { method: 'POST', body: '{}' });
    assert.equal(status, 404);
    assert.equal(headers['content-type'], undefined);
  });
});
