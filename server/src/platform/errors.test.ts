import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError, isUnavailable, notFound } from './errors.ts';

describe('notFound', () => {
  it('names the requested id in message and details', () => {
    const { code, status, message, details } = notFound('Webhook', { webhook_id: 'x' });
    assert.deepEqual([code, status, message], ['not_found', 404, 'Webhook x was not found.']);
    assert.deepEqual(details, { webhook_id: 'x' });
  });

  it('has the code of the record, and all details', () => {
    const error = notFound('Workout', { workout_id: 'x', copy_of: 'y' }, 'workout_not_found');
    assert.deepEqual([error.code, error.message], ['workout_not_found', 'Workout x was not found.']);
    assert.deepEqual(error.details, { workout_id: 'x', copy_of: 'y' });
  });
});

describe('isUnavailable', () => {
  it('is true only for the error that stands for an outage', () => {
    assert.equal(isUnavailable(new AppError('unavailable')), true);
    for (const other of [
      new AppError('overloaded'),
      new AppError('internal'),
      new Error('unavailable'),
      'unavailable',
      null,
    ])
      assert.equal(isUnavailable(other), false);
  });
});
