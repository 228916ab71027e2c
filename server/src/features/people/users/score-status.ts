// The current `score_status`: a stored `ready` becomes `stale` if no data arrives (gap G-125). Pure.
import { HOUR_MS } from '../../../domain/time/durations.ts';
import type { User } from '../../tenancy/user-core/index.ts';

const STALE_AFTER_MS = 48 * HOUR_MS;

export function withScoreStatus(user: User, now: Date): User {
  return isStale(user, now) ? { ...user, scoreStatus: 'stale' } : user;
}

/** A user that never synced is not stale. */
function isStale({ scoreStatus, lastSyncAt }: User, now: Date): boolean {
  return scoreStatus === 'ready' && lastSyncAt !== null && now.getTime() - lastSyncAt.getTime() > STALE_AFTER_MS;
}
