import assert from 'node:assert/strict';
import { it } from 'node:test';
import { countOf } from './count-of.ts';

it('countOf writes one without an s, and thousands with a comma', () => {
  assert.deepEqual(
    [0, 1, 2, 1_204].map((count) => countOf(count, 'user')),
    ['0 users', '1 user', '2 users', '1,204 users'],
  );
});
