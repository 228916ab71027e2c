import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { adviseAttempt, describeState, lastAnswer } from './describe-delivery.ts';
import { describeContent } from './events.ts';
import type { Delivery } from './queries.ts';

describe('a delivery in words', () => {
  it('has a state', () => {
    const text = (status: Delivery['status'], attempt_count: number) => describeState({ status, attempt_count }).text;
    assert.deepEqual(
      [text('pending', 0), text('pending', 4), text('failed', 10), text('succeeded', 1)],
      ['Waiting', 'Attempt 5 to come', 'Failed', 'Delivered'],
    );
  });

  it('has the answer to its last attempt', () => {
    const attempt = { attempted_at: '', duration_ms: 0, status: 500, error: 'status', response_body: '' };
    assert.equal(lastAnswer({ attempts: [] }), '–');
    assert.equal(lastAnswer({ attempts: [attempt] }), '500');
    assert.equal(lastAnswer({ attempts: [attempt, { ...attempt, status: null }] }), 'no response');
  });

  it('has advice for each failure, and none for a success', () => {
    const title = (error: string | null, status: number | null) => adviseAttempt({ error, status })?.title ?? null;
    assert.equal(title(null, 204), null);
    assert.equal(title('status', 503), 'Your endpoint responded with 503.');
    assert.equal(title('redirect', 301), 'Your endpoint responded with 301, a redirect.');
    assert.equal(title('timeout', null), 'No response within 15 seconds.');
    assert.equal(title('unheard_of', null), 'The attempt failed: unheard_of.');
    assert.match(adviseAttempt({ error: 'refused_address', status: null })?.text ?? '', /tributary listen/);
  });

  it('says which metrics and days', () => {
    const content = (metrics: string[], from_date: string | null, to_date: string | null) =>
      describeContent({ event_type: 'data.updated', summary: { metrics, from_date, to_date } } as Delivery);
    assert.equal(content(['steps', 'heart_rate'], '2026-11-15', '2026-11-15'), 'steps, heart rate · 15 Nov');
    assert.equal(
      content(['a', 'b', 'c', 'd', 'e'], '2026-11-09', '2026-11-12'),
      'a, b, c and 2 more · 9 Nov to 12 Nov',
    );
    assert.equal(content([], null, null), 'data.updated');
  });
});
