// Scores users whose queue entry is due. The queue has one entry per user, so many changes become one run, and an entry survives a
// crash during its run.
import { type BackgroundLoop, startLoop } from '../../../platform/background-loop.ts';
import type { Services } from '../../../platform/services.ts';
import { changeUser } from '../../tenancy/user-core/index.ts';
import { scoreQueuedDays } from './score-days.ts';
import { claimDueUsers, type DueUser, postponeEntry, removeQueueEntry } from './store.ts';

const PAUSE_MS = 1_000;
const USERS_AT_A_TIME = 20;
/** The users of a killed worker wait that long. A run that takes longer may be done twice, one after the other. */
const CLAIM_MS = 10_000;
/** While one user's scores are computed, the database works for the other. */
const AT_ONCE = 2;

export function startScorer(services: Pick<Services, 'clock' | 'db' | 'log' | 'userMutex'>): BackgroundLoop {
  return startLoop({
    name: 'scorer',
    pauseMs: PAUSE_MS,
    log: services.log,
    async round() {
      const now = services.clock.now();
      const until = new Date(now.getTime() + CLAIM_MS);
      const due = await claimDueUsers(services.db, { now, until }, USERS_AT_A_TIME);
      const remaining = [...due];
      const work = async () => {
        for (let user = remaining.shift(); user !== undefined; user = remaining.shift())
          await scoreUser(services, user);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      return due.length === USERS_AT_A_TIME;
    },
  });
}

/** A failure of one user does not affect others. */
async function scoreUser(
  services: Pick<Services, 'clock' | 'db' | 'log' | 'userMutex'>,
  { userId, tenant }: DueUser,
): Promise<void> {
  const now = services.clock.now();
  try {
    await changeUser(services, tenant, userId, async (tx, locked) => {
      if (locked === null)
        await removeQueueEntry(tx, userId); // the user was deleted
      else await scoreQueuedDays(tx, locked.handle, now);
    });
  } catch (error) {
    services.log.error({ err: error, user_id: userId }, 'scoring of a user failed; it will be retried');
    await postponeEntry(services.db, userId, now);
  }
}
