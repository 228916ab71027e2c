import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HOUR_MS } from '../../../domain/time/durations.ts';
import { withScoreStatus } from './score-status.ts';
import type { User } from './store.ts';

describe('score_status', () => {
  const now = new Date('2026-03-11T20:00:00Z');
  const ago = (hours: number | null) => (hours === null ? null : new Date(now.getTime() - hours * HOUR_MS));
  const statusOf = (
    scoreStatus: User['scoreStatus'],
    hours: number | null,
    { ended = null, scored = null }: { ended?: number | null; scored?: number | null } = {},
  ) => {
    const user = {
      scoreStatus,
      lastSyncAt: ago(hours),
      calibratingUntil: ago(ended),
      lastScoreAt: ago(scored),
    } as User;
    return withScoreStatus(user, now).scoreStatus;
  };

  it('changes from ready to stale 48 hours after the last sync', () => {
    assert.deepEqual(
      [0, 48, 48.001, null].map((hours) => statusOf('ready', hours)),
      ['ready', 'ready', 'stale', 'ready'],
    );
  });

  it('is calibrating until the end of the calibration, and without an end as long as there is no score', () => {
    assert.equal(statusOf('calibrating', 1_000), 'calibrating');
    assert.deepEqual(
      [-0.001, 0, 0.001].map((ended) => statusOf('calibrating', 1_000, { ended, scored: 1 })),
      ['calibrating', 'stale', 'stale'],
    );
    assert.equal(statusOf('calibrating', 1, { ended: 1, scored: 1 }), 'ready', 'data of other kinds still arrives');
  });

  it('is calibrating for a week after a score without an end, which a former version stored', () => {
    assert.deepEqual(
      [167.999, 168].map((scored) => statusOf('calibrating', 1_000, { scored })),
      ['calibrating', 'stale'],
    );
  });
});
