// The records behind the sleeps of a day: which of them is shown, and which fill it in.

import type { ConsolidationRules } from '../../../domain/consolidate/consolidation-rules.ts';
import { getMetricOrThrow, type MetricId } from '../../../domain/metrics/index.ts';
import { SLEEP_METRICS } from '../../../domain/metrics/session-metrics.ts';
import type { SleepSession } from '../../../domain/records/records.ts';
import { consolidateSleeps, findSleepDetail, joinGroup, type SleepGroup } from '../../../domain/sleep/index.ts';
import type { DeviceNumber } from '../../../domain/tenancy.ts';
import { addDays, type LocalDate } from '../../../domain/time/calendar.ts';
import type { SourceDevice } from '../../store/devices/index.ts';
import { readSleepsWithDuplicates, type StoredSleep } from '../../store/session-store/index.ts';
import type { ConsolidationContext } from './consolidation-context.ts';

export type SleepRecord = Omit<StoredSleep, 'device'> & { readonly device: SourceDevice };

export type SleepRecords = {
  /** Those that count toward the date. */
  readonly ofDate: readonly SleepRecord[];
  /** Copies of them that count toward another date as well. */
  readonly all: readonly SleepRecord[];
  /** Others of the days around, where a provider is off: without it one of them may be the same night. */
  readonly nearby: readonly SleepRecord[];
};

/** By date; a date without any is not in it. */
export async function readSleepRecords(
  context: Pick<ConsolidationContext, 'tx' | 'user' | 'devices' | 'rules'>,
  dates: Iterable<LocalDate>,
): Promise<Map<LocalDate, SleepRecords>> {
  const wanted = [...dates];
  const isAnyOff = isAnyProviderOff(context);
  const around = (date: LocalDate) => (isAnyOff ? [addDays(date, -1), addDays(date, 1)] : []);
  const read = new Set(wanted.flatMap((date) => [date, ...around(date)]));
  const sleeps = await readSleepsWithDuplicates(context.tx, context.user, [...read]);
  const found = new Map<LocalDate, SleepRecords>();
  for (const date of wanted) {
    const stored = sleeps.get(date);
    if (stored === undefined) continue;
    const ofDate = addDevices(context, stored.sleeps);
    if (ofDate.length === 0) continue;
    const all = [...ofDate, ...addDevices(context, stored.duplicatesElsewhere)];
    const known = new Set(all.map(({ id }) => id));
    const others = around(date).flatMap((other) => sleeps.get(other)?.sleeps ?? []);
    found.set(date, { ofDate, all, nearby: addDevices(context, others).filter(({ id }) => !known.has(id)) });
  }
  return found;
}

function isAnyProviderOff({ devices, rules }: Pick<ConsolidationContext, 'devices' | 'rules'>): boolean {
  const providers = new Set(devices.map(({ provider }) => provider));
  return [...providers].some((provider) =>
    [...SLEEP_METRICS].some((id) => !rules.isEnabled(getMetricOrThrow(id), provider)),
  );
}

/** A session whose device is gone is about to go itself. */
export function addDevices<Stored extends { readonly device: DeviceNumber }>(
  { devices }: Pick<ConsolidationContext, 'devices'>,
  stored: readonly Stored[],
): (Omit<Stored, 'device'> & { readonly device: SourceDevice })[] {
  return stored.flatMap((one) => {
    const device = devices.find(({ number }) => number === one.device);
    return device === undefined ? [] : [{ ...one, device }];
  });
}

/** The sleeps that are shown for the date, whatever the metric. */
export function listCanonicalSleeps(records: SleepRecords) {
  return groupSleeps(records, []).map(joinGroup);
}

/** The shown sleeps of the date with their copies; without some providers, what would be shown if they had sent nothing. */
export function groupSleeps(
  { ofDate, all, nearby }: SleepRecords,
  hidden: readonly string[],
): SleepGroup<SleepRecord>[] {
  if (hidden.length > 0)
    return consolidateGroups(withoutProviders([...all, ...nearby], hidden)).filter(({ canonical }) =>
      ofDate.includes(canonical),
    );
  const duplicates = Map.groupBy(all, ({ duplicateOf }) => duplicateOf);
  return ofDate
    .filter(({ duplicateOf }) => duplicateOf === null)
    .map((canonical) => ({ canonical, duplicates: duplicates.get(canonical.id) ?? [] }));
}

/** Chosen as if these records were all there are. */
export function consolidateGroups(records: readonly SleepRecord[]): SleepGroup<SleepRecord>[] {
  const bySession = new Map(records.map((record) => [record.session, record]));
  const find = ({ session }: { readonly session: SleepSession }) => bySession.get(session) as SleepRecord;
  return consolidateSleeps(records, () => true, findSleepDetail).map((chosen) => ({
    canonical: find(chosen),
    duplicates: chosen.duplicates.map(find),
  }));
}

export function withoutProviders<Stored extends { readonly device: SourceDevice }>(
  records: readonly Stored[],
  hidden: readonly string[],
): Stored[] {
  return records.filter(({ device }) => !hidden.includes(device.provider));
}

/** Providers of these records that are off for the metric, globally or for it alone. */
export function listHidden(
  rules: ConsolidationRules,
  metric: MetricId,
  records: readonly { readonly device: SourceDevice }[],
): string[] {
  const providers = [...new Set(records.map(({ device }) => device.provider))].sort();
  return providers.filter((name) => !rules.isEnabled(getMetricOrThrow(metric), name));
}
