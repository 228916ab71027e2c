// Pages that a connector has read, by metric.

import type { DailyValue, Sample } from '../../src/domain/records/records.ts';
import type { LocalDate } from '../../src/domain/time/calendar.ts';
import type { ProviderRecords } from '../../src/providers/provider-records.ts';
import { listReported } from './reported-samples.ts';

export function dailyOf(pages: readonly ProviderRecords[], metric: string, date: LocalDate): number | undefined {
  const all = pages.flatMap(({ daily }): readonly DailyValue[] => daily);
  return all.find((one) => one.metric === metric && one.date === date)?.value;
}

export function samplesOf(pages: readonly ProviderRecords[], metric: string): Sample[] {
  return pages.flatMap((page) => listReported(page, metric));
}

/** Everything that was read, by name. */
export function metricsOf(pages: readonly ProviderRecords[]): string[] {
  const names = pages.flatMap(({ samples, daily }) => [...samples.keys(), ...daily.map(({ metric }) => metric)]);
  return [...new Set<string>(names)].sort();
}
