// The days of a simulated person as they were, to hold against what a connector read of them.
import { addDays, type LocalDate } from '../../src/domain/calendar.ts';
import { createZone } from '../../src/domain/day.ts';
import type { DailyValue, Sample } from '../../src/domain/records.ts';
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
import type { ProviderRecords } from '../../src/providers/provider-records.ts';
import { SIMULATED_ZONE } from './simulated-connection.ts';
import { listTold } from './told-samples.ts';

export const simulatedZone = createZone(SIMULATED_ZONE);

export function livedOn(seed: string, date: LocalDate): LivedDay {
  const person = drawPerson(seed, { sex: createDraw(seed, 'sex').pick(['female', 'male'] as const) });
  return liveDay({ person, date, zone: simulatedZone, storyOf: () => ORDINARY_DAY });
}

export function seenOn(device: SandboxDevice, seed: string, date: LocalDate): DeviceRecords {
  return recordDays(device, [livedOn(seed, date)]);
}

export function todayAt(now: Date): LocalDate {
  return simulatedZone.dayAt(now.getTime()).date;
}

/** Up to a date, in order. */
export function lastDates(today: LocalDate, days: number): LocalDate[] {
  return Array.from({ length: days }, (_, index) => addDays(today, 1 + index - days));
}

export function dailyOf(pages: readonly ProviderRecords[], metric: string, date: LocalDate): number | undefined {
  const all = pages.flatMap(({ daily }): readonly DailyValue[] => daily);
  return all.find((one) => one.metric === metric && one.date === date)?.value;
}

export function samplesOf(pages: readonly ProviderRecords[], metric: string): Sample[] {
  return pages.flatMap((page) => listTold(page, metric));
}

/** All that was read, by name. */
export function metricsOf(pages: readonly ProviderRecords[]): string[] {
  const names = pages.flatMap(({ samples, daily }) => [...samples.keys(), ...daily.map(({ metric }) => metric)]);
  return [...new Set<string>(names)].sort();
}

export function sumOfSeries({ samples }: DeviceRecords, metric: string): number {
  const found = [...samples].find(([name]) => String(name) === metric)?.[1];
  return Array.from(found?.values ?? []).reduce((sum, value) => sum + value, 0);
}
