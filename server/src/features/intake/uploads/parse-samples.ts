// Parses the samples of an upload. They are most of its items, so they go into columns in one pass, with objects only for faults.

import type { Scope } from '../../../domain/metrics/categories.ts';
import type { Metric, MetricId } from '../../../domain/metrics/index.ts';
import { MAX_SAMPLE_MS } from '../../../domain/metrics/record-limits.ts';
import { findUnit, listUnitRules, type UnitRules } from '../../../domain/metrics/unit-rules.ts';
import {
  collectSample,
  createCollector,
  finishCollector,
  packTraits,
  type SampleCollector,
  type SampleColumns,
} from '../../../domain/packed/sample-blocks/index.ts';
import { isWithin } from '../../../domain/records/check-numbers.ts';
import { findTimeProblem, isSampleTimely, type TimeProblem } from '../../../domain/records/check-times.ts';
import { RECORDING_METHODS } from '../../../domain/records/records.ts';
import { DAY_MS } from '../../../domain/time/durations.ts';
import { parseInstant, readOffsetMinutes } from '../../../domain/time/parse-instant.ts';
import { describeLimit, type Fields, findUnknownField, TIME_FAULTS } from './item.ts';
import { addReject, cleanName, type ItemFault, quote, type RejectCode, type Rejects } from './reject.ts';
import { SAMPLE_FIELDS } from './schemas.ts';
import { MAX_CROSSED_MIDNIGHTS, MAX_SAMPLED_DAYS, overLimit } from './upload-limits.ts';
import { describeUnits, judgeMetric } from './upload-metrics.ts';

type ParsedSamples = {
  /** Per metric, ascending, each start once, as domain/packed/sample-blocks requires. */
  readonly samples: ReadonlyMap<MetricId, SampleColumns>;
  readonly duplicates: number;
  readonly replaced: number;
};

/** A metric of this upload: its unit rules and the samples collected so far. */
type MetricSamples = {
  readonly metric: Metric;
  readonly rules: readonly UnitRules[];
  readonly collector: SampleCollector;
  /** UTC days with samples; bounds the work of the recomputation in any time zone. */
  readonly days: Set<number>;
  lastDay: number;
};

type Run = {
  readonly scopes: readonly Scope[];
  readonly latestMs: number;
  /** All samples of the upload. */
  readonly count: number;
  readonly byId: Map<MetricId, MetricSamples>;
  /** For all metrics together. */
  daysLeft: number;
  midnightsLeft: number;
  /** The previous sample's metric, because neighbours usually have the same metric. */
  lastName: string | null;
  last: MetricSamples | null;
};

const UNKNOWN_METHOD = RECORDING_METHODS.indexOf('unknown');

export function parseSamples(
  values: readonly unknown[],
  { scopes, latestMs }: { scopes: readonly Scope[]; latestMs: number },
  rejects: Rejects,
): ParsedSamples {
  const run: Run = {
    scopes,
    latestMs,
    count: values.length,
    byId: new Map(),
    daysLeft: MAX_SAMPLED_DAYS,
    midnightsLeft: MAX_CROSSED_MIDNIGHTS,
    lastName: null,
    last: null,
  };
  for (let index = 0; index < values.length; index += 1) {
    const fault = gatherSample(run, values[index]);
    if (fault !== null) addReject(rejects, 'samples', index, fault);
  }
  const samples = new Map<MetricId, SampleColumns>();
  let duplicates = 0;
  let replaced = 0;
  for (const [id, { collector }] of run.byId) {
    if (collector.count === 0) continue;
    const collected = finishCollector(collector);
    samples.set(id, collected.columns);
    duplicates += collected.duplicates;
    replaced += collected.replaced;
  }
  return { samples, duplicates, replaced };
}

