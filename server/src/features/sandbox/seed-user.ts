// A new user of the sandbox: three devices, a week of days with their scores, and what was usual in the four weeks before.
import { addDays, type LocalDate } from '../../domain/calendar.ts';
import { createZone } from '../../domain/day.ts';
import { inputsOfDay, type LivedDay } from '../../domain/sandbox/index.ts';
import { nameHrvSeries } from '../../domain/scores/index.ts';
import type { DeviceNumber } from '../../domain/tenancy.ts';
import type { Transaction } from '../../platform/db/database.ts';
import { saveHiddenInputs, scoreMarkedDays } from '../scoring/index.ts';
import { readProfile, type UserHandle } from '../subjects/index.ts';
import { connectDevices, type PersonDevices, recordHistory } from './devices.ts';
import { drawUser, liveDays, planNextDay } from './person.ts';
import { insertPerson } from './store.ts';
import { tellDays } from './tell-days.ts';

const SEEDED_DAYS = 7;
/** Of these only what scores are made of is kept, and nothing is shown. */
const HIDDEN_DAYS = 28;

/** In the transaction that makes the user: there is no user without all of it. */
export async function seedSandboxUser(tx: Transaction, user: UserHandle, now: Date): Promise<void> {
  const zone = createZone(user.timezone);
  const { date: today } = zone.dayAt(now.getTime());
  const person = drawUser(user, await readProfile(tx, user), today);
  const devices = await connectDevices(tx, user, now);
  const [from, to] = [addDays(today, -SEEDED_DAYS), addDays(today, -1)];
  await recordHistory(tx, user, devices, from);
  const next = planNextDay(person, zone, to);
  const shown = liveDays({ person, zone, from, to, untilMs: next.dataUntil.getTime() });
  await tellDays({ tx, user, devices, now }, shown);
  const hidden = liveDays({ person, zone, from: addDays(from, -HIDDEN_DAYS), to: addDays(from, -1) });
  await saveHiddenInputs(tx, user, hideDays(hidden, devices));
  await scoreMarkedDays(tx, user, now);
  await insertPerson(tx, user, next);
}

function hideDays(days: readonly LivedDay[], devices: PersonDevices): Map<LocalDate, ReturnType<typeof inputsOfDay>> {
  const nameOf = (device: 'ring' | 'watch') =>
    nameHrvSeries('sleep_rmssd', devices.get(device)?.number ?? (0 as DeviceNumber));
  const series = { ring: nameOf('ring'), watch: nameOf('watch') };
  return new Map(days.map((day) => [day.date, inputsOfDay(day, series)]));
}
