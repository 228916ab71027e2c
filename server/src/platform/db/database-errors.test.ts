import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { AppError } from '../errors.ts';
import { isStatementFailure, isUniqueViolation } from './database-errors.ts';

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

describe('isStatementFailure', () => {
  const unavailable = (cause: Error, code: string) =>
    new AppError('unavailable', { cause: Object.assign(cause, { code }) });

  it('is true for a timeout, a deadlock and a Citus node that its server cannot reach', () => {
    for (const code of ['57014', '40P01', '08006'])
      assert.equal(isStatementFailure(unavailable(new pg.DatabaseError('failed', 0, 'error'), code)), true, code);
  });

  it('is false if the server itself is lost or shuts down', () => {
    assert.equal(isStatementFailure(unavailable(new Error('connect'), 'ECONNREFUSED')), false);
    assert.equal(isStatementFailure(unavailable(new Error('lost'), '08006')), false);
    assert.equal(isStatementFailure(unavailable(new pg.DatabaseError('stops', 0, 'error'), '57P01')), false);
  });
});
