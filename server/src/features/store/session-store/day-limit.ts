// How many sleeps, and how many workouts, of a user may begin on one UTC day. Choosing among sessions of one night costs the square
// of their number, and one request must not hold up others.
import type { Transaction } from '../../../platform/db/database.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import type { SessionKind } from './session-kind.ts';
import { countByDay } from './store.ts';
import type { Interval } from './stored-session.ts';

/** Ten devices that each divide a night or a day into twenty. */
export const MAX_SESSIONS_OF_DAY = 200;
const DAY_MS = 86_400_000;

type Counted = { readonly before?: Interval | undefined; readonly after: Interval };

/** Says of each in turn whether its day has room for it; one that stays on its day always has. */
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

/** Days since 1970, UTC. */
function dayOf({ start }: Interval): number {
  return Math.floor(start / DAY_MS);
}
