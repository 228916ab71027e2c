// Consolidates one metric of one day for an explanation: the value, and how the value of every device was used.

import { type DayOrigin, parseDeviceDayNote } from '../../../domain/consolidate/day-notes.ts';
import type { DayCandidate, SessionsOfDay } from '../../../domain/consolidate/day-value.ts';
import type { CandidateOutcome, Consolidated } from '../../../domain/consolidate/index.ts';
import { deriveMetric, isSumOfParts } from '../../../domain/metrics/derived-metrics.ts';
import type { Method, Metric } from '../../../domain/metrics/index.ts';
import { WORKOUT_METRICS } from '../../../domain/metrics/session-metrics.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import type { SourceDevice } from '../../store/devices/index.ts';
import { consolidateAmong } from './consolidate-days.ts';
import type { ConsolidationContext } from './consolidation-context.ts';
import { type DayFacts, findSessions, findSessionValue } from './device-days.ts';
import { isDerivable } from './explain-derived.ts';

export type JudgedCandidate = CandidateOutcome & {
  readonly device: SourceDevice;
  readonly isEnabled: boolean;
  /** The device's value as sent, or what its sessions contribute; null if it has neither. */
  readonly deviceValue: { readonly value: number | null; readonly unit: string; readonly origin: DayOrigin };
};

export type JudgedValue = {
  readonly metric: Metric;
  readonly method: Method;
  readonly isOverridden: boolean;
  /** As it is stored. */
  readonly value: number | null;
  readonly candidates: readonly DayCandidate[];
  readonly consolidated: Consolidated;
  /** The value of the canonical sleeps or workouts, for metrics that come from them. */
  readonly canonical: SessionsOfDay | null;
  /** The parts of a sum are known, so the service adds them up whatever devices report. */
  readonly isSummed: boolean;
  readonly isReported: boolean;
  /** Computed from other values, not consolidated from devices. */
  readonly isComputed: boolean;
  /** Highest rank first. */
  readonly outcomes: readonly JudgedCandidate[];
  readonly facts: DayFacts;
};

/** The caller has loaded the month of the date. */
export function judgeCandidates(
  context: ConsolidationContext,
  facts: DayFacts,
  metric: Metric,
  date: LocalDate,
): JudgedValue {
  const canonical = findSessions(facts, metric.id)?.get(date)?.canonical.get(metric.id) ?? null;
  const { candidates, consolidated } = consolidateAmong(context, facts, metric, date, canonical);
  const isSummed =
    isSumOfParts(metric.id) &&
    deriveMetric(metric.id, (id) => context.days.canonicalValue(id, date)?.value ?? null) !== null;
  const isReported = !isSummed && candidates.some(({ isEnabled }) => isEnabled);
  const judged = {
    metric,
    method: context.rules.methodOf(metric),
    isOverridden: context.rules.isOverridden(metric),
    value: context.days.canonicalValue(metric.id, date)?.value ?? null,
    candidates,
    consolidated,
    canonical,
    isSummed,
    isReported,
    isComputed: !isReported && (isDerivable(metric) || metric.consolidation.by === 'derived'),
    facts,
  };
  return { ...judged, outcomes: listOutcomes(context, judged, date) };
}

function listOutcomes(
  context: ConsolidationContext,
  { metric, candidates, consolidated, isSummed, facts }: Omit<JudgedValue, 'outcomes'>,
  date: LocalDate,
): JudgedCandidate[] {
  return consolidated.outcomes.flatMap((outcome) => {
    const device = context.devices.find(({ id }) => id === outcome.device.id);
    if (!device) return [];
    const origin = candidates.find((one) => one.device.id === device.id)?.origin ?? null;
    const deviceValue = deviceValueOf(context, facts, metric, date, { device, origin });
    return {
      ...outcome,
      ...(isSummed && outcome.outcome === 'used' && { outcome: 'parts_known' as const, contributed: null }),
      device,
      // Workouts count even if their provider is disabled.
      isEnabled:
        (deviceValue.origin === 'sessions' && WORKOUT_METRICS.has(metric.id)) ||
        context.rules.isEnabled(metric, device.provider),
      deviceValue,
    };
  });
}

function deviceValueOf(
  { days }: ConsolidationContext,
  facts: DayFacts,
  metric: Metric,
  date: LocalDate,
  { device, origin }: { readonly device: SourceDevice; readonly origin: DayOrigin | null },
): JudgedCandidate['deviceValue'] {
  const cell = days.deviceValue(device.number, metric.id, date);
  const stored = cell && { value: cell.value, ...parseDeviceDayNote(cell.note) };
  if (stored !== null && (stored.origin === origin || origin === null)) return stored;
  const value = findSessionValue(days, facts, metric.id, date, device);
  return { value, unit: metric.unit, origin: 'sessions' };
}
