// Every sleep or workout that was considered for a value of a day, and why it is used or not.

import { isComparing } from '../../../domain/consolidate/day-value.ts';
import type { Metric } from '../../../domain/metrics/index.ts';
import { SLEEP_METRICS, WORKOUT_METRICS } from '../../../domain/metrics/session-metrics.ts';
import type { Session } from '../../../domain/records/session.ts';
import { overlapMs } from '../../../domain/records/session.ts';
import { findOriginals } from '../../../domain/sessions/session-originals.ts';
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
import { findZones, listFedMetrics } from '../../../domain/workouts/index.ts';
import type { SourceDevice } from '../../store/devices/index.ts';
import { readWorkoutsOfDates } from '../../store/session-store/index.ts';
import type { ConsolidationContext } from './consolidation-context.ts';
import { findHeardNight, openHeartLimits, summarizeHeard } from './session-days.ts';
import {
  addDevices,
  consolidateGroups,
  groupSleeps,
  listCanonicalSleeps,
  listHidden,
  readSleepRecords,
  type SleepRecord,
  withoutProviders,
} from './sleep-records.ts';

export const RECORD_REASONS = {
  used: 'Its value is used, alone or with others.',
  no_value: 'It does not have this value.',
  disabled: 'Its provider is switched off for this metric.',
  re_export: 'It repeats a record of the connected account of the same vendor, which ranks first.',
  less_detail: 'Minutes come from one record, and another record has more detail.',
  fragment: 'It covers too little of the sleep.',
  outranked: 'A record that ranks higher has the value.',
  contradiction: 'With it, the minutes of the sleep would contradict each other.',
  other_part: 'The value describes another part of the same night.',
  other_sleep: 'The value describes another sleep of the day: the main sleep, or the naps.',
  other_day: 'It is a copy of a sleep that counts toward another day.',
  daily_value: 'A value that a device reported for the day, or as samples, is used instead.',
  smaller: 'Another provider has a larger value, or the same value and a higher rank.',
} as const satisfies Record<UnusedReason, string> & Record<string, string>;
export type RecordOutcome = keyof typeof RECORD_REASONS;

export type ExplainedRecord = {
  readonly kind: 'sleep' | 'workout';
  readonly id: string;
  readonly device: SourceDevice;
  readonly session: Session;
  /** What it alone says of the metric. */
  readonly value: number | null;
  readonly outcome: RecordOutcome;
};

const NAPS = 'nap_duration';

/** What became of a device's say: its records share it. */
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
  // Methods that compare devices take each by its own records.
  const sets = isComparing(context.rules.methodOf(metric))
    ? [...Map.groupBy(withoutProviders(records.ofDate, hidden), ({ device }) => device.id).values()].map(
        consolidateGroups,
      )
    : [groupSleeps(records, hidden)];
  const parts = sets.flatMap((ofSet) =>
    summarizeHeard(context, date, fillSleeps(ofSet, context.zone), night).parts(metric.id),
  );
  const givers = new Set(parts.map(({ device, key }) => `${device} ${key}`));
  const isGiver = ({ device, session }: SleepRecord) => givers.has(`${device.id} ${session.key}`);
  const originals = findOriginals(records.all);
  const known = new Map(sets.flatMap((ofSet) => describeRecords(context, metric, ofSet, { night, isGiver })));
  const judge = (record: SleepRecord, value: number | null): RecordOutcome => {
    if (hidden.includes(record.device.provider)) return 'disabled';
    if (value === null) return 'no_value';
    if (isGiver(record)) return 'used';
    const group = known.get(record);
    if (group === undefined) return 'other_day';
    return explainUnused(metric.id, record, { ...group, isReExport: originals.has(record) });
  };
  const isNoNap = ({ session }: SleepRecord) =>
    metric.id === NAPS && night.some((part) => overlapMs(part.session, session) > 0);
  return records.all.map((record) => {
    const value = isNoNap(record)
      ? null
      : readSleepMetric(metric.id, record, (epochMs) => context.zone.wallMinutes(epochMs, date));
    const { id, device, session } = record;
    return { kind: 'sleep', id, device, session, value, outcome: judge(record, value) };
  });
}

/** By record: what of its sleep decides whether it is used. */
function describeRecords(
  { zone }: ConsolidationContext,
  metric: Metric,
  groups: readonly SleepGroup<SleepRecord>[],
  { night, isGiver }: { night: readonly SessionCandidate<Session>[]; isGiver(record: SleepRecord): boolean },
) {
  const sleeps = groups.map((group) => ({ ...joinGroup(group), canonical: group.canonical }));
  const main = findHeardNight(sleeps, night, zone);
  const naps = sleeps.filter((sleep) => !main.includes(sleep));
  // A record of the whole night may give the vitals of a part that it is not a copy of.
  const giversOfNight = main.flatMap((part) => part.duplicates).filter(isGiver);
  return sleeps.flatMap((sleep) => {
    const { canonical, duplicates } = sleep;
    const isOfNight = main.includes(sleep);
    const overPart = isOfNight ? giversOfNight.find((giver) => canStandIn(giver, canonical)) : undefined;
    const winner = [canonical, ...duplicates].find(isGiver) ?? overPart ?? null;
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
  const limits = (await openHeartLimits(context, [date])).on(date);
  const workouts = addDevices(context, stored);
  const originals = findOriginals(workouts);
  return workouts.map((workout) => {
    const { id, device, session, histogram, duplicateOf } = workout;
    const zones = findZones(session, histogram, limits);
    const value = new Map(listFedMetrics(session, zones)).get(metric.id) ?? null;
    const judge = (): RecordOutcome => {
      if (value === null) return 'no_value';
      if (duplicateOf === null) return 'used';
      return originals.has(workout) ? 're_export' : 'outranked';
    };
    return { kind: 'workout', id, device, session, value, outcome: judge() };
  });
}
