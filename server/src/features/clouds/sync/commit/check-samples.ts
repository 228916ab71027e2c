// Checks samples and daily values of a provider against the same limits as uploads: range, unit, time.

import { findMetric, type MetricId } from '../../../../domain/metrics/index.ts';
import { isSampledByProviders, isTakenFromProviders } from '../../../../domain/metrics/record-limits.ts';
import { findUnit, listUnitRules, type UnitRules } from '../../../../domain/metrics/unit-rules.ts';
import {
  collectSample,
  createCollector,
  finishCollector,
  mergeSamples,
  packTraits,
  type SampleColumns,
} from '../../../../domain/packed/sample-blocks/index.ts';
import { isWithin } from '../../../../domain/records/check-numbers.ts';
import { findSampleLengthProblem, findTimeProblem, isSampleTimely } from '../../../../domain/records/check-times.ts';
import { type DailyValue, RECORDING_METHODS } from '../../../../domain/records/records.ts';
import { isOffsetMinutes } from '../../../../domain/time/parse-instant.ts';
import type { ReportedSamples } from '../../../../providers/reported-samples.ts';
import { type Refusals, refuse } from './refusals.ts';

type SampleReason = 'unit' | 'time' | 'too_long' | 'out_of_range';

/** Sorted, one per start: of several with the same start the last wins. Null: none was valid. */
export function checkSamples(
  id: MetricId,
  lists: readonly ReportedSamples[],
  latestMs: number,
  refusals: Refusals,
): SampleColumns | null {
  const metric = findMetric(id);
  if (metric === null || !isSampledByProviders(metric)) {
    const count = lists.reduce((sum, { starts }) => sum + starts.length, 0);
    refuse(refusals, id, 'computed_metric', count);
    return null;
  }
  const rules = listUnitRules(metric);
  let whole: SampleColumns | null = null;
  for (const list of lists) {
    const good: SampleColumns | null = isAllGood(list, rules, latestMs)
      ? list
      : pickGood(list, rules, latestMs, (reason) => refuse(refusals, id, reason));
    if (good !== null) whole = mergeSamples(whole, good).columns;
  }
  return whole;
}

/** The usual case: nothing to drop, round or sort. */
function isAllGood(
  { starts, ends, values, runs }: ReportedSamples,
  rules: readonly UnitRules[],
  latestMs: number,
): boolean {
  let before = Number.NEGATIVE_INFINITY;
  let index = 0;
  for (const { count, unit, offsetMinutes } of runs) {
    const rule = rules[findUnit(rules, unit)];
    if (rule?.unit !== unit || !isOffsetMinutes(offsetMinutes)) return false;
    for (const limit = index + count; index < limit; index += 1) {
      const start = starts[index] as number;
      const end = ends === null ? start : (ends[index] as number);
      const isStorable = start > before && Math.floor(start) === start && Math.floor(end) === end;
      const isGood = isSampleTimely(start, end, latestMs) && isWithin(values[index] as number, rule.sample);
      if (!isStorable || !isGood) return false;
      before = start;
    }
  }
  return starts.length > 0;
}

function pickGood(
  { starts, ends, values, runs }: ReportedSamples,
  rules: readonly UnitRules[],
  latestMs: number,
  refuseOne: (reason: SampleReason) => void,
): SampleColumns | null {
  const collector = createCollector(
    rules.map(({ unit }) => unit),
    starts.length,
  );
  let index = 0;
  for (const { count, unit, offsetMinutes, method } of runs) {
    const unitIndex = findUnit(rules, unit);
    const rule = rules[unitIndex];
    const isOffsetGood = isOffsetMinutes(offsetMinutes);
    const traits = isOffsetGood ? packTraits(offsetMinutes, unitIndex, RECORDING_METHODS.indexOf(method)) : 0;
    for (const limit = index + count; index < limit; index += 1) {
      const start = starts[index] as number;
      const end = ends === null ? start : (ends[index] as number);
      const value = values[index] as number;
      if (rule === undefined) refuseOne('unit');
      else if (!isOffsetGood) refuseOne('time');
      else if (!isSampleTimely(start, end, latestMs)) refuseOne(judgeTimes(start, end, latestMs));
      else if (!isWithin(value, rule.sample)) refuseOne('out_of_range');
      else collectSample(collector, Math.round(start), Math.round(end), value, traits);
    }
  }
  return collector.count === 0 ? null : finishCollector(collector).columns;
}

function judgeTimes(start: number, end: number, latestMs: number): SampleReason {
  const isTooLong = findSampleLengthProblem(start, end) === 'too_long';
  return isTooLong && (findTimeProblem(start, latestMs) ?? findTimeProblem(end, latestMs)) === null
    ? 'too_long'
    : 'time';
}

/** Of several values for one day the last wins. */
export function checkDaily(values: readonly DailyValue[], latestMs: number, refusals: Refusals): DailyValue[] {
  const kept = new Map<string, DailyValue>();
  for (const value of values) {
    const rule = findRule(value, refusals);
    if (rule === null) continue;
    if (findTimeProblem(Date.parse(value.date), latestMs) !== null) refuse(refusals, value.metric, 'time');
    else if (!isWithin(value.value, rule.daily)) refuse(refusals, value.metric, 'out_of_range');
    else kept.set(`${value.metric} ${value.date}`, { ...value, unit: rule.unit });
  }
  return [...kept.values()];
}

function findRule({ metric: id, unit }: DailyValue, refusals: Refusals): UnitRules | null {
  const metric = findMetric(id);
  if (metric === null || !isTakenFromProviders(metric)) {
    refuse(refusals, id, 'computed_metric');
    return null;
  }
  const rules = listUnitRules(metric);
  const rule = rules[findUnit(rules, unit)];
  if (rule === undefined) refuse(refusals, id, 'unit');
  return rule ?? null;
}
