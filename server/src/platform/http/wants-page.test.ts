import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesHtml } from './wants-page.ts';

describe('namesHtml', () => {
  it('holds for what browsers send', () => {
    assert.ok(namesHtml('text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'));
    assert.ok(namesHtml('application/json, Text/HTML; charset=utf-8; q=0.5'));
  });

  it('does not hold for programs, nor for who refuses it', () => {
    for (const accept of ['', '*/*', 'text/*', 'application/json', 'text/html;q=0', 'text/html; q=0.000', 'xtext/html'])
      assert.ok(!namesHtml(accept), accept);
  });
});
