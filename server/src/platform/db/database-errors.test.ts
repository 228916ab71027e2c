import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { isUniqueViolation } from './database-errors.ts';

function violation(constraint: string, code = '23505'): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError('duplicate key', 0, 'error'), { code, constraint });
}

describe('isUniqueViolation', () => {
  it('recognizes the constraint of a table and of its shard', () => {
    for (const name of ['users_reference_in_use', 'users_reference_in_use_102048'])
      assert.equal(isUniqueViolation(violation(name), 'users_reference_in_use'), true, name);
  });

  it('is false for another constraint, another error, and a constraint with a longer name', () => {
    for (const error of [
      violation('users_pkey'),
      violation('users_reference_in_use_too'),
      violation('users_reference_in_use', '23503'),
      new Error('users_reference_in_use'),
    ])
      assert.equal(isUniqueViolation(error, 'users_reference_in_use'), false);
  });
});
