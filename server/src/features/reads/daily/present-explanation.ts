// Formats the explanation of a daily value for the API. Pure.

import { consolidationKeyOf } from '../../../domain/consolidate/consolidation-keys.ts';
import { DECISION_REASONS, type Decision, OUTCOME_REASONS } from '../../../domain/consolidate/index.ts';
import { isHrv } from '../../../domain/metrics/hrv-kind.ts';
import type { Metric } from '../../../domain/metrics/index.ts';
import { presentValue } from '../../../domain/metrics/present-value.ts';
import { formatInstant, LAST_INSTANT_MS } from '../../../domain/time/calendar.ts';
import { nameSource } from '../../../providers/registry.ts';
import {
  DAY_ABSENCES,
  type ExplainedCandidate,
  type ExplainedDay,
  type ExplainedNight,
  type ExplainedRecord,
  RECORD_REASONS,
} from '../../pipeline/ingest/index.ts';

export function presentExplanation(explained: ExplainedDay) {
  const { metric, date, interval, value, method, isComputed, isOverridden, derived, hrvKind } = explained;
  const { candidates, records, absence, night } = explained;
  return {
    metric: metric.id,
    date,
    day_start: at(interval.startMs),
    day_end: at(Math.min(interval.endMs, LAST_INSTANT_MS)),
    value: value === null ? null : presentValue(metric, value, 'metric').value,
    unit: metric.unit,
    method: isComputed ? null : method,
    default_method: isComputed ? null : metric.defaultMethod,
    setting: { key: consolidationKeyOf(metric), overridden: isOverridden },
    ...(isHrv(metric) ? { hrv_kind: hrvKind } : {}),
    computed: isComputed ? metric.description : null,
    formula: derived?.formula ?? null,
    inputs: derived?.inputs ?? null,
    device_order: [...metric.ranking],
    candidates: candidates.map((candidate, index) => ({
      ...presentCandidate(candidate, index + 1),
      ...(isHrv(metric) ? { hrv_kind: candidate.hrvKind } : {}),
    })),
    records: records.map((record) => presentRecord(record, metric)),
    absence: absence === null ? null : { reason: absence, message: DAY_ABSENCES[absence] },
    night: night === null ? null : presentNight(night),
  };
}

function presentCandidate(candidate: ExplainedCandidate, rank: number) {
  const { device, isEnabled, deviceValue, outcome, contributed, decisions, samples } = candidate;
  return {
    rank,
    provider: device.provider,
    device_id: device.id,
    device_class: device.deviceClass,
    transport: device.transport,
    connected_at: at(device.connectedAt),
    enabled: isEnabled,
    original_value: deviceValue.value,
    original_unit: deviceValue.unit,
    origin: deviceValue.origin,
    outcome,
    reason: OUTCOME_REASONS[outcome],
    contributed,
    samples: samples === null ? null : { count: samples.count, first: at(samples.firstMs), last: at(samples.lastMs) },
    decisions: decisions.map(presentDecision),
  };
}

function presentRecord(record: ExplainedRecord, metric: Metric) {
  const { kind, id, device, session, value, outcome, original } = record;
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
    reason: explainOutcome(record),
    original_id: original?.id ?? null,
  };
}

function explainOutcome({ kind, outcome, original }: ExplainedRecord): string {
  if (outcome !== 're_export' || original === null) return RECORD_REASONS[outcome];
  return `It is a re-export of a ${kind} from ${nameSource(original.provider)}, which ranks higher.`;
}

function presentDecision({ kind, start, end, value, counted }: Decision) {
  return { decision: kind, start: at(start), end: at(end), value, counted, reason: DECISION_REASONS[kind] };
}

const ONE_SLEEP = 'The longest sleep of the date is the night. It counts toward the day on which it ends.';
const JOINED_SLEEPS =
  'Sleep records of one device are one night if they are less than 90 minutes apart at night, or less than 60 minutes apart at any hour. All parts count toward the day on which the night ends.';

function presentNight({ device, sessions }: ExplainedNight) {
  const [first] = sessions;
  const endMs = sessions.reduce<number>((latest, { end }) => Math.max(latest, end), first.end);
  return {
    provider: device.provider,
    device_id: device.id,
    start: at(first.start),
    end: at(endMs),
    sessions: sessions.map(({ device: { id }, start, end }) => ({
      start: at(start),
      end: at(end),
      ...(id !== device.id && { device_id: id }),
    })),
    reason: sessions.length === 1 ? ONE_SLEEP : JOINED_SLEEPS,
  };
}

function at(epochMs: number): string {
  return formatInstant(new Date(epochMs));
}
