// Explains a canonical value: the value of every device, and how it was used. Consolidates like the pipeline, without storing anything.

import type { DayOrigin } from '../../../domain/consolidate/day-notes.ts';
import { parseDeviceDayNote } from '../../../domain/consolidate/day-notes.ts';
import { type DayCandidate, enableCanonicalWorkouts, isComparing } from '../../../domain/consolidate/day-value.ts';
import type { CandidateOutcome, Consolidated } from '../../../domain/consolidate/index.ts';
import { deriveMetric, isSumOfParts } from '../../../domain/metrics/derived-metrics.ts';
import { hrvKindOf } from '../../../domain/metrics/hrv-kind.ts';
import type { Method, Metric } from '../../../domain/metrics/index.ts';
import { DERIVED_FROM_SAMPLES_OF, WORKOUT_METRICS } from '../../../domain/metrics/session-metrics.ts';
import type { HrvKind } from '../../../domain/records/records.ts';
import type { DeviceId, DeviceNumber } from '../../../domain/tenancy.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { listSourceDevices, type SourceDevice } from '../../store/devices/index.ts';
import { type DeviceSamples, describeSamples } from '../../store/samples/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { consolidateAmong, readDayFacts } from './consolidate-days.ts';
import { type ConsolidationContext, openConsolidation } from './consolidation-context.ts';
import { type DayAbsence, findDayAbsence } from './day-absence.ts';
import { addPair, type DayPairs } from './day-pairs.ts';
import { type DeviceDayState, findSessions } from './device-days.ts';
import { type ExplainedFormula, explainDerived } from './explain-derived.ts';
import { type ExplainedNight, explainNight } from './explain-night.ts';
import { type ExplainedRecord, explainRecords, type JudgeDevice } from './explain-records.ts';
import { findCanonicalKind } from './hrv-kinds.ts';

export type ExplainedCandidate = CandidateOutcome & {
  readonly device: SourceDevice;
  readonly isEnabled: boolean;
  /** The device's value as sent; null where only one of its sleeps counts, as part of another device's night. */
  readonly deviceValue: { readonly value: number | null; readonly unit: string; readonly origin: DayOrigin };
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
  const pairs: DayPairs = new Map();
  addPair(pairs, metric.id, date);
  await context.days.load([date]);
  const facts = await readDayFacts(context, pairs, pairs);
  const canonical = findSessions(facts, metric.id)?.get(date)?.canonical.get(metric.id) ?? null;
  const { candidates: listed, consolidated } = consolidateAmong(context, facts, metric, date, canonical);
  const candidates = enableCanonicalWorkouts(metric, listed, canonical);
  const isSummed =
    isSumOfParts(metric.id) &&
    deriveMetric(metric.id, (id) => context.days.canonicalValue(id, date)?.value ?? null) !== null;
  const isReported = !isSummed && candidates.some(({ isEnabled }) => isEnabled);
  const derived = isReported ? null : await explainDerived(context, metric, date);
  const { start, end } = context.zone.dayOf(date);
  const samples = await describeSamples(tx, user, DERIVED_FROM_SAMPLES_OF.get(metric.id) ?? metric.id, start, end);
  const value = context.days.canonicalValue(metric.id, date)?.value ?? null;
  const method = context.rules.methodOf(metric);
  const records = await explainRecords(context, metric, date, judgeDevices(method, candidates, consolidated));
  return {
    metric,
    date,
    interval: { startMs: start, endMs: end },
    value,
    method,
    isOverridden: context.rules.isOverridden(metric),
    isComputed: !isReported && (derived !== null || metric.consolidation.by === 'derived'),
    derived,
    hrvKind:
      candidates.length === 0 ? null : (hrvKindOf(metric) ?? findCanonicalKind(consolidated, candidates, canonical)),
    night: await explainNight(context, metric, date),
    candidates: consolidated.outcomes.flatMap((outcome) => {
      const device = devices.find(({ id }) => id === outcome.device.id);
      if (!device) return [];
      const deviceValue = deviceValueOf(context, facts, metric, date, {
        number: device.number,
        origin: candidates.find((one) => one.device.id === device.id)?.origin ?? null,
      });
      return [
        {
          ...outcome,
          ...(isSummed && outcome.outcome === 'used' && { outcome: 'parts_known' as const, contributed: null }),
          device,
          // Workouts count even if their provider is disabled.
          isEnabled:
            (deviceValue.origin === 'sessions' && WORKOUT_METRICS.has(metric.id)) ||
            context.rules.isEnabled(metric, device.provider),
          deviceValue,
          samples: samples.find(({ device: number }) => number === device.number) ?? null,
          hrvKind: hrvKindOf(metric) ?? candidates.find((one) => one.device.id === device.id)?.hrvKind ?? null,
        },
      ];
    }),
    records,
    absence: value === null ? findDayAbsence(metric, candidates, records) : null,
  };
}

/** Where only workouts count, the stated value of a device is ignored and the value of its workouts is used. */
function deviceValueOf(
  { days }: ConsolidationContext,
  facts: DeviceDayState,
  metric: Metric,
  date: LocalDate,
  { number, origin }: { readonly number: DeviceNumber; readonly origin: DayOrigin | null },
): ExplainedCandidate['deviceValue'] {
  const cell = days.deviceValue(number, metric.id, date);
  const stored = cell && { value: cell.value, ...parseDeviceDayNote(cell.note) };
  if (stored !== null && (stored.origin === origin || origin === null)) return stored;
  const value = findSessions(facts, metric.id)?.get(date)?.deviceValues.get(number)?.get(metric.id) ?? null;
  return { value: stored === null ? null : value, unit: metric.unit, origin: 'sessions' };
}

/** No record is used where devices reported the value for the whole day. */
function judgeDevices(
  method: Method,
  candidates: readonly DayCandidate[],
  { contributors, outcomes }: Consolidated,
): JudgeDevice {
  const originOf = (id: DeviceId | undefined) =>
    candidates.find(({ device }) => device.id === id)?.origin ?? 'sessions';
  return ({ id }) => {
    if (originOf(isComparing(method) ? id : contributors[0]?.id) !== 'sessions') return 'daily_value';
    if (contributors.length === 0 || contributors.some((device) => device.id === id)) return 'used';
    return outcomes.some(({ device, outcome }) => device.id === id && outcome === 'smaller') ? 'smaller' : 'outranked';
  };
}
