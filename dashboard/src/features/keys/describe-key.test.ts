import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiKey } from '../../shared/query/keys-query.ts';
import { describeEnd, describeState, remainingLife } from './describe-key.ts';

const NOW = Date.parse('2026-11-16T12:00:00Z');
const KEY: ApiKey = {
  id: '1',
  name: 'Backend',
  last_four: 'UZIM',
  created_at: '2026-11-01T12:00:00Z',
  created_by: 'ann@example.com',
  expires_at: '2027-01-30T12:00:00Z',
  last_used_at: null,
  last_used_agent: null,
  expires_soon: false,
  ends_at: null,
  requests_24h: 0,
};

describe('the state of a key', () => {
  it('is good until it expires soon', () => {
    assert.deepEqual(describeState(KEY, NOW), { tone: 'good', text: 'Active' });
    const soon = { ...KEY, expires_at: '2026-11-30T12:00:00Z', expires_soon: true };
    assert.deepEqual(describeState(soon, NOW), { tone: 'warn', text: 'Expires in 14 days' });
  });

  it('warns of a rotated key that still works, and says when one has ended', () => {
    assert.equal(describeState({ ...KEY, ends_at: '2026-11-17T12:00:00Z' }, NOW).text, 'Stops in 24 h');
    assert.deepEqual(describeState({ ...KEY, expires_at: '2026-11-16T12:00:00Z' }, NOW).tone, 'bad');
  });

  it('has a bar that shrinks to nothing', () => {
    assert.equal(remainingLife(KEY, NOW), 75 / 90);
    assert.equal(remainingLife({ ...KEY, expires_at: '2026-11-10T00:00:00Z' }, NOW), 0);
  });

  it('names the day of its end', () => {
    assert.match(describeEnd(KEY, NOW), /^in 75 days, 30 January$/);
  });
});
