// A new user of the sandbox: three devices, a week of days with their scores, and what was usual in the four weeks before.
import { addDays, type LocalDate } from '../../domain/calendar.ts';
import { createZone, type Zone } from '../../domain/day.ts';
import {
  drawPerson,
  inputsOfDay,
  type LivedDay,
  liveDay,
  ORDINARY_DAY,
  type Person,
} from '../../domain/sandbox/index.ts';
import { nameHrvSeries } from '../../domain/scores/index.ts';
import type { DeviceNumber } from '../../domain/tenancy.ts';
import { ageYearsOn } from '../../domain/workouts/index.ts';
import type { Transaction } from '../../platform/db/database.ts';
import { saveHiddenInputs, scoreMarkedDays } from '../scoring/index.ts';
import { type Profile, readProfile, type UserHandle } from '../subjects/index.ts';
import { connectDevices, type PersonDevices } from './devices.ts';
import { insertPerson } from './store.ts';
import { tellDays } from './tell-days.ts';

export const SEEDED_DAYS = 7;
/** Of these only what scores are made of is kept, and nothing is shown. */
const HIDDEN_DAYS = 28;

/** In the transaction that makes the user: there is no user without all of it. */
export async function seedSandboxUser(tx: Transaction, user: UserHandle, now: Date): Promise<void> {
  const zone = createZone(user.timezone);
  const { date: today, start } = zone.dayAt(now.getTime());
  const person = drawUser(user, await readProfile(tx, user), today);
  const devices = await connectDevices(tx, user, now);
  const firstDay = addDays(today, -SEEDED_DAYS);
  await tellDays({ tx, user, devices, now }, liveDays(person, zone, firstDay, addDays(today, -1)));
  const hidden = liveDays(person, zone, addDays(firstDay, -HIDDEN_DAYS), addDays(firstDay, -1));
  await saveHiddenInputs(tx, user, hideDays(hidden, devices));
  await scoreMarkedDays(tx, user, now);
  await insertPerson(tx, user, new Date(start));
}

/** The same person each time, as long as the profile says the same. */
export function drawUser({ userId }: UserHandle, profile: Profile, today: LocalDate): Person {
  return drawPerson(userId, {
    sex: profile.sex ?? null,
    ageYears: profile.birth_date === undefined ? null : ageYearsOn(today, profile.birth_date),
    heightCm: profile.height_cm ?? null,
    weightKg: profile.weight_kg ?? null,
    maxBpm: profile.max_heart_rate ?? null,
  });
}

export function liveDays(person: Person, zone: Zone, from: LocalDate, to: LocalDate): LivedDay[] {
  const days: LivedDay[] = [];
  for (let date = from; date <= to; date = addDays(date, 1))
    days.push(liveDay({ person, date, zone, storyOf: () => ORDINARY_DAY }));
  return days;
}

function hideDays(days: readonly LivedDay[], devices: PersonDevices): Map<LocalDate, ReturnType<typeof inputsOfDay>> {
  const nameOf = (device: 'ring' | 'watch') =>
    nameHrvSeries('sleep_rmssd', devices.get(device)?.number ?? (0 as DeviceNumber));
  const series = { ring: nameOf('ring'), watch: nameOf('watch') };
  return new Map(days.map((day) => [day.date, inputsOfDay(day, series)]));
}
