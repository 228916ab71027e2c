// An explanation as the API writes it. Pure.
import { formatInstant } from '../../domain/calendar.ts';
import { DECISION_REASONS, type Decision, OUTCOME_REASONS } from '../../domain/consolidate/index.ts';
import { consolidationKeyOf } from '../../domain/consolidation-keys.ts';
import { isHrv } from '../../domain/hrv-kind.ts';
import type { ExplainedCandidate, ExplainedDay } from '../pipeline/index.ts';
import { presentValue } from '../reading/index.ts';

export function presentExplanation(explained: ExplainedDay) {
  const { metric, date, span, value, method, isComputed, isOverridden, hrvKind, candidates } = explained;
  return {
    metric: metric.id,
    date,
    day_start: at(span.startMs),
    day_end: at(span.endMs),
    value: value === null ? null : presentValue(metric, value, 'metric').value,
    unit: metric.unit,
    method: isComputed ? null : method,
    default_method: isComputed ? null : metric.defaultMethod,
    setting: { key: consolidationKeyOf(metric), overridden: isOverridden },
    ...(isHrv(metric) ? { hrv_kind: hrvKind } : {}),
    computed: isComputed ? metric.description : null,
    device_order: [...metric.ranking],
    candidates: candidates.map((candidate, index) => ({
      ...presentCandidate(candidate, index + 1),
      ...(isHrv(metric) ? { hrv_kind: candidate.hrvKind } : {}),
    })),
  };
}

function presentCandidate(candidate: ExplainedCandidate, rank: number) {
  const { device, isEnabled, own, outcome, contributed, decisions, samples } = candidate;
  return {
    rank,
    provider: device.provider,
    device_id: device.id,
    device_class: device.deviceClass,
    transport: device.transport,
    connected_at: at(device.connectedAt),
    enabled: isEnabled,
    original_value: own.value,
    original_unit: own.unit,
    origin: own.origin,
    outcome,
    reason: OUTCOME_REASONS[outcome],
    contributed,
    samples: samples === null ? null : { count: samples.count, first: at(samples.firstMs), last: at(samples.lastMs) },
    decisions: decisions.map(presentDecision),
  };
}

function presentDecision({ kind, start, end, value, counted }: Decision) {
  return { decision: kind, start: at(start), end: at(end), value, counted, reason: DECISION_REASONS[kind] };
}

function at(epochMs: number): string {
  return formatInstant(new Date(epochMs));
}
