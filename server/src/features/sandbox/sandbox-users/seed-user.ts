// Seeds a new sandbox user: three devices, a week of data with scores, and score baselines from the four weeks before.

import {
  type DeviceRecords,
  inputsOfDay,
  type LivedDay,
  recordDays,
  SANDBOX_DEVICES,
  type SandboxDevice,
} from '../../../domain/sandbox/index.ts';
import { nameHrvSeries } from '../../../domain/scores/index.ts';
import type { DeviceNumber, UserId } from '../../../domain/tenancy.ts';
import { addDays, type LocalDate } from '../../../domain/time/calendar.ts';
import { createZone } from '../../../domain/time/day.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { createYielder } from '../../../platform/event-loop.ts';
import { saveHiddenInputs, scoreQueuedDays } from '../../pipeline/scoring/index.ts';
import type { Profile, UserHandle } from '../../tenancy/user-core/index.ts';
import { connectDevices, type PersonDevices, recordHistory } from './devices.ts';
import { drawUser, liveDays, planNextDay } from './person.ts';
import { insertPerson, type Progress } from './store.ts';
import { writeBatch } from './write-days.ts';

const SEEDED_DAYS = 7;
/** Only the score inputs of these days are stored; the API does not return them. */
const HIDDEN_DAYS = 28;

/** The generated days of a user before they are stored. */
export type Seed = {
  readonly from: LocalDate;
  readonly records: ReadonlyMap<SandboxDevice, DeviceRecords>;
  readonly hidden: readonly LivedDay[];
  readonly next: Progress;
};

/** Runs before the transaction that creates the user, because generating takes a while and needs no connection. */
export async function prepareSeed(
  user: { readonly userId: UserId; readonly timezone: string | null; readonly profile: Profile },
  now: Date,
): Promise<Seed> {
  const zone = createZone(user.timezone);
  const { date: today } = zone.dayAt(now.getTime());
  const person = drawUser(user, user.profile, today);
  const [from, to] = [addDays(today, -SEEDED_DAYS), addDays(today, -1)];
  const next = planNextDay(person, zone, to);
  const visible = await liveDays({ person, zone, from, to, untilMs: next.dataUntil.getTime() });
  const hidden = await liveDays({ person, zone, from: addDays(from, -HIDDEN_DAYS), to: addDays(from, -1) });
  const yieldIfDue = createYielder();
  const records = new Map<SandboxDevice, DeviceRecords>();
  for (const device of SANDBOX_DEVICES) {
    await yieldIfDue();
    records.set(device, recordDays(device, visible));
  }
  return { from, records, hidden, next };
}

/** Runs in the transaction that creates the user, so that a user never exists without its data. */
export async function seedSandboxUser(tx: Transaction, user: UserHandle, seed: Seed, now: Date): Promise<void> {
  const devices = await connectDevices(tx, user, now);
  await recordHistory(tx, user, devices, seed.from);
  for (const [device, records] of seed.records)
    await writeBatch({ tx, user, devices, now }, device, { ...records, deletions: [] });
  await saveHiddenInputs(tx, user, await hideDays(seed.hidden, devices));
  await scoreQueuedDays(tx, user, now);
  await insertPerson(tx, user, seed.next);
}

async function hideDays(
  days: readonly LivedDay[],
  devices: PersonDevices,
): Promise<Map<LocalDate, ReturnType<typeof inputsOfDay>>> {
  const nameOf = (device: 'ring' | 'watch') =>
    nameHrvSeries('sleep_rmssd', devices.get(device)?.number ?? (0 as DeviceNumber));
  const series = { ring: nameOf('ring'), watch: nameOf('watch') };
  const yieldIfDue = createYielder();
  const inputs = new Map<LocalDate, ReturnType<typeof inputsOfDay>>();
  for (const day of days) {
    await yieldIfDue();
    inputs.set(day.date, inputsOfDay(day, series));
  }
  return inputs;
}
