import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesHtml } from './wants-page.ts';

describe('namesHtml', () => {
  it('is true for browsers', () => {
    assert.ok(namesHtml('text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'));
    assert.ok(namesHtml('application/json, Text/HTML; charset=utf-8; q=0.5'));
  });

  it('is false for programs and for clients that exclude HTML', () => {
    for (const accept of ['', '*/*', 'text/*', 'application/json', 'text/html;q=0', 'text/html; q=0.000', 'xtext/html'])
      assert.ok(!namesHtml(accept), accept);
  });
});
