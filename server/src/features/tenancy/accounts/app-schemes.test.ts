import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isAppScheme } from './app-schemes.ts';

describe('isAppScheme', () => {
  it('accepts custom schemes', () => {
    for (const scheme of ['myapp', 'com.example.app', 'acme-2', 'ab']) assert.equal(isAppScheme(scheme), true, scheme);
  });

  it('rejects schemes that browsers, operating systems or networks use', () => {
    for (const scheme of ['javascript', 'data', 'http', 'https', 'file', 'intent', 'blob', 'vbscript', 'about', 'tel'])
      assert.equal(isAppScheme(scheme), false, scheme);
  });

  it('rejects text that is not a valid scheme', () => {
    for (const text of ['', 'a', '1app', 'my app', 'my_app', 'MyApp', 'myapp:', 'java\nscript', 'x'.repeat(64)])
      assert.equal(isAppScheme(text), false, text);
  });
});
