// The number of sleeps and of workouts of a user that may begin on one UTC day. The cost of consolidating the sessions of a night grows
// with the square of their number, and one request must not block others.
import { DAY_MS } from '../../../domain/time/durations.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import type { SessionKind } from './session-kind.ts';
import { countByDay } from './store.ts';
import type { EpochInterval } from './stored-session.ts';

/** Ten devices that each split a night or a day into twenty sessions. */
export const MAX_SESSIONS_OF_DAY = 200;

type Counted = { readonly before?: EpochInterval | undefined; readonly after: EpochInterval };

/** Returns a function that says whether a session's day has room for it. A session that stays on its day always fits. */
export async function openDays(
  tx: Transaction,
  kind: SessionKind,
  user: UserHandle,
  sessions: readonly Counted[],
): Promise<(session: Counted) => boolean> {
  const days = [...new Set(sessions.filter(isNewOnDay).map(({ after }) => dayOf(after)))];
  const counts = days.length === 0 ? new Map<number, number>() : await countByDay(tx, kind.table, user, days);
  return (session) => {
    if (!isNewOnDay(session)) return true;
    const day = dayOf(session.after);
    const count = counts.get(day) ?? 0;
    if (count >= MAX_SESSIONS_OF_DAY) return false;
    counts.set(day, count + 1);
    return true;
  };
}

function isNewOnDay({ before, after }: Counted): boolean {
  return before === undefined || dayOf(before) !== dayOf(after);
}

/** Days since 1970 in UTC. */
function dayOf({ start }: EpochInterval): number {
  return Math.floor(start / DAY_MS);
}
