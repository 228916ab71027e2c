// An explanation as the API writes it. Pure.
import { formatInstant } from '../../domain/calendar.ts';
import { OUTCOME_REASONS } from '../../domain/consolidate/index.ts';
import { consolidationKeyOf } from '../../domain/consolidation-keys.ts';
import type { ExplainedCandidate, ExplainedDay, ExplainedNight } from '../pipeline/index.ts';
import { presentValue } from '../reading/index.ts';

export function presentExplanation(explained: ExplainedDay) {
  const { metric, date, span, value, method, isComputed, isOverridden, candidates, night } = explained;
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
    device_order: [...metric.ranking],
    candidates: candidates.map((candidate, index) => presentCandidate(candidate, index + 1)),
    night: night === null ? null : presentNight(night),
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

const ONE_SLEEP = 'The longest sleep of the date is its night. It counts toward the day on which it ends.';
const JOINED_SLEEPS =
  'Sleeps of one device in the same night, less than 90 minutes apart, or at any hour less than 60, are one night. All parts count toward the day on which it ends.';

function presentNight({ device, sessions }: ExplainedNight) {
  const [first] = sessions;
  const endMs = sessions.reduce<number>((latest, { end }) => Math.max(latest, end), first.end);
  return {
    provider: device.provider,
    device_id: device.id,
    start: at(first.start),
    end: at(endMs),
    sessions: sessions.map(({ start, end }) => ({ start: at(start), end: at(end) })),
    reason: sessions.length === 1 ? ONE_SLEEP : JOINED_SLEEPS,
  };
}

function at(epochMs: number): string {
  return formatInstant(new Date(epochMs));
}
