import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isAppScheme } from './app-schemes.ts';

describe('the scheme of an app', () => {
  it('is one of its own', () => {
    for (const scheme of ['myapp', 'com.example.app', 'acme-2', 'ab']) assert.equal(isAppScheme(scheme), true, scheme);
  });

  it('is none that means something to browsers, systems or networks', () => {
    for (const scheme of ['javascript', 'data', 'http', 'https', 'file', 'intent', 'blob', 'vbscript', 'about', 'tel'])
      assert.equal(isAppScheme(scheme), false, scheme);
  });

  it('is written as a scheme is', () => {
    for (const text of ['', 'a', '1app', 'my app', 'my_app', 'MyApp', 'myapp:', 'java\nscript', 'x'.repeat(64)])
      assert.equal(isAppScheme(text), false, text);
  });
});
