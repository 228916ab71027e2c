// Explains, for every sleep or workout considered for a daily value, why it is used or not.

import { isComparing } from '../../../domain/consolidate/day-value.ts';
import type { Metric } from '../../../domain/metrics/index.ts';
import { NAPS, SLEEP_METRICS, WORKOUT_METRICS } from '../../../domain/metrics/session-metrics.ts';
import type { Session } from '../../../domain/records/session.ts';
import { overlapMs } from '../../../domain/records/session.ts';
import { findOriginals, type Original } from '../../../domain/sessions/session-originals.ts';
import type { SessionCandidate } from '../../../domain/sessions/sessions.ts';
import {
  canStandIn,
  explainUnused,
  fillSleeps,
  findMainSleep,
  isDescribed,
  joinGroup,
  readSleepMetric,
  type SleepGroup,
  type UnusedReason,
} from '../../../domain/sleep/index.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import { findZones, listFedMetrics, traitsOfWorkout } from '../../../domain/workouts/index.ts';
import { addDevices, type SourceDevice } from '../../store/devices/index.ts';
import { readWorkoutsOfDates } from '../../store/session-store/index.ts';
import type { ConsolidationContext } from './consolidation-context.ts';
import { findEnabledNight, openHeartRateRange, summarizeEnabled } from './session-days.ts';
import {
  consolidateGroups,
  groupSleeps,
  listCanonicalSleeps,
  listHidden,
  readSleepRecords,
  type StoredSleepRecord,
  withoutProviders,
} from './sleep-records.ts';

export const RECORD_REASONS = {
  used: 'Its value is used, alone or with others.',
  no_value: 'It does not have this value.',
  disabled: 'Its provider is disabled for this metric.',
  re_export: 'It repeats a record of another source, which ranks higher.',
  less_detail: 'Minutes come from one record, and another record has more detail.',
  fragment: 'It covers too little of the sleep.',
  outranked: 'A record that ranks higher has the value.',
  contradiction: 'With it, the minutes of the sleep would contradict each other.',
  other_part: 'The value describes another part of the same night.',
  other_sleep: 'The value describes another sleep of the day: the main sleep, or the naps.',
  other_day: 'It duplicates a sleep that counts toward another day.',
  daily_value: 'A daily value or samples that a device reported are used instead.',
  smaller: 'Another provider has a larger value, or the same value and a higher rank.',
} as const satisfies Record<UnusedReason, string> & Record<string, string>;
export type RecordOutcome = keyof typeof RECORD_REASONS;

export type ExplainedRecord = {
  readonly kind: 'sleep' | 'workout';
  readonly id: string;
  readonly device: SourceDevice;
  readonly session: Session;
  /** The value of this record alone. */
  readonly value: number | null;
  readonly outcome: RecordOutcome;
  /** The record that it repeats; null: none is known. */
  readonly original: { readonly id: string; readonly provider: string } | null;
};

/** The outcome of a device, which applies to its records. */
export type JudgeDevice = (device: SourceDevice) => 'used' | 'smaller' | 'outranked' | 'daily_value';

export async function explainRecords(
  context: ConsolidationContext,
  metric: Metric,
  date: LocalDate,
  judgeDevice: JudgeDevice,
): Promise<ExplainedRecord[]> {
  const records = SLEEP_METRICS.has(metric.id)
    ? await explainSleeps(context, metric, date)
    : WORKOUT_METRICS.has(metric.id)
      ? await explainWorkouts(context, metric, date)
      : [];
  const order = context.rankedFor(metric).map(({ device }) => device.number);
  return records
    .map((one) => (one.outcome === 'used' ? { ...one, outcome: judgeDevice(one.device) } : one))
    .sort((a, b) => order.indexOf(a.device.number) - order.indexOf(b.device.number));
}

