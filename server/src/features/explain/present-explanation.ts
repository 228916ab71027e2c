// An explanation as the API writes it. Pure.
import { formatInstant } from '../../domain/calendar.ts';
import { OUTCOME_REASONS } from '../../domain/consolidate/index.ts';
import { consolidationKeyOf } from '../../domain/consolidation-keys.ts';
import type { Metric } from '../../domain/metrics/index.ts';
import {
  DAY_ABSENCES,
  type ExplainedCandidate,
  type ExplainedDay,
  type ExplainedRecord,
  RECORD_REASONS,
} from '../pipeline/index.ts';
import { presentValue } from '../reading/index.ts';

export function presentExplanation(explained: ExplainedDay) {
  const { metric, date, span, value, method, isComputed, isOverridden, derived, candidates, records, absence } =
    explained;
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
    computed: isComputed ? metric.description : null,
    formula: derived?.formula ?? null,
    inputs: derived?.inputs ?? null,
    device_order: [...metric.ranking],
    candidates: candidates.map((candidate, index) => presentCandidate(candidate, index + 1)),
    records: records.map((record) => presentRecord(record, metric)),
    absence: absence === null ? null : { reason: absence, message: DAY_ABSENCES[absence] },
  };
}

function presentCandidate({ device, isEnabled, own, outcome, contributed, samples }: ExplainedCandidate, rank: number) {
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
  };
}

function presentRecord({ kind, id, device, session, value, outcome }: ExplainedRecord, metric: Metric) {
  return {
    kind,
    id,
    provider: device.provider,
    device_id: device.id,
    device_class: device.deviceClass,
    start: at(session.start),
    end: at(session.end),
    value: value === null ? null : presentValue(metric, value, 'metric').value,
    outcome,
    reason: RECORD_REASONS[outcome],
  };
}

function at(epochMs: number): string {
  return formatInstant(new Date(epochMs));
}
