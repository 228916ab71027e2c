// `score_status` as of now: what scoring last said of it grows old with the data (gap G-125). Pure.
import type { User } from '../../tenancy/user-core/index.ts';

const STALE_AFTER_MS = 48 * 3_600_000;

export function withScoreStatus(user: User, now: Date): User {
  return isStale(user, now) ? { ...user, scoreStatus: 'stale' } : user;
}

/** Who never sent anything has nothing that could be old. */
function isStale({ scoreStatus, lastSyncAt }: User, now: Date): boolean {
  return scoreStatus === 'ready' && lastSyncAt !== null && now.getTime() - lastSyncAt.getTime() > STALE_AFTER_MS;
}
