import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { filterParameters, readFilter } from './request-filter.ts';

describe('the filter of requests', () => {
  it('is read from the address, without what it does not know', () => {
    assert.deepEqual(readFilter({ outcome: '4xx', method: 'GET', user: 42, q: '', error: 'not_found', x: 1 }), {
      outcome: '4xx',
      method: 'GET',
      user: '42',
      error: 'not_found',
    });
    assert.deepEqual(readFilter({ outcome: 'all', method: 'TRACE' }), {});
  });

  it('becomes the parameters of the call', () => {
    assert.deepEqual(filterParameters({ outcome: '5xx', q: 'daily' }), { status: '5xx', q: 'daily' });
    assert.deepEqual(filterParameters({ outcome: 'slow' }), { outcome: 'slow' });
  });
});
