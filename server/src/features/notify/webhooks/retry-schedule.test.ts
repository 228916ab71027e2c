import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HOUR_SECONDS } from '../../../domain/time/durations.ts';
import { findNextAttempt, RETRY_DELAYS_MS, SCHEDULE_MS } from './retry-schedule.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const DELAYS_S = [5, 300, 1_800, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_SECONDS)];

function secondsUntil(options: Partial<Parameters<typeof findNextAttempt>[0]>): number | null {
  const next = findNextAttempt({ attempts: 1, now: NOW, retryAfterMs: null, random: 0.5, ...options });
  return next === null ? null : (next.getTime() - NOW.getTime()) / 1_000;
}

describe('the retry schedule', () => {
  it('retries after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, and then stops', () => {
    assert.deepEqual(
      DELAYS_S.map((_, index) => secondsUntil({ attempts: index + 1 })),
      DELAYS_S,
    );
    assert.equal(secondsUntil({ attempts: 10 }), null);
    assert.equal(RETRY_DELAYS_MS.length, 9);
    assert.equal(SCHEDULE_MS / 1_000, 75 * HOUR_SECONDS + 35 * 60 + 5);
  });

  it('adds a jitter of 20 % to each delay', () => {
    assert.equal(secondsUntil({ attempts: 2, random: 0 }), 240);
    assert.ok(Math.abs((secondsUntil({ attempts: 2, random: 1 - 1e-12 }) ?? 0) - 360) < 0.001);
  });

  it('waits at least as long as Retry-After', () => {
    assert.equal(secondsUntil({ retryAfterMs: 60_000 }), 60);
    assert.equal(secondsUntil({ attempts: 3, retryAfterMs: 60_000 }), 1_800);
    assert.equal(secondsUntil({ attempts: 10, retryAfterMs: 60_000 }), null, 'Retry-After adds no attempt');
  });
});
