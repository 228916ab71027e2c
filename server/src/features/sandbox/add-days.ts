// The days of a person that have ended since the last one was told.
import { addDays } from '../../domain/calendar.ts';
import { createZone } from '../../domain/day.ts';
import { type LivedDay, liveDay, ORDINARY_DAY } from '../../domain/sandbox/index.ts';
import type { Transaction } from '../../platform/db/database.ts';
import { scoreMarkedDays } from '../scoring/index.ts';
import { readProfile, type UserHandle } from '../subjects/index.ts';
import { findDevices } from './devices.ts';
import { drawUser } from './person.ts';
import { moveDataEnd, readDataEnd } from './store.ts';
import { tellDays } from './tell-days.ts';

/** Who was away for longer has a gap. */
const MAX_DAYS = 7;

/** The caller holds the user's lock. Nothing if no day has ended. */
export async function addEndedDays(tx: Transaction, user: UserHandle, now: Date): Promise<void> {
  const until = await readDataEnd(tx, user);
  if (until === null) return;
  const zone = createZone(user.timezone);
  const { date: today, start: end } = zone.dayAt(now.getTime());
  const fromMs = Math.max(until.getTime(), zone.dayOf(addDays(today, -MAX_DAYS)).start);
  if (fromMs >= end) return;
  const person = drawUser(user, await readProfile(tx, user), today);
  const days: LivedDay[] = [];
  for (let { date } = zone.dayAt(fromMs); date < today; date = addDays(date, 1)) {
    const day = zone.dayOf(date);
    // After a change of the zone the first of them may have been told in part.
    const window = { fromMs: Math.max(day.start, fromMs), toMs: day.end };
    if (window.fromMs < window.toMs) days.push(liveDay({ person, date, zone, storyOf: () => ORDINARY_DAY, window }));
  }
  await tellDays({ tx, user, devices: await findDevices(tx, user), now }, days);
  await scoreMarkedDays(tx, user, now);
  await moveDataEnd(tx, user, new Date(end));
}
