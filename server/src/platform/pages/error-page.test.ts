import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError } from '../errors.ts';
import { errorPage } from './error-page.ts';

const FACTS = { requestId: 'req_1', path: '/connect/nonsense', retryAfter: null, language: 'en' } as const;
const bodyOf = (error: AppError, facts: Partial<Parameters<typeof errorPage>[1]> = {}) =>
  String(errorPage(error, { ...FACTS, ...facts }).body);

describe('errorPage', () => {
  it('says that the service failed, without the cause', () => {
    const fault = errorPage(new AppError('internal', { cause: new Error('secret') }), FACTS);
    assert.equal(fault.status, 500);
    assert.match(String(fault.body), /An error occurred on our side\..*req_1/s);
    assert.doesNotMatch(String(fault.body), /secret/);
    assert.match(bodyOf(new AppError('unavailable')), /try again in a minute/);
    assert.match(bodyOf(new AppError('invalid_body')), /The request is not valid/);
  });

  it('leads from an unknown address to the start page, relative to that address', () => {
    const links = ['/nonsense', '/a/b', '/a/b/'].map((path) => {
      return /href="(\.[^"]*)"/.exec(bodyOf(new AppError('not_found'), { path }))?.[1];
    });
    assert.deepEqual(links, ['./', '../', '../../']);
  });

  it('says in words how long to wait', () => {
    const waits = [null, 1, 59, 90, 91, 3_600].map((seconds) => {
      return /Try again ([^.]*)\./.exec(bodyOf(new AppError('rate_limited'), { retryAfter: seconds }))?.[1];
    });

    assert.deepEqual(waits, [
      'in a second',
      'in a second',
      'in 59 seconds',
      'in 90 seconds',
      'in 2 minutes',
      'in 60 minutes',
    ]);
  });
});
