// The true days of a simulated user, to compare with reads.
import assert from 'node:assert/strict';
import {
  createDraw,
  type DeviceRecords,
  drawPerson,
  type LivedDay,
  liveDay,
  ORDINARY_DAY,
  recordDays,
  type SandboxDevice,
} from '../../src/domain/sandbox/index.ts';
import { addDays, type LocalDate } from '../../src/domain/time/calendar.ts';
import { createZone } from '../../src/domain/time/day.ts';
import { SIMULATED_ZONE } from './simulated-connection.ts';

export const simulatedZone = createZone(SIMULATED_ZONE);

/** The simulated person behind the account. */
export function personOf(account: string) {
  return drawPerson(account, { sex: createDraw(account, 'sex').pick(['female', 'male'] as const) });
}

export function livedOn(account: string, date: LocalDate): LivedDay {
  return liveDay({ person: personOf(account), date, zone: simulatedZone, storyOf: () => ORDINARY_DAY });
}

export function seenOn(device: SandboxDevice, account: string, date: LocalDate): DeviceRecords {
  return recordDays(device, [livedOn(account, date)]);
}

/** The night that ends on the following day. */
export function nightAfter(account: string, now: Date): LivedDay['sleeps'][number] {
  const { sleeps } = livedOn(account, addDays(todayAt(now), 1));
  return sleeps.find(({ kind }) => kind === 'night') ?? assert.fail('no night');
}

export function todayAt(now: Date): LocalDate {
  return simulatedZone.dayAt(now.getTime()).date;
}

/** Up to a date, in order. */
export function lastDates(today: LocalDate, days: number): LocalDate[] {
  return Array.from({ length: days }, (_, index) => addDays(today, 1 + index - days));
}

export function sumOfSeries({ samples }: DeviceRecords, metric: string): number {
  const found = [...samples].find(([name]) => String(name) === metric)?.[1];
  return Array.from(found?.values ?? []).reduce((sum, value) => sum + value, 0);
}
