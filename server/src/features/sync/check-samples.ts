// Samples and daily values of a provider, held to the same bounds as uploads: physical range, unit, time.
import { findMetric, type Metric, type MetricId } from '../../domain/metrics/index.ts';
import { EARLIEST_MS, isComputed, MAX_SAMPLE_MS } from '../../domain/record-limits.ts';
import { type DailyValue, RECORDING_METHODS, type RecordingMethod, type Sample } from '../../domain/records.ts';
import {
  collectSample,
  createCollector,
  finishCollector,
  packTraits,
  type SampleColumns,
} from '../../domain/sample-blocks/index.ts';
import { findUnit, listUnitRules, type UnitRules } from '../../domain/unit-rules.ts';
import { type Refusals, refuse } from './refusals.ts';

const DAY_MINUTES = 1_440;

/** Ascending, each start once: of several with one start the last stands. Null: none was good. */
export function checkSamples(
  id: MetricId,
  lists: readonly (readonly Sample[])[],
  latestMs: number,
  refusals: Refusals,
): SampleColumns | null {
  const metric = findTold(id);
  const count = lists.reduce((sum, list) => sum + list.length, 0);
  if (metric === null) {
    refuse(refusals, id, 'computed_metric', count);
    return null;
  }
  const rules = listUnitRules(metric);
  const collector = createCollector(
    rules.map(({ unit }) => unit),
    count,
  );
  // What hardly ever changes from sample to sample is looked up when it does.
  let lastUnit: string | null = null;
  let unitIndex = -1;
  let lastMethod: RecordingMethod = 'unknown';
  let methodIndex = RECORDING_METHODS.indexOf(lastMethod);
  for (const list of lists) {
    for (const sample of list) {
      const { start, end, value, unit, offsetMinutes, method } = sample;
      if (unit !== lastUnit) {
        lastUnit = unit;
        unitIndex = findUnit(rules, unit);
      }
      const rule = rules[unitIndex];
      if (rule === undefined) refuse(refusals, id, 'unit');
      else if (!(start >= EARLIEST_MS && end >= start && end <= latestMs && isOffset(offsetMinutes)))
        refuse(refusals, id, 'time');
      else if (end - start > MAX_SAMPLE_MS) refuse(refusals, id, 'too_long');
      else if (!(value >= rule.sample.min && value <= rule.sample.max)) refuse(refusals, id, 'out_of_range');
      else {
        if (method !== lastMethod) {
          lastMethod = method;
          methodIndex = RECORDING_METHODS.indexOf(method);
        }
        const traits = packTraits(offsetMinutes, unitIndex, methodIndex);
        collectSample(collector, Math.round(start), Math.round(end), value, traits);
      }
    }
  }
  return collector.count === 0 ? null : finishCollector(collector).columns;
}

/** Of several of one day the last stands. */
export function checkDaily(values: readonly DailyValue[], latestMs: number, refusals: Refusals): DailyValue[] {
  const kept = new Map<string, DailyValue>();
  for (const value of values) {
    const rule = findRule(value, refusals);
    if (rule === null) continue;
    const midnight = Date.parse(value.date);
    if (!(midnight >= EARLIEST_MS && midnight <= latestMs)) refuse(refusals, value.metric, 'time');
    else if (!(value.value >= rule.daily.min && value.value <= rule.daily.max))
      refuse(refusals, value.metric, 'out_of_range');
    else kept.set(`${value.metric} ${value.date}`, { ...value, unit: rule.unit });
  }
  return [...kept.values()];
}

function findRule({ metric: id, unit }: DailyValue, refusals: Refusals): UnitRules | null {
  const metric = findTold(id);
  if (metric === null) {
    refuse(refusals, id, 'computed_metric');
    return null;
  }
  const rules = listUnitRules(metric);
  const rule = rules[findUnit(rules, unit)];
  if (rule === undefined) refuse(refusals, id, 'unit');
  return rule ?? null;
}

function isOffset(minutes: number): boolean {
  return Number.isInteger(minutes) && Math.abs(minutes) < DAY_MINUTES;
}

/** Null: no device tells it. */
function findTold(id: MetricId): Metric | null {
  const metric = findMetric(id);
  return metric === null || isComputed(metric) || metric.category === 'scores' ? null : metric;
}
