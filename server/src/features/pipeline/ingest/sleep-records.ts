// The records behind the sleeps of a day: canonical records, and duplicates that fill in their missing values.

import type { ConsolidationRules } from '../../../domain/consolidate/consolidation-rules.ts';
import { getMetricOrThrow, type MetricId } from '../../../domain/metrics/index.ts';
import { SLEEP_METRICS } from '../../../domain/metrics/session-metrics.ts';
import type { SleepSession } from '../../../domain/records/records.ts';
import {
  consolidateSleeps,
  findSleepDetail,
  groupDuplicates,
  joinGroup,
  type SleepGroup,
} from '../../../domain/sleep/index.ts';
import { addDays, type LocalDate } from '../../../domain/time/calendar.ts';
import { addDevices, type SourceDevice } from '../../store/devices/index.ts';
import { readSleepsWithDuplicates, type StoredSleep } from '../../store/session-store/index.ts';
import type { ConsolidationContext } from './consolidation-context.ts';

export type StoredSleepRecord = Omit<StoredSleep, 'device'> & { readonly device: SourceDevice };

type SleepRecords = {
  /** Records that count toward the date. */
  readonly ofDate: readonly StoredSleepRecord[];
  /** The same, with duplicates of them that count toward another date. */
  readonly all: readonly StoredSleepRecord[];
  /** Other records of the neighbouring days, if a provider is disabled: without it, one of them may be the same night. */
  readonly nearby: readonly StoredSleepRecord[];
};

/** By date; dates without records are absent. */
export async function readSleepRecords(
  context: Pick<ConsolidationContext, 'tx' | 'user' | 'devices' | 'rules'>,
  dates: Iterable<LocalDate>,
): Promise<Map<LocalDate, SleepRecords>> {
  const wanted = [...dates];
  const isAnyDisabled = isAnyProviderDisabled(context);
  const around = (date: LocalDate) => (isAnyDisabled ? [addDays(date, -1), addDays(date, 1)] : []);
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

function isAnyProviderDisabled({ devices, rules }: Pick<ConsolidationContext, 'devices' | 'rules'>): boolean {
  const providers = new Set(devices.map(({ provider }) => provider));
  return [...providers].some((provider) =>
    [...SLEEP_METRICS].some((id) => !rules.isEnabled(getMetricOrThrow(id), provider)),
  );
}

/** The canonical sleeps of the date, without regard to a metric's settings. */
export function listCanonicalSleeps(records: SleepRecords) {
  return groupSleeps(records, []).map(joinGroup);
}

/** The canonical sleeps of the date with their duplicates, as if the hidden providers had sent nothing. */
export function groupSleeps(
  { ofDate, all, nearby }: SleepRecords,
  hidden: readonly string[],
): SleepGroup<StoredSleepRecord>[] {
  if (hidden.length > 0)
    return consolidateGroups(withoutProviders([...all, ...nearby], hidden)).filter(({ canonical }) =>
      ofDate.includes(canonical),
    );
  return groupDuplicates(ofDate, all);
}

/** Consolidates these records as if there were no others. */
export function consolidateGroups(records: readonly StoredSleepRecord[]): SleepGroup<StoredSleepRecord>[] {
  const bySession = new Map(records.map((record) => [record.session, record]));
  const find = ({ session }: { readonly session: SleepSession }) => bySession.get(session) as StoredSleepRecord;
  return consolidateSleeps(records, () => true, findSleepDetail).map((canonical) => ({
    canonical: find(canonical),
    duplicates: canonical.duplicates.map(find),
  }));
}

export function withoutProviders<Stored extends { readonly device: SourceDevice }>(
  records: readonly Stored[],
  hidden: readonly string[],
): Stored[] {
  return records.filter(({ device }) => !hidden.includes(device.provider));
}

/** Providers of these records that are disabled for the metric, or for all metrics. */
export function listHidden(
  rules: ConsolidationRules,
  metric: MetricId,
  records: readonly { readonly device: SourceDevice }[],
): string[] {
  const providers = [...new Set(records.map(({ device }) => device.provider))].sort();
  return providers.filter((name) => !rules.isEnabled(getMetricOrThrow(metric), name));
}
