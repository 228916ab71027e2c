import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LatestEvent } from '../../shared/event/describe-event.ts';
import { addArrived, addNewest, addOlder, matches, splitAt, type Tail } from './tail.ts';

const event = (position: number, fields: Partial<LatestEvent> = {}): LatestEvent => ({
  id: `e${position}`,
  position,
  type: 'data.updated',
  at: '2026-11-16T12:00:00Z',
  user_id: 'u1',
  reference_id: 'ada',
  device: null,
  metrics: [],
  from_date: null,
  to_date: null,
  body: '{}',
  deliveries: [],
  ...fields,
});
const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => event(from - index));
const positions = ({ rows }: Tail) => rows.map(({ position }) => position);
const TAIL: Tail = { rows: range(3, 3), hasOlder: true };

describe('the live tail', () => {
  it('adds what arrives once, newest first', () => {
    assert.deepEqual(positions(addArrived(TAIL, [event(4), event(5), event(3)])), [5, 4, 3, 2, 1]);
  });

  it('replaces an event by its newer version', () => {
    const deliveries = [{ id: 'd', webhook_id: 'w', status: 'succeeded' as const, attempts: 1 }];
    assert.deepEqual(addArrived(TAIL, [event(2, { deliveries })]).rows[1]?.deliveries, deliveries);
  });

  it('keeps 500 rows, and knows that older ones exist', () => {
    const { rows, hasOlder } = addArrived({ rows: range(500, 500), hasOlder: false }, range(503, 3));
    assert.deepEqual([rows.length, rows[0]?.position, rows.at(-1)?.position, hasOlder], [500, 503, 4, true]);
  });

  it('keeps older pages that somebody asked for', () => {
    const long = addOlder({ rows: range(1_000, 500), hasOlder: true }, { data: range(500, 100), has_more: true });
    assert.equal(addArrived(long, [event(1_001)]).rows.length, 600);
  });

  it('starts again with the newest page if events were missed', () => {
    assert.deepEqual(positions(addNewest(TAIL, { data: range(4, 2), has_more: true })), [4, 3, 2, 1]);
    assert.deepEqual(positions(addNewest(TAIL, { data: range(9, 2), has_more: true })), [9, 8]);
    assert.deepEqual(positions(addNewest({ rows: [], hasOlder: false }, { data: [], has_more: false })), []);
  });

  it('counts what arrives while it is paused', () => {
    const { listed, waiting } = splitAt(addArrived(TAIL, [event(4), event(5)]), 3);
    assert.deepEqual([listed.length, waiting], [3, 2]);
    assert.equal(splitAt(TAIL, null).listed.length, 3);
  });

  it('filters what arrives as the service filters pages', () => {
    assert.ok(matches(event(1), {}, null));
    assert.ok(!matches(event(1), { type: 'score.updated' }, null));
    assert.ok(!matches(event(1), { user: 'u2' }, null));
    assert.ok(!matches(event(1), {}, ['u2']));
  });
});