async function explainSleeps(
  context: ConsolidationContext,
  metric: Metric,
  date: LocalDate,
): Promise<ExplainedRecord[]> {
  const records = (await readSleepRecords(context, [date])).get(date);
  if (records === undefined) return [];
  const night = findMainSleep(listCanonicalSleeps(records), context.zone);
  const hidden = listHidden(context.rules, metric.id, records.all);
  // Methods that compare devices consolidate each device's records separately.
  const sets = isComparing(context.rules.methodOf(metric))
    ? [...Map.groupBy(withoutProviders(records.ofDate, hidden), ({ device }) => device.id).values()].map(
        consolidateGroups,
      )
    : [groupSleeps(records, hidden)];
  const parts = sets.flatMap((ofSet) =>
    summarizeEnabled(context, date, fillSleeps(ofSet, context.zone), night).parts(metric.id),
  );
  const contributors = new Set(parts.map(({ device, key }) => `${device} ${key}`));
  const isContributor = ({ device, session }: StoredSleepRecord) => contributors.has(`${device.id} ${session.key}`);
  const originals = findOriginals(records.all);
  const known = new Map(sets.flatMap((ofSet) => describeRecords(context, metric, ofSet, { night, isContributor })));
  const judge = (record: StoredSleepRecord, value: number | null): RecordOutcome => {
    if (hidden.includes(record.device.provider)) return 'disabled';
    if (value === null) return 'no_value';
    if (isContributor(record)) return 'used';
    const group = known.get(record);
    if (group === undefined) return 'other_day';
    return explainUnused(metric.id, record, { ...group, isReExport: originals.has(record) });
  };
  const overlapsNight = ({ session }: StoredSleepRecord) =>
    metric.id === NAPS && night.some((part) => overlapMs(part.session, session) > 0);
  return records.all.map((record) => {
    const value =
      overlapsNight(record) && !isContributor(record)
        ? null
        : readSleepMetric(metric.id, record, (epochMs) => context.zone.wallMinutes(epochMs, date));
    const { id, device, session } = record;
    const original = describeOriginal(originals.get(record));
    return { kind: 'sleep', id, device, session, value, outcome: judge(record, value), original };
  });
}

/** By record: the facts about its sleep that decide whether it is used. */
function describeRecords(
  { zone }: ConsolidationContext,
  metric: Metric,
  groups: readonly SleepGroup<StoredSleepRecord>[],
  {
    night,
    isContributor,
  }: { night: readonly SessionCandidate<Session>[]; isContributor(record: StoredSleepRecord): boolean },
) {
  const sleeps = groups.map((group) => ({ ...joinGroup(group), canonical: group.canonical }));
  const main = findEnabledNight(sleeps, night, zone);
  const naps = sleeps.filter((sleep) => !main.includes(sleep));
  // A record of the whole night may contribute vitals to a part that it does not duplicate.
  const contributorsOfNight = main.flatMap((part) => part.duplicates).filter(isContributor);
  return sleeps.flatMap((sleep) => {
    const { canonical, duplicates } = sleep;
    const isOfNight = main.includes(sleep);
    const overPart = isOfNight
      ? contributorsOfNight.find((contributor) => canStandIn(contributor, canonical))
      : undefined;
    const winner = [canonical, ...duplicates].find(isContributor) ?? overPart ?? null;
    const described = isDescribed(metric.id, sleep, { main, naps });
    const context = { canonical, winner, isOfNight, isDescribed: described, isPart: isOfNight && main.length > 1 };
    return [canonical, ...duplicates].map((record) => [record, context] as const);
  });
}

async function explainWorkouts(
  context: ConsolidationContext,
  metric: Metric,
  date: LocalDate,
): Promise<ExplainedRecord[]> {
  const stored = (await readWorkoutsOfDates(context.tx, context.user, [date])).get(date);
  if (stored === undefined) return [];
  const heartRateRange = (await openHeartRateRange(context, [date])).on(date);
  const workouts = addDevices(context, stored);
  const originals = findOriginals(workouts, traitsOfWorkout);
  return workouts.map((workout) => {
    const { id, device, session, histogram, duplicateOf } = workout;
    const zones = findZones(session, histogram, heartRateRange);
    const value = new Map(listFedMetrics(session, zones)).get(metric.id) ?? null;
    const judge = (): RecordOutcome => {
      if (value === null) return 'no_value';
      if (duplicateOf === null) return 'used';
      return originals.has(workout) ? 're_export' : 'outranked';
    };
    const original = describeOriginal(originals.get(workout));
    return { kind: 'workout', id, device, session, value, outcome: judge(), original };
  });
}

function describeOriginal(
  original: Original<{ readonly id: string; readonly device: SourceDevice }> | undefined,
): ExplainedRecord['original'] {
  return original === undefined ? null : { id: original.record.id, provider: original.record.device.provider };
}
