// Explains a canonical value: the value of every device, and how it was used. Consolidates like the pipeline, without storing anything.

import { isComparing } from '../../../domain/consolidate/day-value.ts';
import { hrvKindOf } from '../../../domain/metrics/hrv-kind.ts';
import type { Method, Metric } from '../../../domain/metrics/index.ts';
import { DERIVED_FROM_SAMPLES_OF } from '../../../domain/metrics/session-metrics.ts';
import type { HrvKind } from '../../../domain/records/records.ts';
import type { DeviceId } from '../../../domain/tenancy.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { listSourceDevices } from '../../store/devices/index.ts';
import { type DeviceSamples, describeSamples } from '../../store/samples/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { readDayFacts } from './consolidate-days.ts';
import { type ConsolidationContext, openConsolidation } from './consolidation-context.ts';
import { type DayAbsence, findDayAbsence } from './day-absence.ts';
import { addPair, type DayPairs } from './day-pairs.ts';
import { type JudgedCandidate, type JudgedValue, judgeCandidates } from './explain-candidates.ts';
import { type ExplainedFormula, explainDerived } from './explain-derived.ts';
import { type ExplainedNight, explainNight } from './explain-night.ts';
import { type ExplainedRecord, explainRecords, type JudgeDevice } from './explain-records.ts';
import { findCanonicalKind } from './hrv-kinds.ts';

export type ExplainedCandidate = JudgedCandidate & {
  readonly samples: DeviceSamples | null;
  readonly hrvKind: HrvKind | null;
};

export type ExplainedDay = {
  readonly metric: Metric;
  readonly date: LocalDate;
  readonly interval: { readonly startMs: number; readonly endMs: number };
  readonly value: number | null;
  readonly method: Method;
  readonly isOverridden: boolean;
  /** Computed from other values, not consolidated from devices. */
  readonly isComputed: boolean;
  /** Null: the value was consolidated, or comes from canonical sessions. */
  readonly derived: ExplainedFormula | null;
  /** Null: the metric is not heart rate variability, or there is no value. */
  readonly hrvKind: HrvKind | null;
  /** Highest rank first. */
  readonly candidates: readonly ExplainedCandidate[];
  /** Sleeps or workouts that were considered, those of the highest-ranked device first. */
  readonly records: readonly ExplainedRecord[];
  /** Why there is no value; null where there is one. */
  readonly absence: DayAbsence | null;
  /** The main sleep of the date, for metrics that come from sleep. */
  readonly night: ExplainedNight | null;
};

export async function explainDay(
  tx: Transaction,
  user: UserHandle,
  metric: Metric,
  date: LocalDate,
): Promise<ExplainedDay> {
  const devices = await listSourceDevices(tx, user);
  const context = openConsolidation(tx, user, devices);
  return explainInContext(context, await judgeDay(context, metric, date), date);
}

/** Reads what the value of one metric and day depends on, and consolidates it. */
export async function judgeDay(context: ConsolidationContext, metric: Metric, date: LocalDate): Promise<JudgedValue> {
  const pairs: DayPairs = new Map();
  addPair(pairs, metric.id, date);
  await context.days.load([date]);
  return judgeCandidates(context, await readDayFacts(context, pairs, pairs), metric, date);
}

export async function explainInContext(
  context: ConsolidationContext,
  judged: JudgedValue,
  date: LocalDate,
): Promise<ExplainedDay> {
  const { tx, user } = context;
  const { metric, candidates, consolidated, canonical, isReported, isComputed, value, method } = judged;
  const derived = isReported ? null : await explainDerived(context, metric, date);
  const { start, end } = context.zone.dayOf(date);
  const samples = await describeSamples(tx, user, DERIVED_FROM_SAMPLES_OF.get(metric.id) ?? metric.id, start, end);
  const records = await explainRecords(context, metric, date, judgeDevices(judged));
  return {
    metric,
    date,
    interval: { startMs: start, endMs: end },
    value,
    method,
    isOverridden: judged.isOverridden,
    isComputed,
    derived,
    hrvKind:
      candidates.length === 0 ? null : (hrvKindOf(metric) ?? findCanonicalKind(consolidated, candidates, canonical)),
    night: await explainNight(context, metric, date),
    candidates: judged.outcomes.map((outcome) => ({
      ...outcome,
      samples: samples.find(({ device: number }) => number === outcome.device.number) ?? null,
      hrvKind: hrvKindOf(metric) ?? candidates.find((one) => one.device.id === outcome.device.id)?.hrvKind ?? null,
    })),
    records,
    absence: value === null ? findDayAbsence(metric, candidates, records, samples.length > 0) : null,
  };
}

/** No record is used where devices reported the value for the whole day. */
function judgeDevices({ method, candidates, consolidated: { contributors, outcomes } }: JudgedValue): JudgeDevice {
  const originOf = (id: DeviceId | undefined) =>
    candidates.find(({ device }) => device.id === id)?.origin ?? 'sessions';
  return ({ id }) => {
    if (originOf(isComparing(method) ? id : contributors[0]?.id) !== 'sessions') return 'daily_value';
    if (contributors.length === 0 || contributors.some((device) => device.id === id)) return 'used';
    return outcomes.some(({ device, outcome }) => device.id === id && outcome === 'smaller') ? 'smaller' : 'outranked';
  };
}
