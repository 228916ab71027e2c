import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeEntityTag, matchesTag } from './revalidation.ts';

describe('entity tags', () => {
  const tag = makeEntityTag('/v1/users/1/daily', 2, '7');

  it('are weak, and differ by URL, form and version', () => {
    assert.match(tag, /^W\/"2-[\da-z]+-7"$/);
    assert.equal(makeEntityTag('/v1/users/1/daily', 2, '7'), tag);
    for (const [url, form, version] of [
      ['/v1/users/1/sleep', 2, '7'],
      ['/v1/users/1/daily', 1, '7'],
      ['/v1/users/1/daily', 2, '8'],
    ] as const)
      assert.notEqual(makeEntityTag(url, form, version), tag);
  });

  it('match in a list, weakly, and by a star', () => {
    assert.ok(matchesTag(tag, tag));
    assert.ok(matchesTag(`"other", ${tag}`, tag));
    assert.ok(matchesTag(tag.slice(2), tag));
    assert.ok(matchesTag('*', tag));
    for (const none of [undefined, '', '"other"', `${tag}x`]) assert.ok(!matchesTag(none, tag), String(none));
  });
});
