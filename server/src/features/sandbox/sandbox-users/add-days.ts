// Adds the days of a sandbox user that have ended since its data was last extended.

import { addDays, type LocalDate } from '../../../domain/time/calendar.ts';
import { createZone, type Zone } from '../../../domain/time/day.ts';
import { HOUR_MS } from '../../../domain/time/durations.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { scoreQueuedDays } from '../../pipeline/scoring/index.ts';
import { readProfile, type UserHandle } from '../../tenancy/user-core/index.ts';
import { findDevices } from './devices.ts';
import { drawUser, liveDays, planNextDay } from './person.ts';
import { moveDataEnd, readDataEnd } from './store.ts';
import { writeDays } from './write-days.ts';

/** A longer interruption leaves a gap. */
const MAX_DAYS = 7;

/** The caller holds the user's lock. Does nothing if no day has ended. */
export async function addEndedDays(tx: Transaction, user: UserHandle, now: Date): Promise<void> {
  const until = await readDataEnd(tx, user);
  if (until === null) return;
  const zone = createZone(user.timezone);
  const { date: today } = zone.dayAt(now.getTime());
  const to = addDays(today, -1);
  const person = drawUser(user, await readProfile(tx, user), today);
  const next = planNextDay(person, zone, to);
  const fromMs = Math.max(until.getTime(), zone.dayOf(addDays(today, -MAX_DAYS)).start);
  const { date: from } = zone.dayAt(fromMs);
  const days = hasEnded(zone, until, to)
    ? await liveDays({ person, zone, from, to, fromMs, untilMs: next.dataUntil.getTime() })
    : [];
  if (days.length > 0) {
    await writeDays({ tx, user, devices: await findDevices(tx, user), now }, days);
    await scoreQueuedDays(tx, user, now);
  }
  const dataUntil = days.length > 0 ? next.dataUntil : until;
  await moveDataEnd(tx, user, { dataUntil, dueAt: next.dueAt });
}

/** Data ends at bedtime, so less than this remains of a day that is already written. */
const EVENING_MS = 6 * HOUR_MS;

function hasEnded(zone: Zone, until: Date, lastEnded: LocalDate): boolean {
  return zone.dayOf(lastEnded).end - until.getTime() > EVENING_MS;
}
