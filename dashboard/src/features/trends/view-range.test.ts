import assert from 'node:assert/strict';
import { it } from 'node:test';
import { HOUR_MS } from '../../shared/time/durations.ts';
import { dragRange, moveRange, zoomRange } from './view-range.ts';

const all = { fromMs: 0, toMs: 24 * HOUR_MS };
const view = { fromMs: 6 * HOUR_MS, toMs: 12 * HOUR_MS };

it('zooms around a point, stays within all, and shows everything beyond it', () => {
  assert.deepEqual(zoomRange(view, all, 0.5, 9 * HOUR_MS), { fromMs: 7.5 * HOUR_MS, toMs: 10.5 * HOUR_MS });
  assert.equal(zoomRange(view, all, 10, 9 * HOUR_MS), null);
  assert.deepEqual(zoomRange(view, all, 0.001, 9 * HOUR_MS), view);
});

it('moves within all', () => {
  assert.deepEqual(moveRange(view, all, 0.5), { fromMs: 9 * HOUR_MS, toMs: 15 * HOUR_MS });
  assert.deepEqual(moveRange(view, all, -9), { fromMs: 0, toMs: 6 * HOUR_MS });
});

it('takes a drag in either direction, but no click', () => {
  assert.deepEqual(dragRange(5 * HOUR_MS, HOUR_MS), { fromMs: HOUR_MS, toMs: 5 * HOUR_MS });
  assert.equal(dragRange(0, 1_000), null);
});
