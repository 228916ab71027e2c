import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HOUR_MS } from '../../../domain/time/durations.ts';
import type { User } from '../../tenancy/user-core/index.ts';
import { withScoreStatus } from './score-status.ts';

describe('score_status', () => {
  const now = new Date('2026-03-11T20:00:00Z');
  const statusOf = (scoreStatus: User['scoreStatus'], hours: number | null) => {
    const lastSyncAt = hours === null ? null : new Date(now.getTime() - hours * HOUR_MS);
    return withScoreStatus({ scoreStatus, lastSyncAt } as User, now).scoreStatus;
  };

  it('changes from ready to stale 48 hours after the last sync', () => {
    assert.deepEqual(
      [0, 48, 48.001, null].map((hours) => statusOf('ready', hours)),
      ['ready', 'ready', 'stale', 'ready'],
    );
    assert.equal(statusOf('calibrating', 1_000), 'calibrating');
  });
});