function gatherSample(run: Run, value: unknown): ItemFault | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return fault('', 'invalid_type', 'must be an object');
  const sample = value as Fields;
  const { metric, start, end, value: number, unit, recording_method: method } = sample;
  // Counting is much cheaper than looking up every name. JSON has no undefined, so a remaining field is unknown.
  let left = 0;
  for (const _ in sample) left += 1;
  if (metric !== undefined) left -= 1;
  if (start !== undefined) left -= 1;
  if (end !== undefined) left -= 1;
  if (number !== undefined) left -= 1;
  if (unit !== undefined) left -= 1;
  if (method !== undefined) left -= 1;
  if (left !== 0) {
    const name = findUnknownField(sample, SAMPLE_FIELDS);
    if (name !== null) return fault(cleanName(name), 'unknown_field', 'unknown field');
  }

  if (metric !== run.lastName || run.last === null) {
    const problem = selectMetric(run, metric);
    if (problem !== null) return problem;
  }
  const { collector, rules } = run.last as MetricSamples;

  const startMs = typeof start === 'string' ? parseInstant(start) : Number.NaN;
  let endMs = startMs;
  if (end !== undefined && end !== null) endMs = typeof end === 'string' ? parseInstant(end) : Number.NaN;
  if (!isSampleTimely(startMs, endMs, run.latestMs)) return badTimes(sample, startMs, endMs, run.latestMs);
  let unitIndex = 0;
  if (unit !== undefined && unit !== null && unit !== rules[0]?.unit) {
    unitIndex = typeof unit === 'string' ? findUnit(rules, unit) : -1;
    if (unitIndex < 0) return badUnit(run.last as MetricSamples, unit);
  }
  const rule = rules[unitIndex] as UnitRules;
  if (!(typeof number === 'number' && isWithin(number, rule.sample))) return badValue(rule, number);
  let methodIndex = UNKNOWN_METHOD;
  if (method !== undefined && method !== null) {
    methodIndex = RECORDING_METHODS.indexOf(method as never);
    if (methodIndex < 0) return badMethod(method);
  }
  const day = Math.floor(startMs / DAY_MS);
  const endDay = endMs === startMs ? day : Math.floor(endMs / DAY_MS);
  if ((day !== endDay || day !== (run.last as MetricSamples).lastDay) && !claimDays(run, day, endDay))
    return overLimit(`the samples of an upload may be on at most ${MAX_SAMPLED_DAYS} days, all metrics together`);
  collectSample(
    collector,
    startMs,
    endMs,
    number,
    packTraits(readOffsetMinutes(start as string), unitIndex, methodIndex),
  );
  return null;
}

/** False if the days exceed the limits of the upload. */
function claimDays(run: Run, from: number, to: number): boolean {
  const samples = run.last as MetricSamples;
  const { days } = samples;
  let fresh = 0;
  for (let day = from; day <= to; day += 1) if (!days.has(day)) fresh += 1;
  if (fresh > run.daysLeft || to - from > run.midnightsLeft) return false;
  run.daysLeft -= fresh;
  run.midnightsLeft -= to - from;
  if (fresh > 0) for (let day = from; day <= to; day += 1) days.add(day);
  samples.lastDay = from;
  return true;
}

function selectMetric(run: Run, name: unknown): ItemFault | null {
  if (name === undefined || name === null) return fault('metric', 'missing_field', 'is required');
  if (typeof name !== 'string') return fault('metric', 'invalid_type', 'must be a string');
  const verdict = judgeMetric(name, run.scopes);
  if (!('metric' in verdict)) return fault('metric', verdict.error, verdict.message);
  const { metric } = verdict;
  let samples = run.byId.get(metric.id);
  if (samples === undefined) {
    const rules = listUnitRules(metric);
    const units = rules.map(({ unit }) => unit);
    const expected = run.byId.size === 0 ? run.count : undefined;
    samples = { metric, rules, collector: createCollector(units, expected), days: new Set(), lastDay: Number.NaN };
    run.byId.set(metric.id, samples);
  }
  run.lastName = name;
  run.last = samples;
  return null;
}

function badTimes({ start, end }: Fields, startMs: number, endMs: number, latestMs: number): ItemFault {
  const ofStart = findTimeProblem(startMs, latestMs);
  if (ofStart !== null) return badTime('start', start, ofStart);
  if (endMs < startMs) return fault('end', 'end_before_start', 'must not be before the start');
  const ofEnd = findTimeProblem(endMs, latestMs);
  if (ofEnd !== null) return badTime('end', end, ofEnd);
  return fault('end', 'too_long', `must be at most ${MAX_SAMPLE_MS / DAY_MS} days after the start`);
}

function badTime(field: string, sent: unknown, problem: TimeProblem): ItemFault {
  if (sent === undefined || sent === null) return fault(field, 'missing_field', 'is required');
  if (typeof sent !== 'string') return fault(field, 'invalid_type', 'must be a string');
  return fault(field, ...TIME_FAULTS[problem]);
}

function badUnit({ metric }: MetricSamples, sent: unknown): ItemFault {
  if (typeof sent !== 'string') return fault('unit', 'invalid_type', 'must be a string');
  return fault('unit', 'invalid_unit', describeUnits(metric, sent));
}

function badValue({ sample, unit }: UnitRules, sent: unknown): ItemFault {
  if (sent === undefined || sent === null) return fault('value', 'missing_field', 'is required');
  if (typeof sent !== 'number') return fault('value', 'invalid_type', 'must be a number');
  return fault('value', 'out_of_range', describeLimit({ ...sample, unit }));
}

function badMethod(sent: unknown): ItemFault {
  if (typeof sent !== 'string') return fault('recording_method', 'invalid_type', 'must be a string');
  const message = `must be one of ${RECORDING_METHODS.join(', ')}, not ${quote(sent)}`;
  return fault('recording_method', 'invalid_choice', message);
}

function fault(field: string, error: RejectCode, message: string): ItemFault {
  return { field, error, message };
}
