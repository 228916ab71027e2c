// Days as they really were, and the device's records of them. A day depends only on person and date, so it is cached.

import { createBoundedMap } from '../domain/bounded-map.ts';
import {
  type DeviceRecords,
  type LivedDay,
  liveDay,
  ORDINARY_DAY,
  recordDays,
  type SandboxDevice,
  seeWorkoutsWithWatch,
} from '../domain/sandbox/index.ts';
import type { LocalDate } from '../domain/time/calendar.ts';
import type { SimulatedAccount } from './account-store.ts';

const MAX_DAYS = 400; // some 50 kB each

export type WornDevice = Exclude<SandboxDevice, 'phone'>;
export type DeviceDay = { readonly lived: LivedDay; readonly records: DeviceRecords };
export type DayCache = (account: SimulatedAccount, device: WornDevice, date: LocalDate) => DeviceDay;

export function createDayCache(): DayCache {
  const days = createBoundedMap<string, DeviceDay>(MAX_DAYS);
  return (account, device, date) => {
    const name = `${account.seed}/${device}/${date}`;
    const day = days.get(name) ?? makeDay(account, device, date);
    days.set(name, day);
    return day;
  };
}

function makeDay({ person, zone }: SimulatedAccount, device: WornDevice, date: LocalDate): DeviceDay {
  const lived = liveDay({ person, date, zone, storyOf: () => ORDINARY_DAY });
  const records = recordDays(device, [lived]);
  // Rings also detect sports, but in the sandbox only the watch records them.
  return { lived, records: device === 'ring' ? { ...records, workouts: seeWorkoutsWithWatch(lived) } : records };
}
