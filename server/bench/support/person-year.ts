// One user with a year of data and scores.
import { addDays } from '../../src/domain/time/calendar.ts';
import { createZone } from '../../src/domain/time/day.ts';
import { scoreQueuedDays } from '../../src/features/pipeline/scoring/index.ts';
import { connectDevices } from '../../src/features/sandbox/sandbox-users/devices.ts';
import { drawUser, liveDays } from '../../src/features/sandbox/sandbox-users/person.ts';
import { writeDays } from '../../src/features/sandbox/sandbox-users/write-days.ts';
import { lockUser, type UserHandle } from '../../src/features/tenancy/user-core/index.ts';
import type { Database, Transaction } from '../../src/platform/db/database.ts';
import { createUsers } from '../storage/run-month.ts';

export const YEAR_DAYS = 365;
export const YEAR_END = new Date('2026-03-02T12:00:00Z');
const DAYS_AT_A_TIME = 31;

export type AsUser = <Result>(work: (tx: Transaction, user: UserHandle) => Promise<Result>) => Promise<Result>;

/** Scored, as the sandbox generates it: three devices, heart rate every minute, nights, workouts, food. */
export async function createYear(db: Database): Promise<AsUser> {
  const { tenant, userIds } = await createUsers(db, 1);
  const [userId] = userIds;
  if (userId === undefined) throw new Error('no user was created');
  const asUser: AsUser = (work) =>
    db.transaction(async (tx) => {
      const locked = await lockUser(tx, tenant, userId);
      if (!locked) throw new Error('user not found');
      return work(tx, locked.handle);
    });
  const devices = await asUser((tx, user) => connectDevices(tx, user, YEAR_END));
  const zone = createZone('Europe/Berlin');
  const last = addDays(zone.dayAt(YEAR_END.getTime()).date, -1);
  for (let from = addDays(last, 1 - YEAR_DAYS); from <= last; from = addDays(from, DAYS_AT_A_TIME)) {
    const end = addDays(from, DAYS_AT_A_TIME - 1);
    await asUser(async (tx, user) => {
      const person = drawUser(user, {}, last);
      const days = await liveDays({ person, zone, from, to: end < last ? end : last });
      await writeDays({ tx, user, devices, now: YEAR_END }, days);
    });
  }
  await asUser((tx, user) => scoreQueuedDays(tx, user, YEAR_END));
  return asUser;
}
