import assert from 'node:assert/strict';
import type { Route } from '../../src/platform/http/route.ts';

/** The code that the row documents for a user who does not exist. A row has `user_not_found` only if it answers with it. */
export function codeOfMissingUser({ errors }: Route): string {
  const code = errors.includes('user_not_found') ? 'user_not_found' : 'not_found';
  assert.ok(errors.includes(code), 'the row documents no code for a missing user');
  return code;
}
