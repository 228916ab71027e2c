import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { filterParameters, readFilter } from './delivery-filter.ts';

describe('the filter of deliveries', () => {
  it('is read from the address, without what it does not know', () => {
    assert.deepEqual(readFilter({ status: 'failed', type: 'data.updated', user: 42, from: '2026-11-15', x: 1 }), {
      status: 'failed',
      type: 'data.updated',
      user: '42',
      from: '2026-11-15',
    });
    assert.deepEqual(readFilter({ status: 'all', type: '', user: '', from: 'yesterday' }), {});
  });

  it('begins the day in the zone of the reader', () => {
    const { from } = filterParameters({ from: '2026-11-15' });
    assert.equal(from, new Date(2026, 10, 15).toISOString());
  });
});
