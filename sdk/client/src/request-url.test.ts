import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fillPath, writeQuery } from './request-url.ts';

describe('fillPath', () => {
  it('replaces names in order and escapes the values', () => {
    assert.equal(fillPath('/v1/users/{user_id}/workouts/{id}', ['u 1', 'w/2']), '/v1/users/u%201/workouts/w%2F2');
    assert.equal(fillPath('/v1/users/{user_id}/daily', ['u1']), '/v1/users/u1/daily');
    assert.equal(fillPath('/v1/users', []), '/v1/users');
  });

  for (const value of ['', '.', '..', undefined, 1])
    it(`refuses ${JSON.stringify(value)} as an id`, () => {
      assert.match(String(fillPath('/v1/users/{user_id}', [value as string])), /^TypeError: user_id must be an id$/);
    });
});

describe('writeQuery', () => {
  it('escapes values, joins lists and skips what has no value', () => {
    assert.equal(writeQuery({ types: ['steps', 'a&b'], limit: 5, cursor: undefined }), '?types=steps%2Ca%26b&limit=5');
    assert.equal(writeQuery({ from: null }), '');
    assert.equal(writeQuery(undefined), '');
  });
});
