import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HOUR_MS } from '../../../domain/time/durations.ts';
import { withScoreStatus } from './score-status.ts';
import type { User } from './store.ts';

describe('score_status', () => {
  const now = new Date('2026-03-11T20:00:00Z');
  const ago = (hours: number | null) => (hours === null ? null : new Date(now.getTime() - hours * HOUR_MS));
  const statusOf = (scoreStatus: User['scoreStatus'], hours: number | null, ended: number | null = null) =>
    withScoreStatus({ scoreStatus, lastSyncAt: ago(hours), calibratingUntil: ago(ended) } as User, now).scoreStatus;

  it('changes from ready to stale 48 hours after the last sync', () => {
    assert.deepEqual(
      [0, 48, 48.001, null].map((hours) => statusOf('ready', hours)),
      ['ready', 'ready', 'stale', 'ready'],
    );
  });

  it('is calibrating until the end of the calibration, and without an end as long as there is no score', () => {
    assert.equal(statusOf('calibrating', 1_000), 'calibrating');
    assert.deepEqual(
      [-0.001, 0, 0.001].map((ended) => statusOf('calibrating', 1_000, ended)),
      ['calibrating', 'stale', 'stale'],
    );
    assert.equal(statusOf('calibrating', 1, 1), 'ready', 'data of other kinds still arrives');
  });
});
