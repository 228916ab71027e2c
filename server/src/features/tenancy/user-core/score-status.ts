// The current `score_status`: `calibrating` ends and `ready` becomes `stale` if no data arrives (gaps G-114 and G-125). Pure.
import { DAY_MS, HOUR_MS } from '../../../domain/time/durations.ts';
import type { User } from './store.ts';

const STALE_AFTER_MS = 48 * HOUR_MS;
/** Of a user that a process without `calibrating_until` has scored, during an upgrade. */
const ASSUMED_CALIBRATION_MS = 7 * DAY_MS;

export function withScoreStatus(user: User, now: Date): User {
  if (isCalibrating(user, now)) return { ...user, scoreStatus: 'calibrating' };
  return { ...user, scoreStatus: isStale(user, now) ? 'stale' : 'ready' };
}

function isCalibrating({ scoreStatus, calibratingUntil, lastScoreAt }: User, now: Date): boolean {
  if (scoreStatus !== 'calibrating') return false;
  if (lastScoreAt === null) return true;
  const endMs = calibratingUntil?.getTime() ?? lastScoreAt.getTime() + ASSUMED_CALIBRATION_MS;
  return now.getTime() < endMs;
}

/** A user that never synced is not stale. */
function isStale({ lastSyncAt }: User, now: Date): boolean {
  return lastSyncAt !== null && now.getTime() - lastSyncAt.getTime() > STALE_AFTER_MS;
}
