// Scores whoever's turn has come. The marks are the queue: one a person, so that many changes are one run, and one that was
// killed is simply still there.
import { type BackgroundLoop, startLoop } from '../../../platform/background-loop.ts';
import type { Services } from '../../../platform/services.ts';
import { changeUser } from '../../tenancy/user-core/index.ts';
import { scoreMarkedDays } from './score-days.ts';
import { type DueUser, listDueUsers, postponeMark, removeMark } from './store.ts';

const PAUSE_MS = 1_000;
const USERS_AT_A_TIME = 50;
/** The database works while the other's scores are computed. */
const AT_ONCE = 2;

export function startScorer(services: Services): BackgroundLoop {
  return startLoop({
    name: 'scorer',
    pauseMs: PAUSE_MS,
    log: services.log,
    async round() {
      const due = await listDueUsers(services.db, services.clock.now(), USERS_AT_A_TIME);
      const waiting = [...due];
      const work = async () => {
        for (let user = waiting.shift(); user !== undefined; user = waiting.shift()) await scoreUser(services, user);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      return due.length === USERS_AT_A_TIME;
    },
  });
}

/** One person's failure is no other's. */
async function scoreUser(services: Services, { userId, tenant }: DueUser): Promise<void> {
  const now = services.clock.now();
  try {
    await changeUser(services, tenant, userId, async (tx, locked) => {
      if (locked === null)
        await removeMark(tx, userId); // deleted meanwhile
      else await scoreMarkedDays(tx, locked.handle, now);
    });
  } catch (error) {
    services.log.error({ err: error, user_id: userId }, 'the scores of a user failed and will be tried again');
    await postponeMark(services.db, userId, now);
  }
}
