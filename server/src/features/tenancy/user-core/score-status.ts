// The current `score_status`: `calibrating` ends and `ready` becomes `stale` if no data arrives (gaps G-114 and G-125). Pure.
import { HOUR_MS } from '../../../domain/time/durations.ts';
import type { User } from './store.ts';

const STALE_AFTER_MS = 48 * HOUR_MS;

export function withScoreStatus(user: User, now: Date): User {
  if (isCalibrating(user, now)) return { ...user, scoreStatus: 'calibrating' };
  return { ...user, scoreStatus: isStale(user, now) ? 'stale' : 'ready' };
}

/** Without an end, the user has no score yet. */
function isCalibrating({ scoreStatus, calibratingUntil }: User, now: Date): boolean {
  return scoreStatus === 'calibrating' && (calibratingUntil === null || now < calibratingUntil);
}

/** A user that never synced is not stale. */
function isStale({ lastSyncAt }: User, now: Date): boolean {
  return lastSyncAt !== null && now.getTime() - lastSyncAt.getTime() > STALE_AFTER_MS;
}
