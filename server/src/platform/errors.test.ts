import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError, isUnavailable, notFound } from './errors.ts';

describe('AppError', () => {
  it('says when to retry, in whole seconds and at least one', () => {
    const waits = [0, 1, 1_000, 1_001, 90_000].map((retryAfterMs) => {
      return new AppError('rate_limited', { retryAfterMs }).headers['retry-after'];
    });
    assert.deepEqual(waits, ['1', '1', '1', '2', '90']);
  });

  it('has no Retry-After otherwise, unless the service is unavailable', () => {
    assert.deepEqual(new AppError('not_found').headers, {});
    assert.deepEqual(new AppError('unavailable').headers, { 'retry-after': '1' });
    assert.deepEqual(new AppError('request_timeout', { headers: { connection: 'close' } }).headers, {
      connection: 'close',
    });
  });
});

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
